"""Which executor fits the way this process was started, and how many threads it may use."""

from __future__ import annotations

import os
import sys
from numbers import Integral
from typing import TYPE_CHECKING

from intarsia.executor.protocol import Executor
from intarsia.executor.serial import SerialExecutor
from intarsia.executor.task import inside_task
from intarsia.executor.threads import ThreadExecutor
from intarsia.launch import launched_ranks, may_have_ranks, switched_off

if TYPE_CHECKING:
    from intarsia.executor.mpi.world import World


def make_executor(n_threads: int | None = None) -> Executor:
    """Return an executor for this many threads (see `resolve_threads`), on all ranks of an MPI job.

    Under an MPI launcher every rank has to ask for one, and to call its `map` with the same arguments.
    """
    if inside_task():
        return SerialExecutor()  # the other workers have tasks of their own
    world = find_world()
    n_workers = resolve_threads(n_threads)
    if world is not None:
        from intarsia.executor.mpi.executor import MpiExecutor  # not without a launcher

        return MpiExecutor(world, n_workers)
    return SerialExecutor() if n_workers == 1 else ThreadExecutor(n_workers)


def use_executor(executor: Executor | None, n_threads: int | None = None) -> Executor:
    """Return the executor that a caller has given, or one made for this many threads."""
    if executor is None or inside_task():  # a task must not ask its own executor for help
        return make_executor(n_threads)
    return executor


def executor_for_runs(
    n_runs: int, n_threads: int | None = None, executor: Executor | None = None
) -> tuple[Executor, int]:
    """Return an executor for so many runs and the threads inside each: one, if the runs keep all busy."""
    everybody = use_executor(executor, n_threads)
    if n_runs >= everybody.n_workers:
        return everybody, 1
    return everybody.with_one_thread(), everybody.n_threads


def resolve_threads(n_threads: int | None) -> int:
    """Return the number of threads to use, on each rank.

    ``None`` (or -1, as scikit-learn says) asks the scheduler (``SLURM_CPUS_PER_TASK``), then
    ``OMP_NUM_THREADS``, then takes every processor this process may run on, or its share of the
    node's when there are several ranks.
    """
    if n_threads is None or n_threads == -1:
        return _scheduled_threads() or _usable_cores()
    if isinstance(n_threads, bool) or not isinstance(n_threads, Integral):
        raise TypeError(f"n_threads={n_threads!r} should be a whole number >= 1 or None.")
    if n_threads < 1:
        raise ValueError(f"n_threads={n_threads} should be >= 1.")
    return int(n_threads)


def find_world() -> World | None:
    """Return the ranks of this job; None when it has one. Without a launcher mpi4py is not imported."""
    if switched_off() or not (may_have_ranks() or "mpi4py.MPI" in sys.modules):
        return None
    try:
        from intarsia.executor.mpi.world import the_world
    except (ImportError, RuntimeError) as error:  # RuntimeError: mpi4py is there, but no MPI library
        reason = " ".join(str(error).split())
        raise ValueError(
            f"{launched_ranks() or 'several'} processes were started, but MPI cannot be used ({reason}): "
            "pip install intarsia[mpi], or set INTARSIA_MPI=0 to let each compute for itself."
        ) from None
    return the_world()


def _scheduled_threads() -> int | None:
    for name in ("SLURM_CPUS_PER_TASK", "OMP_NUM_THREADS"):
        value = os.environ.get(name, "")
        if value.isdigit() and int(value) > 0:
            return int(value)
    return None


def _usable_cores() -> int:
    world = None if inside_task() else find_world()
    if world is not None:
        return world.cores_a_rank
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
