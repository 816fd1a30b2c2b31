"""Who computes: the same tasks, spread over nobody, threads or the ranks of an MPI job."""

from intarsia.executor.choose import (
    executor_for_runs,
    find_world,
    make_executor,
    resolve_threads,
    use_executor,
)
from intarsia.executor.local import Listening, SerialExecutor, ThreadExecutor, is_wanted, run_cancellable
from intarsia.executor.protocol import Executor, on_rank_zero
from intarsia.launch import joined_world

__all__ = [
    "Executor",
    "Listening",
    "SerialExecutor",
    "ThreadExecutor",
    "executor_for_runs",
    "find_world",
    "is_wanted",
    "joined_world",
    "make_executor",
    "on_rank_zero",
    "resolve_threads",
    "run_cancellable",
    "use_executor",
]
