"""The runs of a benchmark in a CSV file that grows line by line, so that an interrupted one can go on."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from intarsia.io.writers import atomic_write

Key: TypeAlias = tuple[str, int, str, int, float]


@dataclass(frozen=True)
class Run:
    """What one method found on one instance from one seed within one budget of CPU seconds."""

    instance: str
    n_clusters: int
    method: str
    seed: int
    budget: float
    cost: float = math.nan
    cpu_s: float = math.nan
    wall_s: float = math.nan
    n_runs: int = 0
    status: str = "done"
    peak_mb: float = math.nan

    @property
    def label(self) -> str:
        """The instance as it is written on the command line."""
        return f"{self.instance}:{self.n_clusters}"

    @property
    def key(self) -> Key:
        """What was asked for."""
        return (self.instance, self.n_clusters, self.method, self.seed, self.budget)

    @property
    def has_failed(self) -> bool:
        """Whether there is no result."""
        return math.isnan(self.cost)


COLUMNS = tuple(field.name for field in fields(Run))
_READ: dict[str, Any] = {"str": str, "int": int, "float": float}
_READERS = {field.name: _READ[str(field.type)] for field in fields(Run)}


class RunFile:
    """Runs in memory and, if a path is given, in a file."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.runs: dict[Key, Run] = {}
        if path is not None and path.exists():
            # a failed run is tried again
            self.runs = {run.key: run for run in read_runs(path) if not run.has_failed}
            _rewrite(path, self.runs.values())

    def add(self, runs: Iterable[Run]) -> None:
        """Remember runs and append them to the file at once."""
        new = list(runs)
        self.runs.update({run.key: run for run in new})
        if self._path is not None:
            append_runs(self._path, new)


def read_runs(path: Path) -> list[Run]:
    """Read the runs of a file; a last line that was cut off by an interruption is left out."""
    with path.open(newline="") as file:
        lines = csv.DictReader(file)
        if tuple(lines.fieldnames or ()) != COLUMNS:
            raise ValueError(f"{path}: needs the columns {','.join(COLUMNS)} of a benchmark's runs.")
        return [_run(line) for line in lines if None not in line.values()]


def append_runs(path: Path, runs: Iterable[Run]) -> None:
    """Append runs, under a header if the file is new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists() or path.stat().st_size == 0
    with path.open("a", newline="") as file:
        _write(file, runs, with_header=is_new)


def _rewrite(path: Path, runs: Iterable[Run]) -> None:
    # without it the next line would be glued to one that was cut off
    with atomic_write(path) as stream:
        _write(stream, runs, with_header=True)


def _write(stream: TextIO, runs: Iterable[Run], with_header: bool) -> None:
    writer = csv.DictWriter(stream, COLUMNS)
    if with_header:
        writer.writeheader()
    writer.writerows(asdict(run) for run in runs)


def _run(line: dict[str, str]) -> Run:
    return Run(**{name: read(line[name]) for name, read in _READERS.items()})
