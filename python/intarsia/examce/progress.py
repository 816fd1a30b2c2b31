"""What a running fit is doing, for people who wait: one line, at any moment, and a thread that prints it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from intarsia.examce.state import ExamceState

_EVERY = 1.0  # seconds


def describe(state: ExamceState) -> str:
    """Return stage, steps, what the time goes into, the best cost and what is left, where it is known."""
    best = f"best {state.cost:.10g}" if math.isfinite(state.cost) else ""
    parts = [f"{state.stage.name} {_steps(state)}".strip(), state.clock.doing, best, _left(state)]
    return ", ".join(part for part in parts if part)


def _steps(state: ExamceState) -> str:
    done, total = state.stage.done, state.stage.total
    return f"{done} of {total}" if total is not None else f"{done}" if done else ""


def _left(state: ExamceState) -> str:
    """Say how long it will take at the present pace, and at most."""
    limit = state.clock.remaining()
    at_most = "" if math.isinf(limit) else f"at most {limit:.0f} s left"
    done, total = state.stage.done, state.stage.total
    if not done or total is None:
        return at_most
    expected = (state.clock.seconds() - state.stage.since) / done * (total - done)
    return at_most if expected >= limit else f"about {expected:.0f} s left in this stage"


@contextmanager
def printed(state: ExamceState) -> Iterator[None]:
    """Print that line every second while the work is under way."""
    ended = Event()
    thread = Thread(target=_print_on, args=(state, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _print_on(state: ExamceState, ended: Event) -> None:
    while not ended.wait(_EVERY):
        print(f"[intarsia {state.clock.seconds():6.1f} s] {describe(state)}", flush=True)
