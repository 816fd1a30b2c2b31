"""MPI_Init with open eyes: ranks that wait there for one that never comes say so and end the job.

The only importer of mpi4py, which would call MPI_Init on import, deaf and blind until all ranks have come.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import mpi4py

from intarsia.launch import end_job, launched_rank, rank_in, say, switched_off

_USERS_OWN = "mpi4py.MPI" in sys.modules  # then the program decides when MPI begins and ends
if not _USERS_OWN:
    mpi4py.rc.initialize = False
    mpi4py.rc.finalize = True

from mpi4py import MPI  # noqa: E402  (after its settings)

__all__ = ["MPI", "start_mpi"]

_LOOK_EVERY = 0.25  # seconds
_LOOKS = 4  # that agree: a sibling may be between two programs, or hidden for a moment
_LONGEST_WAIT = 600.0  # seconds, INTARSIA_MPI_WAIT: large jobs on slow disks take minutes to start
_MPICH_LAUNCHER = "hydra_pmi_proxy"
_JOB = ("PMI_SIZE", "PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEP_ID")  # alike in all ranks of a job

Siblings = dict[int, bool]  # rank: whether it computes for itself


def start_mpi() -> bool:
    """Call MPI_Init if nobody has; whether MPI is there to be used."""
    if not _USERS_OWN and not MPI.Is_initialized():
        with _watching_the_others():
            _init()
        for comm in (MPI.COMM_WORLD, MPI.COMM_SELF):  # as mpi4py does it
            comm.Set_errhandler(MPI.ERRORS_RETURN)
    return bool(MPI.Is_initialized())


def _init() -> None:
    # by ctypes, which lets other threads work meanwhile, as mpi4py does not
    library = ctypes.CDLL(MPI.__file__)
    if not hasattr(library, "MPI_Init_thread"):
        MPI.Init_thread()
        return
    provided = ctypes.c_int()
    if library.MPI_Init_thread(None, None, MPI.THREAD_MULTIPLE, ctypes.byref(provided)) != MPI.SUCCESS:
        raise RuntimeError("MPI_Init failed")


@contextmanager
def _watching_the_others() -> Iterator[None]:
    met = threading.Event()
    threading.Thread(target=_watch, args=(met,), name="ranks to come", daemon=True).start()
    try:
        yield
    finally:
        met.set()


def _watch(met: threading.Event) -> None:
    longest = float(os.environ.get("INTARSIA_MPI_WAIT", _LONGEST_WAIT))
    last = time.monotonic() + longest
    known, n_bad_looks = _siblings(), 0
    while not met.wait(_LOOK_EVERY):
        now = _siblings()
        trouble = _who_will_not_come(known, now)
        n_bad_looks = n_bad_looks + 1 if trouble else 0
        if n_bad_looks == _LOOKS:
            _give_up(trouble, now)
        if time.monotonic() > last:
            _give_up(f"the other ranks have not come within {longest:g} s (INTARSIA_MPI_WAIT)", now)
        known |= now


def _who_will_not_come(known: Siblings, now: Siblings) -> str:
    gone = sorted(known.keys() - now.keys())
    # one that computes for itself may be done before anybody has looked twice
    alone = [*(rank for rank in now if now[rank]), *(rank for rank in gone if known[rank])]
    if alone:
        return f"rank {alone[0]} computes for itself (INTARSIA_MPI=0): set it for all ranks or for none"
    if gone:
        return f"rank {gone[0]} ended before the ranks had met"
    if 0 < len(now) < _n_on_this_node():
        return "a rank ended before the ranks had met"
    return ""


def _give_up(trouble: str, now: Siblings) -> NoReturn:
    if launched_rank() != min((rank for rank, alone in now.items() if not alone), default=launched_rank()):
        time.sleep(5.0)  # one of those who wait speaks
    say(trouble)
    end_job(1)


def _siblings() -> Siblings:
    """The ranks of this node, as far as Linux shows them: processes that our parent started with a rank."""
    found = {}
    parent = Path(f"/proc/{os.getppid()}")
    try:
        children = [pid for file in parent.glob("task/*/children") for pid in file.read_text().split()]
    except OSError:
        return {}
    for pid in children:
        environment = _environment_of(pid)
        rank = rank_in(environment)
        if rank is not None and all(environment.get(name) == os.environ.get(name) for name in _JOB):
            found[rank] = switched_off(environment)
    return found


def _environment_of(pid: str) -> dict[str, str]:
    try:
        words = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    except OSError:  # it has ended, or belongs to somebody else
        return {}
    return dict(word.split("=", 1) for word in words if "=" in word)


def _n_on_this_node() -> int:
    # Only where our parent is the launcher itself its children are all the ranks of a node.
    try:
        parent = Path(f"/proc/{os.getppid()}/comm").read_text().strip()
    except OSError:
        return 0
    n_ranks = os.environ.get("MPI_LOCALNRANKS", "")
    return int(n_ranks) if parent == _MPICH_LAUNCHER and n_ranks.isdigit() else 0
