"""The clustering instances of the quality benchmarks: data, number of clusters, best value known."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from sklearn.datasets import load_digits, make_blobs

from intarsia.arrays import Floats
from intarsia.bench.cases import Case, case_points
from intarsia.datasets import DEMOS, find_data, load
from intarsia.io import DataError
from intarsia.report.terminal import progress_bar

Row = TypeVar("Row")

_GENERATED = re.compile(r"blobs-(\d+)(?:-(\d+)(?:-std(\d+))?)?")
_GENERATED_FEATURES = 5
_DIGITS = "digits"  # scikit-learn brings them along


@dataclass(frozen=True)
class Instance:
    """Data by name and the number of clusters asked for."""

    name: str
    n_clusters: int

    @property
    def label(self) -> str:
        """The instance as it is written on the command line."""
        return f"{self.name}:{self.n_clusters}"


def parse_instance(text: str) -> Instance:
    """Read `NAME:K`, for example `u1060:100`, or `blobs-N:K`, `blobs-N-D:K` for N points of D features.

    `blobs-N-D-stdS:K` are scikit-learn's `make_blobs` with `cluster_std=S`.
    """
    name, _, k = text.rpartition(":")
    if not name or not k.isdecimal() or int(k) < 1:
        raise ValueError(f"case {text!r} should be NAME:K with a whole number K >= 1, such as u1060:100.")
    return Instance(name, int(k))


def instances(*labels: str) -> tuple[Instance, ...]:
    """Read several `NAME:K`."""
    return tuple(parse_instance(label) for label in labels)


#: Proven optimal, or the best that any search known to us has found.
BEST_KNOWN: dict[str, float] = {
    "u1060:30": 481251642.94,
    "u1060:50": 255509536.17,
    "u1060:100": 96317864.46,
    "u1060:150": 55908175.27,
    "rat575:30": 348484.13,
    "rat575:50": 195505.5,
    "rat575:100": 82442.418,
    "pcb3038:50": 98242555.0,
    "pcb3038:100": 47694825.0,
    "pcb3038:300": 13263083.52,
    "pcb3038:500": 7090575.603,
}

#: Problems whose value above is the optimum: a cost below it is an error of somebody's.
PROVEN = frozenset(
    ("u1060:30", "u1060:50", "u1060:100", "u1060:150", "rat575:100", "pcb3038:300", "pcb3038:500")
)


def instance_points(instance: Instance, data_dir: Path | None) -> Floats:
    """Return the points of a instance in C-ordered float64, without their class column."""
    generated = _GENERATED.fullmatch(instance.name)
    if generated:
        return _generate(instance, *generated.groups())
    if instance.name == _DIGITS:
        return np.asarray(load_digits().data, dtype=np.float64)
    source = f"demo:{instance.name}" if instance.name in DEMOS else instance.name
    return np.ascontiguousarray(load(source, data_dir).X, dtype=np.float64)


def _generate(instance: Instance, n: str, n_features: str | None, std: str | None) -> Floats:
    k, d = instance.n_clusters, int(n_features or _GENERATED_FEATURES)
    if std is not None:
        return np.asarray(make_blobs(int(n), d, centers=k, cluster_std=float(std), random_state=0)[0])
    return case_points(Case(instance.name, int(n), d, k), None).astype(np.float64, copy=False)


def has_data(instance: Instance, data_dir: Path | None) -> bool:
    """Whether the points can be generated or their file is found."""
    if instance.name in {*DEMOS, _DIGITS} or _GENERATED.fullmatch(instance.name):
        return True
    try:
        find_data(instance.name, data_dir)
    except DataError:
        return False
    return True


def with_data(
    cases: Sequence[str] | None, otherwise: Sequence[Instance], data_dir: Path | None
) -> tuple[tuple[Instance, ...], tuple[Instance, ...]]:
    """Return the cases that were named, else the other ones: those whose data are at hand, and the rest."""
    found, missing = split_by_data(tuple(map(parse_instance, cases)) if cases else otherwise, data_dir)
    if not found:
        raise ValueError(need_data(missing))
    return found, missing


def measure_each(bench: str, found: Sequence[Instance], measure: Callable[[Instance], Row]) -> list[Row]:
    """Return what is measured of every case, under a bar."""
    rows = []
    with progress_bar(f"bench {bench}", len(found)) as step:
        for case in found:
            rows.append(measure(case))
            step()
    return rows


def split_by_data(
    wanted: Sequence[Instance], data_dir: Path | None
) -> tuple[tuple[Instance, ...], tuple[Instance, ...]]:
    """Return the instances whose data are at hand, and the others."""
    found = {instance.name: has_data(instance, data_dir) for instance in wanted}
    return (
        tuple(instance for instance in wanted if found[instance.name]),
        tuple(instance for instance in wanted if not found[instance.name]),
    )


def need_data(missing: Sequence[Instance]) -> str:
    """Say in one line which data were not found and what to do about it."""
    names = ", ".join(dict.fromkeys(instance.name for instance in missing))
    return f"no data for {names}: left out; give --data-dir D with the files"
