"""The executor that computes everything itself, one task after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from intarsia.executor.protocol import Result, Shared, Task, Value
from intarsia.executor.task import run_task


class SingleProcess:
    """What every executor of one process answers about ranks: there is one, and it agrees with itself."""

    rank = 0
    n_ranks = 1

    def agree(self, value: Value) -> Value:
        """See `Executor.agree`."""
        return value

    def gather(self, value: Value) -> list[Value]:
        """See `Executor.gather`."""
        return [value]

    def with_one_thread(self) -> SerialExecutor:
        """See `Executor.with_one_thread`."""
        return SerialExecutor()

    def share(self, array: NDArray[Any] | None, *, give_up: bool = False) -> NDArray[Any] | None:
        """See `Executor.share`."""
        return array

    def __deepcopy__(self, memo: dict[int, Any]) -> SingleProcess:
        return self  # a copy of an estimator computes where the estimator does


class SerialExecutor(SingleProcess):
    """Tasks one after the other in the calling thread."""

    n_workers = 1
    n_threads = 1

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """See `Executor.map`."""
        results = []
        for number, task in enumerate(tasks):
            results.append(run_task(fn, number, task, shared))
            if on_done is not None:
                on_done(len(results))
        return results
