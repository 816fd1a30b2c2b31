"""Printing of named facts, one a line."""

from __future__ import annotations

from collections.abc import Sequence


def print_lines(lines: Sequence[tuple[str, str]]) -> None:
    """Print names (bold on a terminal) and texts in two columns on stdout."""
    from rich.console import Console  # imported here: help must not wait for it
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    width = max(len(name) for name, _ in lines) + 2
    with console.capture() as rendered:  # rich would answer a broken pipe by leaving; print raises it
        for name, text in lines:
            # Text, not markup: a file name may hold square brackets
            console.print(Text.assemble((name.ljust(width), "bold"), text))
    print(rendered.get(), end="")
