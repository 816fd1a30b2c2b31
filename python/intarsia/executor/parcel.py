"""Python objects as one stream of bytes: a small pickle first, then the arrays' own bytes, unpickled.

Parcels go from rank to rank of one job and never to a file.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

Stream = NDArray[np.uint8]

_WORD = 8


def pack(value: Any) -> Stream:
    """Return the value as bytes; arrays are copied once, straight into the stream."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    parts = [_bytes_of(head), *(_bytes_of(buffer.raw()) for buffer in buffers)]
    table = np.array([len(parts), *map(len, parts)], dtype=np.int64)
    return np.concatenate([table.view(np.uint8), *parts])


def unpack(stream: Stream) -> Any:
    """Return the value; its arrays own their memory, so that none keeps the whole stream alive."""
    n_parts = int(stream[:_WORD].view(np.int64)[0])
    begin = _WORD * (1 + n_parts)
    sizes = stream[_WORD:begin].view(np.int64)
    ends = begin + np.cumsum(sizes)
    parts = [stream[end - size : end] for size, end in zip(sizes, ends, strict=True)]
    return pickle.loads(parts[0].tobytes(), buffers=[part.copy() for part in parts[1:]])


def _bytes_of(buffer: bytes | memoryview) -> Stream:
    return np.frombuffer(buffer, dtype=np.uint8)
