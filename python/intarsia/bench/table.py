"""Printing of benchmark results: a table for people, one JSON object for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

# wide enough for every column when the output is a file; a terminal has its own width
PIPE_WIDTH = 130


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: the first column to the left, the others to the right."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=PIPE_WIDTH)
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        table.add_column(column, justify="left" if position == 0 else "right")
    for row in rows:
        table.add_row(*row)
    with console.capture() as rendered:  # rich would answer a broken pipe by leaving; print raises it
        console.print(table)
    print(rendered.get(), end="")


def print_json(result: dict[str, Any]) -> None:
    """Print one JSON object."""
    print(json.dumps(result))
