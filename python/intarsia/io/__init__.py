"""Readers and writers of data files: CSV, NPY, NPZ, Parquet, HDF5, TSPLIB; never pickle."""

from intarsia.io.points import DataError, DataWarning, Points, ReadOptions, make_points
from intarsia.io.read import read_points
from intarsia.io.writers import (
    atomic_write,
    atomic_write_bytes,
    to_json,
    write_centers,
    write_json,
    write_labels,
    write_together,
)

__all__ = [
    "DataError",
    "DataWarning",
    "Points",
    "ReadOptions",
    "atomic_write",
    "atomic_write_bytes",
    "make_points",
    "read_points",
    "to_json",
    "write_centers",
    "write_json",
    "write_labels",
    "write_together",
]
