"""The options that say how data are read, one set for every command that reads any."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intarsia.io import ReadOptions

HEADERS = {"yes": True, "no": False, "auto": "auto"}
MISSING = ("error", "drop", "median")

_OPTIONS: dict[str, dict[str, Any]] = {
    "--label-column": {"metavar": "C", "help": "class column by name or place (0 first, -1 last), or none"},
    "--columns": {"metavar": "C,C", "help": "cluster these columns only"},
    "--drop": {"metavar": "C,C", "help": "leave these columns out"},
    "--header": {"choices": tuple(HEADERS), "help": "whether the first line names the columns (auto)"},
    "--delimiter": {"metavar": "D", "help": "between fields: a character, tab, whitespace (found out)"},
    "--decimal": {"metavar": "D", "choices": (".", ","), "help": "decimal mark, a point or a comma (.)"},
    "--key": {"metavar": "NAME", "help": "which array of an NPZ or HDF5 file"},
    "--missing": {"choices": MISSING, "help": "empty, ?, NA: refuse, drop points, put medians (error)"},
}
#: Every such option, as an attribute of the parsed arguments; None where it was not given.
NAMES = tuple(flag.removeprefix("--").replace("-", "_") for flag in _OPTIONS)


def add_reading_options(add: Callable[..., Any], *flags: str, **helps: str) -> None:
    """Add these options, or all; `helps` has other words for some."""
    for flag in flags or _OPTIONS:
        name = flag.removeprefix("--").replace("-", "_")
        details = {**_OPTIONS[flag], **({"help": helps[name]} if name in helps else {})}
        add(flag, **details)


def reading_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return those that were given, in the words of `read_points`."""
    given = {name: getattr(args, name, None) for name in NAMES}
    found = {name: value for name, value in given.items() if value is not None}
    for name in ("columns", "drop"):
        if name in found:
            found[name] = [column.strip() for column in found[name].split(",") if column.strip()]
    if "header" in found:
        found["header"] = HEADERS[found["header"]]
    return found


def table_options(args: argparse.Namespace) -> ReadOptions:
    """Return the same for tables of labels."""
    from intarsia.io import ReadOptions

    return ReadOptions(**reading_options(args))


def refuse_for_demo(args: argparse.Namespace) -> None:
    """Say that options of files are of no use for built-in data."""
    for name in reading_options(args):
        flag = "--" + name.replace("_", "-")
        raise ValueError(f"{flag} is for files; {args.data} is built in and brings its own classes")
