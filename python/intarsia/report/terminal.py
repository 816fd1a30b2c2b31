"""What people see on a terminal: named facts, tables, progress bars; and one JSON object for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from intarsia.launch import launched_rank

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

Lines = Sequence[tuple[str, str]]

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
    from rich.progress import TimeElapsedColumn, TimeRemainingColumn

    with _bar(TimeElapsedColumn(), TimeRemainingColumn()) as bar:
        step = bar.add_task(title, total=n_steps)
        yield lambda *_: bar.advance(step)


@contextmanager
def stage_bar(title: str, *, quiet: bool = False) -> Iterator[StageBar]:
    """Draw one bar that starts anew with each stage, and what its `now` says, several times a second."""
    shown = StageBar()
    if not _is_shown(quiet):
        yield shown
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(20), TimeElapsedColumn(), _live_column(shown))
    with Progress(*columns, console=_stderr(), transient=True) as bar:
        step = bar.add_task(title, total=None)

        def move(done: int, total: int) -> None:
            # a search may end at any step: then the bar only shows that something is going on
            bar.update(step, completed=done, total=total if done < total else None)

        shown.move = move
        yield shown


class StageBar:
    """A bar that moves on with each step, and shows what `now` returns whenever it is drawn."""

    def __init__(self) -> None:
        self.now: Callable[[], str] = str
        self.move: Callable[[int, int], None] = _ignore

    def __call__(self, stage: str, done: int, total: int, best_cost: float) -> None:
        """Move on to so many steps of a stage."""
        self.move(done, total)


def _live_column(bar: StageBar) -> ProgressColumn:
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Live(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(bar.now())

    return Live()


def _is_shown(quiet: bool) -> bool:
    return not quiet and sys.stderr.isatty() and launched_rank() == 0


def _bar(*last_columns: ProgressColumn) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *last_columns)
    return Progress(*columns, console=_stderr(), transient=True)


def _stderr() -> Console:
    from rich.console import Console

    return Console(stderr=True)


def _ignore(*_: object) -> None:
    """Do nothing: there is no bar to move."""
