"""Which executor fits the way this process was started, and what its ranks agree on before they compute."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from intarsia.executor.local import SerialExecutor, ThreadExecutor, inside_task
from intarsia.executor.protocol import Executor
from intarsia.launch import launched_ranks, may_have_ranks, switched_off
from intarsia.validation import seed_from

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


#: Parameters of estimators that may differ between ranks: who computes, and who is told.
_OWN = ("n_threads", "executor", "callback")


def agreed_seed(random_state: Any, executor: Executor | None = None) -> int:
    """Return a seed that is the same on every rank: a number itself, else what rank 0 draws.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        As in scikit-learn; a number needs no message.
    executor : Executor, optional
        Whose ranks have to agree; by default all of this job.
    """
    seed = seed_from(random_state)
    if isinstance(random_state, Integral):
        return seed
    return (executor or make_executor(1)).agree(seed)


def check_same_call(executor: Executor, function: str, /, **given: Any) -> None:
    """Refuse, on every rank, calls whose arguments differ between ranks.

    Ranks that compute different things together would wait for each other for ever, or mix their results.
    Numbers and text are compared as they are, arrays by a checksum, other objects by their types.
    """
    if executor.n_ranks == 1:
        return
    calls = executor.gather((function, {name: _told(value) for name, value in given.items()}))
    for rank, call in enumerate(calls):
        if call != calls[0]:
            raise ValueError(f"{_difference(calls[0], call, rank)}: every rank should be given the same.")


def check_same_fit(executor: Executor, estimator: Any, **data: Any) -> None:
    """Refuse, on every rank, fits whose parameters or data differ between ranks."""
    if executor.n_ranks > 1:
        params = estimator.get_params(deep=False)
        shared = {name: value for name, value in params.items() if name not in _OWN}
        check_same_call(executor, type(estimator).__name__, **shared, **data)


def _told(value: Any) -> str:
    if isinstance(value, np.ndarray):
        what = repr(value.tolist()) if value.dtype.hasobject else checksum(value)
        return f"an array of {value.dtype} {value.shape} {what}"
    if value is None or isinstance(value, str | bool | Integral | Real):
        return repr(value)
    if isinstance(value, Mapping):
        return str({name: _told(value[name]) for name in sorted(value)})
    if isinstance(value, Sequence):
        return str([_told(item) for item in value])
    return f"a {type(value).__module__}.{type(value).__qualname__}"


def checksum(array: np.ndarray[Any, Any]) -> str:
    """Return a short name for the bytes of an array."""
    return f"{zlib.crc32(np.ascontiguousarray(array).view(np.uint8).data):08x}"


def _difference(first: tuple[str, dict[str, str]], other: tuple[str, dict[str, str]], rank: int) -> str:
    (called, given), (there, given_there) = first, other
    if called != there:
        return f"rank 0 calls {called} and rank {rank} {there}"
    name = next(name for name in {**given, **given_there} if given.get(name) != given_there.get(name))
    return f"{called}: {name} is {given.get(name)} on rank 0 and {given_there.get(name)} on rank {rank}"
