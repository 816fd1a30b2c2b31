"""The options that say which points a command reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from intarsia.cli.parser import Parser, existing_folder

SCALES = ("none", "standard", "minmax")


def add_data_options(parser: Parser) -> Callable[..., Any]:
    """Add them as a group; return what adds more to it."""
    add = parser.add_argument_group("data").add_argument
    add("data", metavar="DATA", help="file (CSV, NPY, NPZ, Parquet, HDF5, TSPLIB) or demo:NAME")
    add("--label-column", metavar="C", help="class column, by name or number; never clustered")
    add("--scale", choices=SCALES, default="none", help="scale each feature")
    add("--data-dir", type=existing_folder, metavar="D", help="folder to look for named data sets")
    return add
