"""Which reader and writer a file's suffix calls for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from intarsia.ensemble.files.delimited import read_csv, write_csv
from intarsia.ensemble.files.npz import read_npz, write_npz
from intarsia.ensemble.files.parquet import read_parquet, write_parquet
from intarsia.io.errors import DataError, one_line

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble

READERS: dict[str, Callable[[Path], Ensemble]] = {
    ".npz": read_npz,
    ".csv": read_csv,
    ".csv.gz": read_csv,
    ".tsv": read_csv,
    ".txt": read_csv,
    ".parquet": read_parquet,
}

WRITERS: dict[str, Callable[[Path, Ensemble], None]] = {
    ".npz": write_npz,
    ".csv": write_csv,
    ".parquet": write_parquet,
}


def load_ensemble(path: str | os.PathLike[str]) -> Ensemble:
    """Read an ensemble; every failure is one line that names the file."""
    found = Path(path)
    reader = READERS[check_suffix(found, READERS)]
    if not found.exists():
        raise DataError(f"{found}: no such file.")
    if found.is_dir():
        raise DataError(f"{found}: is a directory; needs a file.")
    if found.stat().st_size == 0:
        raise DataError(f"{found}: the file is empty.")
    try:
        return reader(found)
    except DataError:
        raise
    except OSError as error:
        raise DataError(f"{found}: cannot be read ({error.strerror or one_line(error)}).") from None
    except ValueError as error:  # what `Ensemble` refuses
        raise DataError(f"{found}: {error}") from None


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
