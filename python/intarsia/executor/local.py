"""The executors of one process: tasks one after the other, or on threads, whose kernels release the GIL."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock
from time import sleep
from typing import Any, cast

from numpy.typing import NDArray

from intarsia.executor.protocol import Result, Shared, Task, Value

_log = logging.getLogger("intarsia.executor")
_here = threading.local()
_LOOK_EVERY = 0.1  # seconds


def run_task(
    fn: Callable[[Task, Shared], Result],
    number: int,
    task: Task,
    shared: Shared,
    wanted: Callable[[], bool] | None = None,
) -> Result:
    """Return ``fn(task, shared)``; the log says how long it took, or why it failed."""
    outer = inside_task(), _wanted()
    _here.inside, _here.wanted = True, wanted or outer[1]
    started = time.perf_counter()
    try:
        result = fn(task, shared)
    except Exception:
        _log.exception("task %d of %s failed", number, _name(fn))
        raise
    finally:
        _here.inside, _here.wanted = outer
    _log.info("task %d of %s: %.6f s", number, _name(fn), time.perf_counter() - started)
    return result


def inside_task() -> bool:
    """Whether this thread is computing a task: what it calls there must not ask for helpers of its own."""
    return getattr(_here, "inside", False)


def is_wanted() -> bool:
    """Whether anybody still waits for what this thread computes; long work may ask, and give up."""
    return _wanted()()


class Listening:
    """What kernels ask in between; a Ctrl-C heard then waits until the kernel has given what it has."""

    interrupt: KeyboardInterrupt | None = None

    def is_unwanted(self) -> bool:
        """Whether nobody waits for the work any more."""
        try:
            return not is_wanted()
        except KeyboardInterrupt as pressed:
            self.interrupt = pressed
            return True


def run_cancellable(work: Callable[[], Result], cancel: Callable[[], None]) -> Result:
    """Return ``work()``, computed in a thread of its own while this one listens: for foreign libraries.

    `cancel` asks the work to end soon: after Ctrl-C, which is raised here once it has ended, or when the
    task that this thread computes is not wanted any more.
    """
    interrupt: KeyboardInterrupt | None = None
    # not `concurrent.futures.wait`: an interrupt may leave its condition without a lock
    ended: SimpleQueue[Future[Result]] = SimpleQueue()
    with ThreadPoolExecutor(1) as thread:
        future: Future[Result] | None = None
        while future is None or not future.done():
            try:
                if interrupt is not None or not is_wanted():
                    cancel()
                if future is None:
                    future = thread.submit(work)
                    future.add_done_callback(ended.put)
                with suppress(Empty):
                    ended.get(timeout=_LOOK_EVERY)
            except KeyboardInterrupt as pressed:
                interrupt = pressed
    if interrupt is not None:
        raise interrupt
    return future.result()


def _wanted() -> Callable[[], bool]:
    return getattr(_here, "wanted", lambda: True)


def _name(fn: Callable[..., object]) -> str:
    own = getattr(fn, "__qualname__", None) or repr(fn)  # an estimator's repr takes as long as a small fit
    return f"{getattr(fn, '__module__', '?')}.{own}"


class SingleProcess:
    """What every executor of one process answers about ranks: there is one, and it agrees with itself."""

    rank = 0
    n_ranks = 1

    def agree(self, value: Value) -> Value:
        """See `Executor.agree`."""
        return value

    def gather(self, value: Value) -> list[Value]:
        """See `Executor.gather`."""
        return [value]

    def with_one_thread(self) -> SerialExecutor:
        """See `Executor.with_one_thread`."""
        return SerialExecutor()

    def share(self, array: NDArray[Any] | None, *, give_up: bool = False) -> NDArray[Any] | None:
        """See `Executor.share`."""
        return array

    def __deepcopy__(self, memo: dict[int, Any]) -> SingleProcess:
        return self  # a copy of an estimator computes where the estimator does


class SerialExecutor(SingleProcess):
    """Tasks one after the other in the calling thread."""

    n_workers = 1
    n_threads = 1

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """See `Executor.map`."""
        results = []
        for number, task in enumerate(tasks):
            results.append(run_task(fn, number, task, shared))
            if on_done is not None:
                on_done(len(results))
        return results


_LOOK_FOR_END_EVERY = 0.005  # seconds


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
            sleep(_LOOK_FOR_END_EVERY)


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
