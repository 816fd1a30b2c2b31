"""One task: computed, timed and logged the same way by every executor, and given up when nobody wants it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue

from intarsia.executor.protocol import Result, Shared, Task

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
    return f"{getattr(fn, '__module__', '?')}.{getattr(fn, '__qualname__', repr(fn))}"
