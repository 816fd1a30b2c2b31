"""All that intarsia asks of MPI, in one place."""

from __future__ import annotations

import atexit
import itertools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from intarsia.executor.mpi.mpich import forget_meeting_places
from intarsia.executor.mpi.serialise import Stream
from intarsia.executor.mpi.start import MPI, start_mpi
from intarsia.launch import fail_alone, launched_ranks, note_joined

_TAKEN, _DONE, _FAILED, _ASKED = range(4)  # the counters that rank 0 keeps for all
_STEPS = 4  # every rank keeps its own: the steps that it has begun together with the others
_WORD = 8
_LOOK_EVERY = 0.2  # seconds
_NAPS = (0.0001, 0.005)  # shortest and longest sleep while waiting; spinning would take others' cores


def naps() -> Iterator[float]:
    """Yield how long to sleep between two looks, longer and longer; never ends."""
    nap, longest = _NAPS
    while True:
        yield nap
        nap = min(2 * nap, longest)


class World:
    """The ranks of this job: who they are, what they count together, how they end.

    Only the thread that asked for the world calls its methods: any level of MPI's thread support does.
    """

    def __init__(self) -> None:
        self.comm = MPI.COMM_WORLD.Dup()
        self.rank: int = self.comm.rank
        self.n_ranks: int = self.comm.size
        self.node = self.comm.Split_type(MPI.COMM_TYPE_SHARED, key=self.rank)
        first_of_node = self.node.rank == 0
        leaders = self.comm.Split(0 if first_of_node else MPI.UNDEFINED, key=self.rank)
        self.leaders = leaders if first_of_node else None
        self.cores_a_rank = self._cores_a_rank()
        self._failing = self.comm.Dup()
        self._leaving = self.comm.Dup()  # its barrier must not meet what the others exchange
        self._counters = self._make_counters()
        self._own_counters = np.frombuffer(self._counters.tomemory(), dtype=np.int64)
        self._inside_step = False
        if first_of_node:  # every rank has arrived here: none looks for the others any more
            forget_meeting_places()
        self.n_taken = self.n_finished = 0  # what the counters will be when every `map` so far is over
        self.task_failed = False  # here; tasks are not shared, so the other ranks know nothing of it
        self.when_asked_to_stop: Callable[[], None] | None = None  # on rank 0, told of a signal to another
        self._shared: list[Any] = []  # a window must outlive the arrays that look at it

    def _cores_a_rank(self) -> int:
        # The union counts a node's cores right whether or not the launcher bound each rank to its own.
        cores: set[int] = set().union(*self.node.allgather(_own_cores()))
        return max(1, len(cores) // int(self.node.size))

    def _make_counters(self) -> Any:
        window = MPI.Win.Allocate((_STEPS + 1) * _WORD, _WORD, comm=self.comm)
        np.frombuffer(window.tomemory(), dtype=np.int64)[:] = 0
        self.comm.Barrier()
        window.Lock_all()
        return window

    @contextmanager
    def step_together(self) -> Iterator[None]:
        """Wrap what all ranks have to do: one that leaves in the middle, or before, is found in `close`."""
        if self._inside_step:
            raise RuntimeError("this rank left a computation which the others are still in")
        self._own_counters[_STEPS] += 1
        self._counters.Sync()
        self._inside_step = True
        try:
            yield
        except KeyboardInterrupt:  # without this rank the others cannot even give their best so far
            fail_alone("interrupted", 130)
        self._inside_step = False

    def sum_over_ranks(self, value: int) -> int:
        """Return the sum of every rank's value, on every rank."""
        with self.step_together():
            return int(self.comm.allreduce(value))

    def take_number(self) -> int:
        """Return the next task number that nobody has, counted over the life of the job."""
        return self._add(_TAKEN, 1)

    def count_done(self) -> None:
        """Count one finished task."""
        self._add(_DONE, 1)

    def n_done(self) -> int:
        """Return how many tasks were ever finished by all ranks; asking also lets MPI serve the others."""
        self.comm.Iprobe()
        return self._add(_DONE, 0)

    def _add(self, counter: int, amount: int, rank: int = 0) -> int:
        before = np.empty(1, dtype=np.int64)
        self._counters.Fetch_and_op(np.array([amount], dtype=np.int64), before, rank, counter, MPI.SUM)
        self._counters.Flush(rank)
        return int(before[0])

    def node_memory(self, n_bytes: int) -> Stream:
        """Return zeroed bytes that all ranks of a node see."""
        held = max(1, n_bytes) if self.node.rank == 0 else 0
        window = MPI.Win.Allocate_shared(held, 1, comm=self.node)
        self._shared.append(window)
        memory, _ = window.Shared_query(0)
        return np.frombuffer(memory, dtype=np.uint8)[:n_bytes]

    def fence_node(self) -> None:
        """Wait until what the node's first rank wrote is seen by all its ranks."""
        self._shared[-1].Fence()

    def everyone_fails(self, seconds: float) -> bool:
        """Whether all ranks call this within so many seconds: then the error is nobody's own."""
        if self.task_failed:
            return False
        met, last = self._failing.Ibarrier(), time.monotonic() + seconds
        while not met.Test():
            if time.monotonic() > last:
                return False
            time.sleep(0.01)
        return True

    def first_to_fail(self) -> bool:
        """Whether no other rank asked this before: one message is enough."""
        return self._add(_FAILED, 1) == 0

    def ask_to_stop(self) -> None:
        """Let rank 0 know that this rank was told to end."""
        self._add(_ASKED, 1)

    def serve(self) -> None:
        """On rank 0, hear what other ranks ask for."""
        if self.when_asked_to_stop is not None and self._add(_ASKED, 0) > 0:
            self.when_asked_to_stop()
            self.when_asked_to_stop = None

    def abort(self, code: int) -> None:
        """End every rank of the job, if MPI lets this thread do so."""
        if MPI.Is_thread_main() or MPI.Query_thread() == MPI.THREAD_MULTIPLE:
            self.comm.Abort(code)

    def close(self) -> None:
        """Give the counters back, all ranks together; some MPIs complain about windows that are left.

        Whoever is here while the others go on left without saying why, by `sys.exit` perhaps.
        """
        if self._inside_step:
            fail_alone("left in the middle of a computation", 1)
        met, others = (
            self._leaving.Ibarrier(),
            itertools.cycle(range(1, self.n_ranks) if self.rank == 0 else [0]),
        )
        next_look = time.monotonic() + _LOOK_EVERY
        for nap in naps():
            if met.Test():
                break
            if time.monotonic() > next_look:
                next_look += _LOOK_EVERY
                if self._add(_STEPS, 0, next(others)) > self._own_counters[_STEPS]:
                    fail_alone("ended while the others went on computing", 1)
            time.sleep(nap)
        self._counters.Unlock_all()
        self._counters.Free()


_world: World | None = None


def the_world() -> World | None:
    """Return the world of this job, made at the first call; None when this is its only rank."""
    global _world
    if _world is None and _several_ranks():
        _world = World()
        atexit.register(_world.close)
        note_joined(_world)
    return _world


def _several_ranks() -> bool:
    if not start_mpi():  # whoever imported it first did not want it
        return False
    started, seen = launched_ranks() or 1, MPI.COMM_WORLD.size
    if started > 1 and seen == 1:
        raise ValueError(
            f"{started} processes were started, but MPI sees each one alone: use the launcher of the MPI "
            "that mpi4py was built with (for srun: --mpi=pmi2 or --mpi=pmix)."
        )
    return bool(seen > 1)


def _own_cores() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))
