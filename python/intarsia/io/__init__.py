"""Readers and writers of data files: CSV, NPY, NPZ, Parquet, HDF5, TSPLIB; never pickle."""

from intarsia.io.errors import DataError
from intarsia.io.find import find_data
from intarsia.io.points import Points, make_points
from intarsia.io.read import read_points
from intarsia.io.writers import atomic_write, atomic_write_bytes, write_centers, write_json, write_labels

__all__ = [
    "DataError",
    "Points",
    "atomic_write",
    "atomic_write_bytes",
    "find_data",
    "make_points",
    "read_points",
    "write_centers",
    "write_json",
    "write_labels",
]
