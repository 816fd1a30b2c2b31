"""Where data come from besides files: standard input does, the web does not."""

from __future__ import annotations

import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from intarsia.io.points import DataError

T = TypeVar("T")

STANDARD_INPUT = "-"
_CALLED = "standard input"
# what a file of a kind begins with; anything else is text
_BEGINNINGS = {
    b"\x93NUMPY": ".npy",
    b"PK\x03\x04": ".npz",
    b"PAR1": ".parquet",
    b"\x89HDF": ".h5",
    b"\x1f\x8b": ".csv.gz",
    b"NAME": ".tsp",
}
_URL = re.compile(r"(https?|ftp|s3|gs|file):/", re.IGNORECASE)


def refuse_url(path: Path | str) -> None:
    """Say that an address is none: nothing is fetched from the web."""
    if _URL.match(str(path)):
        raise DataError(f"{path}: is an address, not a file; download it first (curl -O) and name the file.")


def from_standard_input(read: Callable[[Path], T]) -> T:
    """Read standard input by way of a file, since formats are read in several passes."""
    content = _standard_input()
    if not content.strip():
        raise DataError(f"{_CALLED}: is empty.")
    suffix = next((kind for begin, kind in _BEGINNINGS.items() if content.startswith(begin)), ".csv")
    with tempfile.TemporaryDirectory(prefix="intarsia-") as folder:
        spooled = Path(folder) / f"stdin{suffix}"
        spooled.write_bytes(content)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found = read(spooled)
            except DataError as error:
                raise DataError(str(error).replace(str(spooled), _CALLED)) from None
    for warning in caught:
        text = str(warning.message).replace(str(spooled), _CALLED)
        warnings.warn(text, warning.category, stacklevel=2)
    return found


@cache
def _standard_input() -> bytes:
    return sys.stdin.buffer.read()  # it can be read but once, and is sometimes tried as two kinds of file
