"""What every executor of a single process answers about ranks: there is one, and it agrees with itself."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from intarsia.executor.protocol import Value


class Alone:
    """Rank 0 of 1."""

    rank = 0
    n_ranks = 1

    def agree(self, value: Value) -> Value:
        """See `Executor.agree`."""
        return value

    def share(self, array: NDArray[Any] | None) -> NDArray[Any] | None:
        """See `Executor.share`."""
        return array
