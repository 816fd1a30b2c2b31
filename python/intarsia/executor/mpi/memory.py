"""Arrays that change places without ever being there twice."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

_STEP = 2**24  # bytes that are there twice
_LEAST = 2**26  # bytes: below, the C library may keep an array among others


def move_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy an array that nobody will read again, giving its memory back to the system on the way."""
    if not _may_vanish(source):
        np.copyto(target, source)
        return
    there, here = target.reshape(-1).view(np.uint8), source.reshape(-1).view(np.uint8)
    for begin in range(0, here.size, _STEP):
        part = here[begin : begin + _STEP]
        there[begin : begin + _STEP] = part
        _give_back(part)


def _may_vanish(array: NDArray[Any]) -> bool:
    # a view's memory may be somebody else's, and what holds objects may not lose them
    owner = array if array.base is None else array.base  # reshaped by whoever read it, perhaps
    if type(owner) is not np.ndarray or not owner.flags.owndata or owner.nbytes != array.nbytes:
        return False
    is_plain = array.flags.c_contiguous and not array.dtype.hasobject
    return is_plain and array.nbytes >= _LEAST and sys.platform == "linux"


def _give_back(part: NDArray[np.uint8]) -> None:
    # only whole pages: those at the ends may hold something else too
    first = -(-part.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
    after = (part.ctypes.data + part.size) // mmap.PAGESIZE * mmap.PAGESIZE
    if after > first:
        ctypes.CDLL(None).madvise(ctypes.c_void_p(first), ctypes.c_size_t(after - first), mmap.MADV_DONTNEED)
