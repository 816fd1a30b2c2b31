"""A progress bar on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress_bar(title: str, n_steps: int, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Draw a bar of `n_steps` on stderr; the yielded callable moves it on by one step.

    The callable takes and ignores any arguments, so that it fits every `on_done` hook.
    """
    if quiet or not sys.stderr.isatty():
        yield _ignore
        return
    with _bar() as bar:
        step = bar.add_task(title, total=n_steps)
        yield lambda *_: bar.advance(step)


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _ignore(*_: object) -> None:
    """Do nothing: there is no bar to move."""
