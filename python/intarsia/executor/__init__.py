"""Who computes: the same tasks, spread over nobody, threads or the ranks of an MPI job."""

from intarsia.executor.choose import (
    executor_for_runs,
    find_world,
    make_executor,
    resolve_threads,
)
from intarsia.executor.first import on_first
from intarsia.executor.protocol import Executor
from intarsia.executor.serial import SerialExecutor
from intarsia.executor.spmd import MpiExecutor
from intarsia.executor.threads import ThreadExecutor
from intarsia.launch import joined_world

__all__ = [
    "Executor",
    "MpiExecutor",
    "SerialExecutor",
    "ThreadExecutor",
    "executor_for_runs",
    "find_world",
    "joined_world",
    "make_executor",
    "on_first",
    "resolve_threads",
]
