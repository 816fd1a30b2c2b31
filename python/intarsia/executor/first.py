"""Work that only rank 0 does, such as reading a file: its failure is everybody's."""

from __future__ import annotations

import pickle
from collections.abc import Callable

from intarsia.executor.protocol import Executor, Value


def on_first(executor: Executor, work: Callable[[], Value]) -> Value | None:
    """Return ``work()`` on rank 0 and None elsewhere; an exception there is raised on every rank."""
    value, error = None, None
    if executor.rank == 0:
        try:
            value = work()
        except Exception as failure:
            error = failure
    agreed = executor.agree(None if error is None else _portable(error))
    if error is not None:
        raise error
    if agreed is not None:
        raise agreed
    return value


def _portable(error: Exception) -> Exception:
    # an exception with arguments of its own may not survive the way to another rank
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(str(error))
    return error
