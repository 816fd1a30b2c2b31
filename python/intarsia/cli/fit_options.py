"""The options of `intarsia fit` that belong to some methods only: defaults, owners, refusals."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intarsia.cli.methods import BASE_METHODS
from intarsia.cli.parser import (
    Parser,
    UsageError,
    non_negative_float,
    non_negative_int,
    positive_float,
    positive_int,
    shard,
)

EXAMCE = ("examce",)
SWAP = ("random-swap",)

EFFORTS = ("paper", "default", "high")
SOLVERS = ("auto", "highs", "lp")
INITS = ("random", "k-means++")


@dataclass(frozen=True)
class Option:
    """One option: its flag, the methods that take it, what it is when not given, and argparse's details.

    `instead` ends the refusal for another method, which stands in it as {method}.
    """

    flag: str
    owners: tuple[str, ...]
    default: Any
    details: dict[str, Any] = field(default_factory=dict)
    instead: str = ", not for {method}"

    @property
    def name(self) -> str:
        """The attribute of the parsed arguments."""
        return self.flag.lstrip("-").replace("-", "_")

    def refusal(self, method: str) -> str:
        """Say why a method does not take it."""
        return f"{self.flag} is for {', '.join(self.owners)}{self.instead.format(method=method)}"


def _number(read: Any, metavar: str, help: str) -> dict[str, Any]:
    return {"type": read, "metavar": metavar, "help": help}


EXAMCE_OPTIONS = (
    Option("--effort", EXAMCE, "default", {"choices": EFFORTS, "help": "how long to search (default)"}),
    Option(
        "--base-runs",
        EXAMCE,
        None,
        _number(positive_int, "N", "base runs (150, fewer on large data)"),
        "; {method} takes --runs",
    ),
    Option("--base", EXAMCE, "kmeans", {"choices": BASE_METHODS, "help": "base clusterer (kmeans)"}),
    Option("--solver", EXAMCE, "auto", {"choices": SOLVERS, "help": "of the cover (auto)"}),
    Option("--tau", EXAMCE, 10, _number(non_negative_int, "N", "points by which clusters grow, shrink (10)")),
    Option("--min-size", EXAMCE, None, _number(positive_int, "N", "least points in a cluster (1)")),
    Option("--max-size", EXAMCE, None, _number(positive_int, "N", "most points in a cluster (any)")),
    Option("--time-limit", EXAMCE, None, _number(positive_float, "S", "seconds; the result may not repeat")),
    Option("--checkpoint", EXAMCE, None, {"type": Path, "metavar": "DIR", "help": "keep checkpoints there"}),
    Option("--checkpoint-every", EXAMCE, 60.0, _number(positive_float, "S", "seconds between them (60)")),
    Option("--resume", EXAMCE, False, {"action": "store_true", "help": "go on from the last checkpoint"}),
    Option("--shard", EXAMCE, None, _number(shard, "I/N", "make this share of the base runs only")),
)

BASE_OPTIONS = (
    Option(
        "--runs",
        BASE_METHODS,
        10,
        _number(positive_int, "R", "runs, of which the best counts (10)"),
        "; {method} takes --base-runs",
    ),
    Option("--init", BASE_METHODS, "random", {"choices": INITS, "help": "starting centres (random)"}),
    Option("--swaps", SWAP, 1000, _number(positive_int, "N", "swaps of random-swap (1000)")),
    Option("--max-iter", BASE_METHODS, 1000, _number(positive_int, "N", "most iterations of a run (1000)")),
    Option("--tol", BASE_METHODS, 0.0, _number(non_negative_float, "X", "0 means to convergence (0)")),
    Option(
        "--float32",
        BASE_METHODS,
        False,
        {"action": "store_true", "help": "compute in single precision"},
        "; {method} computes in double precision",
    ),
)


def add_options(parser: Parser) -> None:
    """Add a group for each kind of method; an option that is not given leaves no trace."""
    for owners, options in ((EXAMCE, EXAMCE_OPTIONS), (BASE_METHODS, BASE_OPTIONS)):
        group = parser.add_argument_group(f"options of {', '.join(owners)}")
        for option in options:
            group.add_argument(option.flag, default=argparse.SUPPRESS, **option.details)


def settle_options(args: argparse.Namespace) -> None:
    """Refuse options of other methods, then fill in what was not given."""
    for option in (*EXAMCE_OPTIONS, *BASE_OPTIONS):
        given = hasattr(args, option.name)
        if given and args.method not in option.owners:
            raise UsageError(option.refusal(args.method))
        if not given:
            setattr(args, option.name, option.default)
    _check_together(args)


def _check_together(args: argparse.Namespace) -> None:
    if args.resume and args.checkpoint is None:
        raise UsageError("--resume needs --checkpoint DIR")
    if args.shard is not None and args.out is None:
        raise UsageError("--shard needs --out DIR")
    if args.shard is not None and (args.checkpoint is not None or args.time_limit is not None):
        raise UsageError("--shard goes without --checkpoint and --time-limit")
