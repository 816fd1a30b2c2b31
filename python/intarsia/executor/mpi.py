"""All that intarsia asks of MPI, in one place: the only importer of mpi4py."""

from __future__ import annotations

import atexit
import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, ClassVar

import numpy as np
from mpi4py import MPI

from intarsia.executor.parcel import Stream
from intarsia.executor.shared_names import forget_meeting_places
from intarsia.launch import launched_ranks

_DRAWN, _DONE, _FAILED, _ASKED = range(4)  # the counters that rank 0 keeps for all
_WORD = 8


class World:
    """The ranks of this job: who they are, what they count together, how they end.

    Only the thread that asked for the world calls its methods: any level of MPI's thread support does.
    """

    current: ClassVar[World | None] = None

    def __init__(self) -> None:
        self.comm = MPI.COMM_WORLD.Dup()
        self.rank: int = self.comm.rank
        self.n_ranks: int = self.comm.size
        self.node = self.comm.Split_type(MPI.COMM_TYPE_SHARED, key=self.rank)
        first_of_node = self.node.rank == 0
        leaders = self.comm.Split(0 if first_of_node else MPI.UNDEFINED, key=self.rank)
        self.leaders = leaders if first_of_node else None
        self.cores_a_rank = self._cores_a_rank()
        self._failing = self.comm.Dup()
        self._counters = self._make_counters()
        if first_of_node:  # every rank has arrived here: none looks for the others any more
            forget_meeting_places()
        self.n_draws = self.n_finished = 0  # what the counters will be when every `map` so far is over
        self.task_failed = False  # here; tasks are not shared, so the other ranks know nothing of it
        self.when_asked_to_stop: Callable[[], None] | None = None  # on rank 0, told of a signal to another
        self._shared: list[Any] = []  # a window must outlive the arrays that look at it

    def _cores_a_rank(self) -> int:
        # The union counts a node's cores right whether or not the launcher bound each rank to its own.
        cores: set[int] = set().union(*self.node.allgather(_own_cores()))
        return max(1, len(cores) // int(self.node.size))

    def _make_counters(self) -> Any:
        window = MPI.Win.Allocate(4 * _WORD if self.rank == 0 else 0, _WORD, comm=self.comm)
        if self.rank == 0:
            np.frombuffer(window.tomemory(), dtype=np.int64)[:] = 0
        self.comm.Barrier()
        window.Lock_all()
        return window

    def sum_over_ranks(self, value: int) -> int:
        """Return the sum of every rank's value, on every rank."""
        return int(self.comm.allreduce(value))

    def draw(self) -> int:
        """Return the next task number that nobody has, counted over the life of the job."""
        return self._add(_DRAWN, 1)

    def count_done(self) -> None:
        """Count one finished task."""
        self._add(_DONE, 1)

    def n_done(self) -> int:
        """Return how many tasks were ever finished by all ranks; asking also lets MPI serve the others."""
        self.comm.Iprobe()
        return self._add(_DONE, 0)

    def _add(self, counter: int, amount: int) -> int:
        before = np.empty(1, dtype=np.int64)
        self._counters.Fetch_and_op(np.array([amount], dtype=np.int64), before, 0, counter, MPI.SUM)
        self._counters.Flush(0)
        return int(before[0])

    def node_memory(self, n_bytes: int) -> Stream:
        """Return zeroed bytes that all ranks of a node see."""
        held = max(1, n_bytes) if self.node.rank == 0 else 0
        window = MPI.Win.Allocate_shared(held, 1, comm=self.node)
        self._shared.append(window)
        memory, _ = window.Shared_query(0)
        return np.frombuffer(memory, dtype=np.uint8)[:n_bytes]

    def settle_node(self) -> None:
        """Wait until what the node's first rank wrote is seen by all its ranks."""
        self._shared[-1].Fence()

    def everyone_fails(self, seconds: float) -> bool:
        """Whether all ranks call this within so many seconds: then the error is nobody's own."""
        if self.task_failed:
            return False
        met, last = self._failing.Ibarrier(), time.monotonic() + seconds
        while not met.Test():
            if time.monotonic() > last:
                return False
            time.sleep(0.01)
        return True

    def first_to_fail(self) -> bool:
        """Whether no other rank asked this before: one message is enough."""
        return self._add(_FAILED, 1) == 0

    def ask_to_stop(self) -> None:
        """Let rank 0 know that this rank was told to end."""
        self._add(_ASKED, 1)

    def serve(self) -> None:
        """On rank 0, hear what other ranks ask for."""
        if self.when_asked_to_stop is not None and self._add(_ASKED, 0) > 0:
            self.when_asked_to_stop()
            self.when_asked_to_stop = None

    def abort(self, code: int) -> None:
        """End every rank of the job."""
        sys.stdout.flush()
        sys.stderr.flush()
        self.comm.Abort(code)

    def close(self) -> None:
        """Give the counters back, all ranks together; some MPIs complain about windows that are left."""
        met = self.comm.Ibarrier()
        while not met.Test():
            time.sleep(0.01)
        self._counters.Unlock_all()
        self._counters.Free()


def the_world() -> World | None:
    """Return the world of this job, made at the first call; None when this is its only rank."""
    if World.current is None and _several_ranks():
        World.current = World()
        _end_all_on_error(World.current)
        atexit.register(World.current.close)
    return World.current


def _several_ranks() -> bool:
    if not MPI.Is_initialized():  # whoever imported it first did not want it
        return False
    started, seen = launched_ranks() or 1, MPI.COMM_WORLD.size
    if started > 1 and seen == 1:
        raise ValueError(
            f"{started} processes were started, but MPI sees each one alone: use the launcher of the MPI "
            "that mpi4py was built with (for srun: --mpi=pmi2 or --mpi=pmix)."
        )
    return bool(seen > 1)


def _own_cores() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _end_all_on_error(world: World) -> None:
    # Otherwise the other ranks would wait for this one for ever.
    report = sys.excepthook

    def end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        report(kind, error, trace)
        world.abort(1)

    sys.excepthook = end
