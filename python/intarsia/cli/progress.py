"""Progress bars on a terminal, nothing in a pipe: there rich is not even imported."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from intarsia.launch import launched_rank

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

StageCallback = Callable[[str, int, int, float], None]
"""Takes stage, steps done, steps in all, best cost so far."""


@contextmanager
def progress_bar(title: str, n_steps: int, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Draw a bar of `n_steps` on stderr; the yielded callable moves it on by one step.

    The callable takes and ignores any arguments, so that it fits every `on_done` hook.
    """
    if not _is_shown(quiet):
        yield _ignore
        return
    from rich.progress import TimeRemainingColumn

    with _bar(TimeRemainingColumn()) as bar:
        step = bar.add_task(title, total=n_steps)
        yield lambda *_: bar.advance(step)


@contextmanager
def stage_bar(title: str, *, quiet: bool = False) -> Iterator[StageCallback]:
    """Draw one bar that starts anew with each stage and shows the best cost so far."""
    if not _is_shown(quiet):
        yield _ignore
        return
    from rich.progress import TextColumn, TimeElapsedColumn

    # elapsed, not remaining: a search may end well before its last step
    with _bar(TextColumn("{task.fields[best]}"), TimeElapsedColumn()) as bar:
        step = bar.add_task(title, total=None, best="")

        def show(stage: str, done: int, total: int, best_cost: float) -> None:
            best = f"best {best_cost:.10g}" if math.isfinite(best_cost) else ""
            bar.update(step, description=f"{title}: {stage}", completed=done, total=total, best=best)

        yield show


def _is_shown(quiet: bool) -> bool:
    return not quiet and sys.stderr.isatty() and launched_rank() == 0


def _bar(*last_columns: ProgressColumn) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *last_columns)
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _ignore(*_: object) -> None:
    """Do nothing: there is no bar to move."""
