"""Long work of a foreign library: Ctrl-C, or a map that is over, must not have to wait for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from intarsia.executor.task import is_wanted

Result = TypeVar("Result")

_LOOK_EVERY = 0.1  # seconds


def run_cancellable(work: Callable[[], Result], cancel: Callable[[], None]) -> Result:
    """Return ``work()``, computed in a thread of its own while this one listens.

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
