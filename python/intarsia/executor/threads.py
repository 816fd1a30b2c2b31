"""Tasks on threads: the kernels release the GIL, so threads compute side by side on the same data."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait

from intarsia.executor.alone import Alone
from intarsia.executor.protocol import Result, Shared, Task
from intarsia.executor.task import run_task


class ThreadExecutor(Alone):
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
        with ThreadPoolExecutor(self.n_workers) as pool:
            futures = [pool.submit(run_task, fn, number, task, shared) for number, task in enumerate(tasks)]
            try:
                for n_done, future in enumerate(as_completed(futures), start=1):
                    if future.exception() is not None:
                        break
                    if on_done is not None:
                        on_done(n_done)
            finally:
                _finish(pool, futures)
        return [future.result() for future in futures if not future.cancelled()]


def _finish(pool: ThreadPoolExecutor, futures: Sequence[Future[Result]]) -> None:
    """Start nothing new and wait for what runs, however often Ctrl-C is pressed.

    A thread left inside a kernel would end the process with an abort. The futures are waited for, since a
    thread whose join was interrupted counts as ended.
    """
    pool.shutdown(wait=False, cancel_futures=True)
    running = [future for future in futures if not future.cancelled()]
    again: KeyboardInterrupt | None = None
    while running:
        try:
            wait(running)
            break
        except KeyboardInterrupt as interrupt:
            again = interrupt
    if again is not None:
        raise again
