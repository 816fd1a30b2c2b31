"""Tasks on threads: the kernels release the GIL, so threads compute side by side on the same data."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from intarsia.executor.protocol import Executor, Result, Shared, Task
from intarsia.executor.serial import SerialExecutor


class ThreadExecutor:
    """Tasks on a fixed number of threads.

    Parameters
    ----------
    n_workers : int
        Number of threads.
    """

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """See `Executor.map`."""
        with ThreadPoolExecutor(self.n_workers) as pool:
            futures = [pool.submit(fn, task, shared) for task in tasks]
            try:
                for n_done, future in enumerate(as_completed(futures), start=1):
                    if future.exception() is not None:
                        break
                    if on_done is not None:
                        on_done(n_done)
            finally:
                # After a failure or Ctrl-C nothing new is started.
                pool.shutdown(wait=True, cancel_futures=True)
        return [future.result() for future in futures if not future.cancelled()]


def resolve_threads(n_threads: int | None) -> int:
    """Return the number of threads to use.

    ``None`` asks the scheduler (``SLURM_CPUS_PER_TASK``), then ``OMP_NUM_THREADS``, then takes every
    processor this process may run on.
    """
    if n_threads is None:
        for name in ("SLURM_CPUS_PER_TASK", "OMP_NUM_THREADS"):
            value = os.environ.get(name, "")
            if value.isdigit() and int(value) > 0:
                return int(value)
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(n_threads, bool) or not isinstance(n_threads, int):
        raise TypeError(f"n_threads={n_threads!r} should be a whole number >= 1 or None.")
    if n_threads < 1:
        raise ValueError(f"n_threads={n_threads} should be >= 1.")
    return n_threads


def make_executor(n_threads: int | None = None) -> Executor:
    """Return an executor for this many threads (see `resolve_threads`)."""
    n_workers = resolve_threads(n_threads)
    return SerialExecutor() if n_workers == 1 else ThreadExecutor(n_workers)
