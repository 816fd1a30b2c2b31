"""The words of the command line: the library names its parameters in messages, a command its options."""

from __future__ import annotations

import re

_OWN_NAMES = {
    "n_clusters": "-k",
    "random_state": "--seed",
    "n_threads": "--threads",
    "n_base_runs": "--base-runs",
    "n_swaps": "--swaps",
    "n_members": "--members",
    "max_rounds": "--rounds",
    "n_rounds": "--rounds",
    "n_repeats": "--repeats",
    "n_samples": "number of points",
}
_SAME_NAMES = (
    "aggregate", "base", "bootstrap", "checkpoint", "checkpoint_every", "columns", "data_dir", "decimal",
    "delimiter", "drop", "effort", "features", "header", "hyperplanes", "init", "k_range", "key",
    "label_column", "log_base", "max_iter", "max_size", "method", "methods", "min_size", "missing",
    "projection", "quality", "round_clusters", "select", "soft", "solver", "subsample", "tau", "time_limit",
    "tol", "votes",
)  # fmt: skip
#: What each parameter is called on the command line.
OPTIONS = {**{name: "--" + name.replace("_", "-") for name in _SAME_NAMES}, **_OWN_NAMES}
_SWITCHES = {"True": "yes", "False": "no"}

# not inside a path such as year=2019/x.csv, nor the full stop of a sentence
_NAMED_VALUE = re.compile(
    rf"(?<![\w/=-])({'|'.join(OPTIONS)})=(\[[^\]]*\]|'[^']*'|[^\s;:(),/]*[^\s;:(),./])(?!\S*/)"
)


def in_options(message: str) -> str:
    """Return a message of the library in the words of the command line: `-k 0` for `n_clusters=0`."""
    return _NAMED_VALUE.sub(lambda found: f"{OPTIONS[found[1]]} {_value(found[1], found[2])}", message)


def _value(name: str, text: str) -> str:
    if name == "header":
        return _SWITCHES.get(text, text.strip("'"))
    if text.startswith("["):
        return ",".join(part.strip().strip("'") for part in text.strip("[]").split(","))
    plain = text.strip("'")
    return f"'{plain}'" if not plain or re.search(r"[\s;,|]", plain) else plain
