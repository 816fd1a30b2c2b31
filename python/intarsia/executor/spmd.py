"""Tasks on the ranks of an MPI job: every rank runs the same program, computes, and gets all results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.executor.board import TaskBoard
from intarsia.executor.parcel import pack, unpack
from intarsia.executor.protocol import Result, Shared, Task, Value
from intarsia.executor.task import run_task
from intarsia.executor.transfer import allgather, broadcast, broadcast_any

if TYPE_CHECKING:
    from intarsia.executor.mpi import World

_TICK = 0.005  # rank 0 keeps the counters: this often it lets MPI serve them, where the network cannot


class MpiExecutor:
    """Ranks times threads; each thread draws its next task from one counter, so uneven tasks balance.

    MPI is called from the calling thread alone, while `n_threads` other threads compute.

    Parameters
    ----------
    world : World
        The ranks of this job.
    n_threads : int
        Threads of this rank.
    """

    def __init__(self, world: World, n_threads: int) -> None:
        self._world = world
        self.rank, self.n_ranks = world.rank, world.n_ranks
        self.n_threads = n_threads
        # counted together: ranks may have different numbers of threads, and all must see the same sum
        self.n_workers = world.sum_over_ranks(n_threads)

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """See `Executor.map`."""
        board = TaskBoard(self._world, len(tasks), on_done)
        own = self._compute(lambda number: run_task(fn, number, tasks[number], shared), board)
        board.wait_for_all()
        results: dict[int, Result] = {}
        for stream in allgather(self._world.comm, pack(own)):
            results.update(unpack(stream))
        return [results[number] for number in range(len(tasks))]

    def _compute(self, run: Callable[[int], Result], board: TaskBoard) -> dict[int, Result]:
        pool = ThreadPoolExecutor(self.n_threads)
        tick = _TICK if self.rank == 0 else None
        results: dict[int, Result] = {}
        running: dict[Future[Result], int] = {}
        more = True
        try:
            while more or running:
                while more and len(running) < board.allotment(self.n_threads):
                    number = board.draw()
                    more = number is not None
                    if number is not None:
                        running[pool.submit(run, number)] = number
                for done in wait(running, tick, FIRST_COMPLETED).done:
                    results[running.pop(done)] = done.result()
                    board.finish()
                board.tell()
        except Exception:
            self._world.task_failed = True
            raise
        finally:
            # After a failure nothing new is started, and nobody waits for what is under way.
            pool.shutdown(wait=False, cancel_futures=True)
        return results

    def agree(self, value: Value) -> Value:
        """See `Executor.agree`."""
        packed = pack(value) if self.rank == 0 else None
        agreed: Value = unpack(broadcast_any(self._world.comm, packed))
        return agreed

    def share(self, array: NDArray[Any] | None) -> NDArray[Any] | None:
        """See `Executor.share`."""
        form = self.agree(None if array is None else (array.shape, array.dtype))
        if form is None:
            return None
        shape, dtype = form
        memory = self._world.node_memory(int(np.prod(shape)) * dtype.itemsize)
        shared = memory.view(dtype).reshape(shape)
        if self.rank == 0:
            shared[...] = array
        if self._world.leaders is not None:
            broadcast(self._world.leaders, memory)
        self._world.settle_node()
        shared.flags.writeable = False
        return shared
