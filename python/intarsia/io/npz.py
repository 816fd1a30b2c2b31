"""NumPy's zipped files of named arrays."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.arrays import points_from_named_arrays
from intarsia.io.errors import DataError, unreadable
from intarsia.io.options import ReadOptions
from intarsia.io.points import Points

NPZ_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, ValueError, EOFError, MemoryError,
    NotImplementedError, KeyError,
)  # fmt: skip


def read_npz(path: Path, options: ReadOptions) -> Points:
    """Read an NPZ file: the array `key`, or `X` (with labels `y`), or the only table in it."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {
                name.removesuffix(".npy"): name for name in archive.namelist() if name.endswith(".npy")
            }

            def load(key: str) -> NDArray[Any]:
                with archive.open(members[key]) as stream:
                    return np.lib.format.read_array(stream, allow_pickle=False)

            return points_from_named_arrays(path, members, load, options)
    except DataError:
        raise
    except NPZ_DAMAGE as error:
        raise unreadable(path, "NPZ", error) from None
