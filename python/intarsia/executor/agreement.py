"""What ranks have to agree on before they compute together: the call, and the seed where none is given."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from intarsia.executor.choose import make_executor
from intarsia.executor.protocol import Executor
from intarsia.validation import seed_from

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
