"""HDF5 files, through the optional h5py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.arrays import points_from_named_arrays
from intarsia.io.points import DataError, Points, ReadOptions, require, unreadable


def read_hdf5(path: Path, options: ReadOptions) -> Points:
    """Read an HDF5 file: the data set at path `key`, or `X` (with labels `y`), or the only table in it."""
    h5py = require("h5py", "HDF5")
    try:
        with h5py.File(path, "r") as file:
            names = _dataset_names(h5py, file)

            def load(key: str) -> NDArray[Any]:
                return np.asarray(file[key][()])

            return points_from_named_arrays(path, names, load, options)
    except DataError:
        raise
    except (OSError, RuntimeError, KeyError, ValueError, MemoryError) as error:
        raise unreadable(path, "HDF5", error) from None


def _dataset_names(h5py: Any, file: Any) -> list[str]:
    """Return the paths of the data sets in the file."""
    found: list[str] = []

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and item.shape is not None:
            found.append(name)

    file.visititems(visit)
    return found
