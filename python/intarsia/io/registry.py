"""Which reader a file's suffix calls for. A new format is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from intarsia.io.delimited import read_delimited
from intarsia.io.errors import DataError
from intarsia.io.hdf5 import read_hdf5
from intarsia.io.npy import read_npy
from intarsia.io.npz import read_npz
from intarsia.io.options import ReadOptions
from intarsia.io.parquet import read_parquet
from intarsia.io.points import Points
from intarsia.io.tsplib import read_tsplib

Reader = Callable[[Path, ReadOptions], Points]

READERS: dict[str, Reader] = {
    ".csv": read_delimited,
    ".csv.gz": read_delimited,
    ".tsv": read_delimited,
    ".tsv.gz": read_delimited,
    ".txt": read_delimited,
    ".txt.gz": read_delimited,
    ".npy": read_npy,
    ".npz": read_npz,
    ".parquet": read_parquet,
    ".h5": read_hdf5,
    ".hdf5": read_hdf5,
    ".tsp": read_tsplib,
    ".tsp.gz": read_tsplib,
}


def known_suffix(path: Path) -> str | None:
    """Return the registered suffix a file name ends with."""
    name = path.name.lower()
    return next((suffix for suffix in READERS if name.endswith(suffix)), None)


def reader_for(path: Path) -> Reader:
    """Return the reader for a file, or raise an error that lists the known suffixes."""
    suffix = known_suffix(path)
    if suffix is None:
        raise DataError(f"{path}: unknown file type; known suffixes are {', '.join(READERS)}.")
    return READERS[suffix]
