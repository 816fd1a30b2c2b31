"""The tasks of one `map` as all ranks see them: who takes the next one, how many are finished."""

from __future__ import annotations

import time
from collections.abc import Callable

from intarsia.executor.mpi.world import World, naps

_PLENTY = 16  # tasks left for each thread: so many are short ones


class TaskCounter:
    """Task numbers for the ranks, taken from counters that go on growing from one `map` to the next.

    Where a `map` begins needs no message: before it, every rank took all tasks there were and one beyond.

    Parameters
    ----------
    world : World
        The ranks, and the counters that rank 0 keeps.
    n_tasks : int
        Tasks of this `map`.
    on_done : callable or None
        Told on rank 0 of each finished task.
    """

    def __init__(self, world: World, n_tasks: int, on_done: Callable[[int], None] | None) -> None:
        self._world = world
        self._n_tasks = n_tasks
        self._first_number, self._first_done = world.n_taken, world.n_finished
        world.n_taken += n_tasks + world.n_ranks
        world.n_finished += n_tasks
        self._on_done = on_done if world.rank == 0 else None
        self._told = 0
        self._last_taken = 0

    def most_held(self, n_threads: int) -> int:
        """Return how many tasks a rank may hold: one more than it has threads while there are plenty left.

        So no thread waits for its next one; near the end a task in waiting would be missed elsewhere.
        """
        return n_threads + (self._last_taken + _PLENTY * self._world.n_ranks * n_threads < self._n_tasks)

    def take(self) -> int | None:
        """Return the number of a task for this rank; None when there are no more, and nobody asks again."""
        number = self._last_taken = self._world.take_number() - self._first_number
        return number if number < self._n_tasks else None

    def count_done(self) -> None:
        """Count one task of this rank as finished."""
        self._world.count_done()

    def report(self) -> None:
        """On rank 0, pass on how many tasks all ranks have finished."""
        if self._world.rank != 0:
            return
        self._world.serve()
        n_done = self._world.n_done() - self._first_done
        while self._on_done is not None and self._told < n_done:
            self._told += 1
            self._on_done(self._told)

    def wait_for_all(self) -> None:
        """Return when every rank is here, and so every task is finished."""
        met = self._world.comm.Ibarrier()
        for nap in naps():
            if met.Test():
                break
            self.report()
            time.sleep(nap)
        self.report()
