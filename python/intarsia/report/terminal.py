"""What people see on a terminal: named facts, tables, progress bars; and one JSON object for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from intarsia.launch import launched_rank

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

Lines = Sequence[tuple[str, str]]
StageCallback = Callable[[str, int, int, float], None]
"""Takes stage, steps done, steps in all, best cost so far."""

# wide enough for every column when the output is a file; a terminal has its own width
_PIPE_WIDTH = 130

# rich is imported where it is used: most output goes through pipes, which need none of it


def counted(number: int, noun: str) -> str:
    """Return "1 thread", "2 threads", "10,000 points"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def print_json(facts: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout."""
    from intarsia.io.writers import to_json  # here: help must not wait for NumPy

    print(json.dumps(to_json(facts)))


def print_lines(lines: Lines) -> None:
    """Print names (bold on a terminal) and texts in two columns on stdout."""
    from rich.console import Console
    from rich.text import Text

    width = max(len(name) for name, _ in lines) + 2
    # Text, not markup: a file name may hold square brackets
    texts = [Text.assemble((name.ljust(width), "bold"), text) for name, text in lines]
    _print(Console(highlight=False, soft_wrap=True), texts)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table on stdout: the first column to the left, the others to the right."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_PIPE_WIDTH)
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        table.add_column(column, justify="left" if position == 0 else "right")
    for row in rows:
        table.add_row(*row)
    _print(console, [table])


def _print(console: Console, parts: Sequence[Any]) -> None:
    with console.capture() as rendered:  # rich would answer a broken pipe by leaving; print raises it
        for part in parts:
            console.print(part)
    print(rendered.get(), end="")


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
