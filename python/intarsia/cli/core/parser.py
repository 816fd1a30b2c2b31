"""The parser of every command: one-line errors in the words of the command line, help of 80 columns."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from intarsia.examce.criteria import CRITERIA

HELP_WIDTH = 79


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help text of a fixed width, whatever terminal or pipe it goes to."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{**options, "width": HELP_WIDTH, "max_help_position": 25})


class UsageError(ValueError):
    """A command line that cannot be understood."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` instead of printing its usage and leaving."""

    def __init__(self, *, example: str = "", **options: Any) -> None:
        epilog = f"example:\n{example}" if example else None
        super().__init__(formatter_class=HelpFormatter, allow_abbrev=False, epilog=epilog, **options)
        # SUPPRESS: the flag may stand before or after the subcommand without one resetting the other
        hint = "show the full traceback of an error"
        self.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=hint)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing: `main` turns every error into one line."""
        raise UsageError(f"{message}{_nearest_choice(message)} (see {self.prog} --help)")

    def refuse_unknown(self, words: Sequence[str]) -> NoReturn:
        """Raise for words that are no options of this command, with the nearest of those that are."""
        known = [flag for action in self._actions for flag in action.option_strings]
        wrong = next((word for word in words if word.startswith("-")), words[0])
        hint = _did_you_mean(wrong.partition("=")[0], known) if wrong.startswith("-") else ""
        self.error(f"unrecognized arguments: {' '.join(words)}{hint}")


def _did_you_mean(word: str, known: Sequence[str]) -> str:
    nearest = get_close_matches(word, known, n=1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def _nearest_choice(message: str) -> str:
    """Return what a wrong choice may have been meant for, from argparse's words about it."""
    found = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
    return _did_you_mean(found[1], re.findall(r"[\w+:-]+", found[2])) if found else ""


def positive_int(text: str) -> int:
    """Read a whole number of at least 1."""
    return _int_at_least(text, 1)


def non_negative_int(text: str) -> int:
    """Read a whole number of at least 0."""
    return _int_at_least(text, 0)


def non_negative_float(text: str) -> float:
    """Read a finite number of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"needs a number of at least 0, got {text!r}")
    return value


def positive_float(text: str) -> float:
    """Read a finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"needs a number above 0, got {text!r}")
    return value


def existing_folder(text: str) -> Path:
    """Read the path of a folder that is there."""
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} does not exist or is not a folder")
    return path


def shard(text: str) -> tuple[int, int]:
    """Read I/N with 1 <= I <= N."""
    index, _, n_shards = text.partition("/")
    if not (index.isdecimal() and n_shards.isdecimal() and 1 <= int(index) <= int(n_shards)):
        raise argparse.ArgumentTypeError(f"needs I/N with 1 <= I <= N, such as 1/8, got {text!r}")
    return int(index), int(n_shards)


def _int_at_least(text: str, smallest: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = smallest - 1
    if value < smallest:
        raise argparse.ArgumentTypeError(f"needs a whole number of at least {smallest}, got {text!r}")
    return value


def whole_range(text: str) -> tuple[int, int]:
    """Read `5` or `5-12`."""
    low, _, high = text.partition("-")
    bounds = (_int_at_least(low, 1), _int_at_least(high or low, 1))
    if bounds[0] > bounds[1]:
        raise argparse.ArgumentTypeError(f"needs the smaller number first, got {text!r}")
    return bounds


def clusters(text: str) -> int | tuple[int, int] | None:
    """Read `5` as a number, `5-12` as both ends of a range and `none` as any number."""
    if text == "none":
        return None
    return whole_range(text) if "-" in text.lstrip("-") else _int_at_least(text, 1)


def number_or_share(text: str) -> int | float:
    """Read a whole number of at least 1, or a share of more than 0 and at most 1 with a decimal point."""
    if "." not in text:
        return _int_at_least(text, 1)
    share = positive_float(text)
    if share > 1:
        raise argparse.ArgumentTypeError(f"needs a whole number or a share of at most 1.0, got {text!r}")
    return share


def named_value(text: str) -> tuple[str, bool | int | float | str]:
    """Read `name=value`; the value is a truth value, a number or text."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"needs NAME=VALUE, got {text!r}")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    for read in (int, float):
        try:
            return name, read(value)
        except ValueError:
            continue
    return name, value


_OWN_NAMES = {
    "n_clusters": "-k",
    "k": "-k",
    "random_state": "--seed",
    "seed": "--seed",
    "sample_weight": "--weights",
    "n_threads": "--threads",
    "n_base_runs": "--base-runs",
    "n_swaps": "--swaps",
    "aggregate_params": "--option",
    "n_members": "--members",
    "max_rounds": "--rounds",
    "n_rounds": "--rounds",
    "n_repeats": "--repeats",
    "n_resamples": "--resamples",
    "n_samples": "number of points",
}
_SAME_NAMES = (
    "aggregate", "base", "bootstrap", "checkpoint", "checkpoint_every", "columns", "cooling", "criterion",
    "data_dir", "decimal", "delimiter", "drop", "effort", "features", "first_guess", "header", "hyperplanes",
    "init", "k_range", "key", "label_column", "log_base", "max_iter", "max_size", "method", "methods",
    "min_size", "missing", "overlap", "overlap_cost", "projection", "quality", "round_clusters", "select",
    "sigma", "soft", "solver", "subsample", "t_min", "tau", "time_limit", "tol", "uncovered_cost", "votes",
)  # fmt: skip
_OF_CRITERIA = {setting.name: setting.option for row in CRITERIA.values() for setting in row.settings[::-1]}
#: What each parameter is called on the command line.
OPTIONS = {**{name: "--" + name.replace("_", "-") for name in _SAME_NAMES}, **_OF_CRITERIA, **_OWN_NAMES}
_SWITCHES = {"True": "yes", "False": "no"}

# not inside a path such as year=2019/x.csv, nor the full stop of a sentence
_NAMED_VALUE = re.compile(
    rf"(?<![\w/=-])({'|'.join(OPTIONS)})=(\[[^\]]*\]|'[^']*'|[^\s;:(),/]*[^\s;:(),./])(?!\S*/)"
)


# a parameter without a value; names that are words too stay as they are
_NAMED = re.compile(rf"(?<![\w/=.-])({'|'.join(name for name in OPTIONS if '_' in name)})(?![\w/=.-]\S)")


def in_options(message: str) -> str:
    """Return a message of the library in the words of the command line: `-k 0` for `n_clusters=0`."""
    told = _NAMED_VALUE.sub(lambda found: f"{OPTIONS[found[1]]} {_value(found[1], found[2])}", message)
    return _NAMED.sub(lambda found: OPTIONS[found[1]], told)


def _value(name: str, text: str) -> str:
    if name == "header":
        return _SWITCHES.get(text, text.strip("'"))
    if text.startswith("["):
        return ",".join(part.strip().strip("'") for part in text.strip("[]").split(","))
    plain = text.strip("'")
    return f"'{plain}'" if not plain or re.search(r"[\s;,|]", plain) else plain
