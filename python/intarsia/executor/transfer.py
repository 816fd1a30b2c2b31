"""Streams of any length between the ranks of a communicator, in messages that MPI can count."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia.executor.parcel import Stream

MESSAGE_BYTES = 2**30  # MPI counts with 31 bits


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
