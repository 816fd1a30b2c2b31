"""Python objects as one stream of bytes, and its way between the ranks in messages that MPI can count.

A stream is a small pickle, then the arrays' own bytes, unpickled. It goes from rank to rank of
one job and never to a file.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

Stream = NDArray[np.uint8]

MESSAGE_BYTES = 2**30  # MPI counts with 31 bits
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


def allgather(comm: Any, own: Stream) -> list[Stream]:
    """Return every rank's stream on every rank, in rank order."""
    sizes = np.empty(comm.size, dtype=np.int64)
    comm.Allgather(np.array([own.size], dtype=np.int64), sizes)
    step = max(1, MESSAGE_BYTES // comm.size)
    pieces: list[list[Stream]] = [[] for _ in range(comm.size)]
    for begin in range(0, int(sizes.max()), step):
        counts = np.clip(sizes - begin, 0, step)
        received = np.empty(int(counts.sum()), dtype=np.uint8)
        comm.Allgatherv(own[begin : begin + step], (received, counts))
        for rank, piece in enumerate(np.split(received, np.cumsum(counts)[:-1])):
            pieces[rank].append(piece)
    return [np.concatenate(parts) if len(parts) != 1 else parts[0] for parts in pieces]


def broadcast(comm: Any, stream: Stream) -> None:
    """Fill every rank's stream, of the same length everywhere, from rank 0's."""
    for begin in range(0, stream.size, MESSAGE_BYTES):
        comm.Bcast(stream[begin : begin + MESSAGE_BYTES], root=0)


def broadcast_any(comm: Any, stream: Stream | None) -> Stream:
    """Return rank 0's stream on every rank; only rank 0 needs to know its length."""
    size = np.array([0 if stream is None else stream.size], dtype=np.int64)
    comm.Bcast(size, root=0)
    if comm.rank != 0 or stream is None:
        stream = np.empty(int(size[0]), dtype=np.uint8)
    broadcast(comm, stream)
    return stream


def _bytes_of(buffer: bytes | memoryview) -> Stream:
    return np.frombuffer(buffer, dtype=np.uint8)
