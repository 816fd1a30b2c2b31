"""Whether this process is one of several that a launcher started, and how all of them end; no MPI needed.

``INTARSIA_MPI=0`` in the environment makes every process compute for itself, whoever started it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import NoReturn, Protocol

# Open MPI; MPICH, Intel MPI, srun --mpi=pmi2; MVAPICH2; srun. Not SLURM_NTASKS: batch scripts have that too.
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID")
_SWITCH = "INTARSIA_MPI"
_FIRST_SPEAKS = 2.0  # seconds: an error of all ranks ends the first one within this, and the job with it
_LAUNCHER_ANSWERS = 2.0
_LAUNCHER_READS = 2.0  # seconds: what it has not read of our pipes when the job ends, it throws away
# MPICH's launcher and Slurm's take no notice of a process that leaves before MPI_Init; this they understand
_ABORT = "cmd=init pmi_version=1 pmi_subversion=1\ncmd=abort exitcode={}\n"


def may_have_ranks() -> bool:
    """Whether MPI is worth asking: several processes, or a launcher that does not say how many."""
    if switched_off():
        return False
    n_ranks = launched_ranks()
    return "PMIX_RANK" in os.environ if n_ranks is None else n_ranks > 1


def switched_off(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the user wants no MPI."""
    return environment.get(_SWITCH, "") == "0"


def launched_ranks() -> int | None:
    """Return how many processes the launcher started; None if it does not say."""
    return _first_number(_SIZES, os.environ)


def launched_rank() -> int:
    """Return which of them this is; 0 when it was started by itself."""
    return (rank_in(os.environ) or 0) if may_have_ranks() else 0


def rank_in(environment: Mapping[str, str]) -> int | None:
    """Return the rank that a launcher left in the environment of some process."""
    return _first_number(_RANKS, environment)


def compute_alone() -> None:
    """From now on this process works without the others."""
    os.environ[_SWITCH] = "0"


def _first_number(names: tuple[str, ...], environment: Mapping[str, str]) -> int | None:
    for name in names:
        value = environment.get(name, "")
        if value.isdigit():
            return int(value)
    return None


class JoinedRanks(Protocol):
    """The ranks of a job that have met: who this one is, and how all of them end."""

    rank: int
    n_ranks: int

    def everyone_fails(self, seconds: float) -> bool:
        """Whether all ranks call this within so many seconds: then the error is nobody's own."""
        ...

    def first_to_fail(self) -> bool:
        """Whether no other rank asked this before: one message is enough."""
        ...

    def abort(self, code: int) -> None:
        """End every rank of the job."""
        ...


_joined: JoinedRanks | None = None


def joined_world() -> JoinedRanks | None:
    """Return the ranks of this job once they have met."""
    return _joined


def note_joined(ranks: JoinedRanks) -> None:
    """Remember that the ranks have met."""
    global _joined
    _joined = ranks


def fail_alone(message: str, code: int) -> NoReturn:
    """Say why this rank fails and end the job; should the first rank fail alike, its word is enough."""
    if launched_rank() > 0:
        time.sleep(_FIRST_SPEAKS)
    say(f"rank {launched_rank()}: {message}")
    end_job(code)


def say(message: str) -> None:
    """Write a line to stderr, where the reason belongs why a program ends."""
    print(f"intarsia: {message}", file=sys.stderr, flush=True)


def end_job(code: int) -> NoReturn:
    """End this process and every other one of the job, whatever they are doing, from whatever thread."""
    if threading.current_thread() is threading.main_thread():  # in another one it might wait for this
        sys.stdout.flush()
    sys.stderr.flush()
    _wait_until_read(1, 2)
    door = os.environ.get("PMI_FD", "")
    if may_have_ranks() and door.isdigit():
        with contextlib.suppress(OSError):
            os.write(int(door), _ABORT.format(code).encode())
            time.sleep(_LAUNCHER_ANSWERS)
    if _joined is not None:
        _joined.abort(code)
    os._exit(code)


def _wait_until_read(*descriptors: int) -> None:
    """Wait until the launcher has our last words: it drops what is in a pipe when it ends a job."""
    last = time.monotonic() + _LAUNCHER_READS
    for descriptor in descriptors:
        with contextlib.suppress(OSError, ImportError):  # closed, or a system that cannot be asked
            while _unread(descriptor) and time.monotonic() < last:
                time.sleep(0.001)


def _unread(descriptor: int) -> int:
    """Return how many bytes nobody has read yet, where that can be known: in a pipe."""
    import fcntl
    import termios

    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return 0
    answer = fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4))
    return int.from_bytes(answer, sys.byteorder)


def end_job_on_error() -> None:
    """Let an error that ends this process end the job: the other ranks would wait for it for ever."""
    report = sys.excepthook

    def end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        report(kind, error, trace)
        if may_have_ranks():
            fail_alone(" ".join(f"{kind.__name__}: {error}".split()), 130 if kind is KeyboardInterrupt else 1)

    sys.excepthook = end
