"""Tasks on the ranks of an MPI job: every rank runs the same program, computes, and gets all results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.executor.local import run_task
from intarsia.executor.mpi.counter import TaskCounter
from intarsia.executor.mpi.memory import move_into
from intarsia.executor.mpi.serialise import allgather, broadcast, broadcast_any, pack, unpack
from intarsia.executor.mpi.world import World
from intarsia.executor.protocol import Result, Shared, Task, Value

_TICK = 0.005  # rank 0 keeps the counters: this often it lets MPI serve them, where the network cannot


class MpiExecutor:
    """Ranks times threads; each thread takes its next task from one counter, so uneven tasks balance.

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
        with self._world.step_together():
            counter = TaskCounter(self._world, len(tasks), on_done)
            own = self._compute(lambda number: run_task(fn, number, tasks[number], shared), counter)
            counter.wait_for_all()
            results: dict[int, Result] = {}
            for stream in allgather(self._world.comm, pack(own)):
                results.update(unpack(stream))
        return [results[number] for number in range(len(tasks))]

    def _compute(self, run: Callable[[int], Result], counter: TaskCounter) -> dict[int, Result]:
        pool = ThreadPoolExecutor(self.n_threads)
        tick = _TICK if self.rank == 0 else None
        results: dict[int, Result] = {}
        running: dict[Future[Result], int] = {}
        more = True
        try:
            while more or running:
                while more and len(running) < counter.most_held(self.n_threads):
                    number = counter.take()
                    more = number is not None
                    if number is not None:
                        running[pool.submit(run, number)] = number
                for done in wait(running, tick, FIRST_COMPLETED).done:
                    results[running.pop(done)] = done.result()
                    counter.count_done()
                counter.report()
        except Exception:
            self._world.task_failed = True
            raise
        finally:
            # After a failure nothing new is started, and nobody waits for what is under way.
            pool.shutdown(wait=False, cancel_futures=True)
        return results

    def agree(self, value: Value) -> Value:
        """See `Executor.agree`."""
        with self._world.step_together():
            packed = pack(value) if self.rank == 0 else None
            agreed: Value = unpack(broadcast_any(self._world.comm, packed))
        return agreed

    def gather(self, value: Value) -> list[Value]:
        """See `Executor.gather`."""
        with self._world.step_together():
            return [unpack(stream) for stream in allgather(self._world.comm, pack(value))]

    def with_one_thread(self) -> MpiExecutor:
        """See `Executor.with_one_thread`."""
        return MpiExecutor(self._world, 1)

    def __deepcopy__(self, memo: dict[int, Any]) -> MpiExecutor:
        return self  # a copy of an estimator computes where the estimator does

    def share(self, array: NDArray[Any] | None, *, give_up: bool = False) -> NDArray[Any] | None:
        """See `Executor.share`."""
        form = self.agree(None if array is None else (array.shape, array.dtype))
        if form is None:
            return None
        with self._world.step_together():
            return self._fill_shared(array, give_up, *form)

    def _fill_shared(
        self, array: NDArray[Any] | None, give_up: bool, shape: tuple[int, ...], dtype: np.dtype[Any]
    ) -> NDArray[Any]:
        memory = self._world.node_memory(int(np.prod(shape)) * dtype.itemsize)
        shared = memory.view(dtype).reshape(shape)
        if array is not None and self.rank == 0:
            move_into(shared, array) if give_up else np.copyto(shared, array)
        if self._world.leaders is not None:
            broadcast(self._world.leaders, memory)
        self._world.fence_node()
        shared.flags.writeable = False
        return shared
