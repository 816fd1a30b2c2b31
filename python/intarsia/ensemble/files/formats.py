"""Which reader and writer a file's suffix calls for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from intarsia.ensemble.ensemble import Ensemble
from intarsia.ensemble.files.members import Members, make_ensemble
from intarsia.ensemble.files.npz import read_npz, write_npz
from intarsia.ensemble.files.tables import read_csv, read_parquet, write_csv, write_parquet
from intarsia.io.points import DataError, ReadOptions, one_line, refuse_url
from intarsia.io.read import STANDARD_INPUT, from_standard_input

READERS: dict[str, Callable[[Path, ReadOptions | None], Members]] = {
    ".npz": read_npz,
    ".csv": read_csv,
    ".csv.gz": read_csv,
    ".tsv": read_csv,
    ".tsv.gz": read_csv,
    ".txt": read_csv,
    ".txt.gz": read_csv,
    ".data": read_csv,
    ".dat": read_csv,
    ".parquet": read_parquet,
}

WRITERS: dict[str, Callable[[Path, Ensemble], None]] = {
    ".npz": write_npz,
    ".csv": write_csv,
    ".parquet": write_parquet,
}


def load_ensemble(paths: Sequence[str | os.PathLike[str]], options: ReadOptions | None = None) -> Ensemble:
    """Read the members of one or more files; every failure is one line that names a file."""
    found = [Path(path) for path in paths]
    contents = [read_members(path, options) for path in found]
    try:
        return make_ensemble(found, contents)
    except DataError:
        raise
    except ValueError as error:  # a point that no member knows
        raise DataError(f"{', '.join(map(str, found))}: {error}") from None


def read_members(path: Path, options: ReadOptions | None = None) -> Members:
    """Read one file; the options say how a table is to be read."""
    refuse_url(path)
    if str(path) == STANDARD_INPUT:
        return from_standard_input(lambda spooled: read_members(spooled, options))
    reader = READERS[check_suffix(path, READERS)]
    if not path.exists():
        raise DataError(f"{path}: no such file.")
    if path.is_dir():
        raise DataError(f"{path}: is a directory; needs a file.")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: the file is empty.")
    if options is not None and options.key is not None and path.suffix != ".npz":
        raise DataError(f"{path}: key={options.key} is for files of several arrays: NPZ.")
    try:
        return reader(path, options)
    except DataError:
        raise
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or one_line(error)}).") from None
    except ValueError as error:  # labels or memberships that cannot be
        raise DataError(f"{path}: {error}") from None


def save_ensemble(path: str | os.PathLike[str], ensemble: Ensemble) -> None:
    """Write an ensemble by the suffix of its path, under a temporary name first."""
    target = Path(path)
    WRITERS[check_suffix(target, WRITERS)](target, ensemble)


def check_suffix(path: Path, known: Mapping[str, object]) -> str:
    """Return the known suffix that a file name ends with, or say which ones there are."""
    name = path.name.lower()
    for suffix in known:
        if name.endswith(suffix):
            return suffix
    raise DataError(f"{path}: unknown type of ensemble file; known suffixes are {', '.join(known)}.")
