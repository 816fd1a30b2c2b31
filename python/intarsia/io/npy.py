"""NumPy's single-array files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from intarsia.io.arrays import points_from_array
from intarsia.io.errors import unreadable
from intarsia.io.options import ReadOptions
from intarsia.io.points import Points


def read_npy(path: Path, options: ReadOptions) -> Points:
    """Read an NPY file; object arrays are refused because reading them would run pickled code."""
    try:
        with open(path, "rb") as stream:
            array = np.lib.format.read_array(stream, allow_pickle=False)
    except (ValueError, EOFError, MemoryError, SyntaxError) as error:
        raise unreadable(path, "NPY", error) from None
    return points_from_array(path, array, options)
