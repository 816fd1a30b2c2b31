"""One task: computed, timed and logged the same way by every executor."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from intarsia.executor.protocol import Result, Shared, Task

_log = logging.getLogger("intarsia.executor")
_here = threading.local()


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


def _wanted() -> Callable[[], bool]:
    return getattr(_here, "wanted", lambda: True)


def _name(fn: Callable[..., object]) -> str:
    return f"{getattr(fn, '__module__', '?')}.{getattr(fn, '__qualname__', repr(fn))}"
