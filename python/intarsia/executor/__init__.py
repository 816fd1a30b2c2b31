"""Who computes: the same tasks, spread over nobody, threads or (later) ranks."""

from intarsia.executor.protocol import Executor
from intarsia.executor.serial import SerialExecutor
from intarsia.executor.threads import ThreadExecutor, make_executor, resolve_threads

__all__ = ["Executor", "SerialExecutor", "ThreadExecutor", "make_executor", "resolve_threads"]
