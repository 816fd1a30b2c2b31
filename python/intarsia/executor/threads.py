"""Tasks on threads: the kernels release the GIL, so threads compute side by side on the same data."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock
from time import sleep
from typing import cast

from intarsia.executor.protocol import Result, Shared, Task
from intarsia.executor.serial import SingleProcess
from intarsia.executor.task import run_task

_LOOK_EVERY = 0.005  # seconds


class ThreadExecutor(SingleProcess):
    """Tasks on a fixed number of threads.

    Parameters
    ----------
    n_workers : int
        Number of threads.
    """

    def __init__(self, n_workers: int) -> None:
        self.n_workers = self.n_threads = n_workers

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """See `Executor.map`."""
        gate = _Gate()
        ended: SimpleQueue[Future[Result | None]] = SimpleQueue()  # its lock stands an interrupt

        def run(number: int, task: Task) -> Result | None:
            return gate.run(lambda: run_task(fn, number, task, shared, gate.is_open))

        with ThreadPoolExecutor(self.n_workers) as pool:
            try:
                futures = [pool.submit(run, number, task) for number, task in enumerate(tasks)]
                for future in futures:
                    future.add_done_callback(ended.put)
                for n_done in range(1, len(futures) + 1):
                    if ended.get().exception() is not None:
                        break
                    if on_done is not None:
                        on_done(n_done)
            finally:
                _finish(pool, gate)
        return [cast(Result, future.result()) for future in futures if not future.cancelled()]


class _Gate:
    """Lets tasks run until it is closed; closing waits for those under way."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_running = 0
        self._opened = True

    def run(self, task: Callable[[], Result]) -> Result | None:
        with self._lock:
            if not self._opened:
                return None
            self._n_running += 1
        try:
            return task()
        finally:
            with self._lock:
                self._n_running -= 1

    def is_open(self) -> bool:
        return self._opened

    def close(self) -> None:
        with self._lock:
            self._opened = False
        while self._n_running > 0:  # an interrupted wait for a condition may lose its lock
            sleep(_LOOK_EVERY)


def _finish(pool: ThreadPoolExecutor, gate: _Gate) -> None:
    """Start nothing new and wait for what runs, however often and early Ctrl-C is pressed.

    A thread left inside a kernel would end the process with an abort. Joining the threads is not enough:
    one whose join was interrupted counts as ended.
    """
    again: KeyboardInterrupt | None = None
    while True:
        try:
            pool.shutdown(wait=False, cancel_futures=True)
            gate.close()
            break
        except KeyboardInterrupt as interrupt:
            again = interrupt
    if again is not None:
        raise again
