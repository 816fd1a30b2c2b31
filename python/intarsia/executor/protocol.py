"""What algorithm code knows of parallelism: `map`, and nothing about who computes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from numpy.typing import NDArray

Task = TypeVar("Task")
Shared = TypeVar("Shared")
Result = TypeVar("Result")
Value = TypeVar("Value")


class Executor(Protocol):
    """Runs pure tasks and returns their results in task order.

    A task is a pure function of (task, shared): it draws its random numbers from its own task id, so the
    result does not depend on who computes it, or when.

    Attributes
    ----------
    n_workers : int
        Tasks that are computed side by side: threads of a rank times ranks.
    n_threads : int
        Threads of this rank; as many may work inside one kernel while no `map` is under way.
    rank, n_ranks : int
        Which of how many processes this is; 0 of 1 without MPI. Only rank 0 prints and writes.
    """

    n_workers: int
    n_threads: int
    rank: int
    n_ranks: int

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """Return ``[fn(task, shared) for task in tasks]``, on every rank.

        Every rank calls this with the same arguments, and goes on with the same results.

        Parameters
        ----------
        fn : callable
            Pure function of one task and the shared data.
        tasks : sequence
            What to compute, in the order of the results.
        shared : object
            Read-only data every task sees; held once, not once a task.
        on_done : callable, optional
            Called with the number of finished tasks after each one; on rank 0 only.
        """
        ...

    def agree(self, value: Value) -> Value:
        """Return rank 0's value on every rank: what a clock or a file says must not differ between ranks."""
        ...

    def gather(self, value: Value) -> list[Value]:
        """Return every rank's value, in the order of the ranks, on every rank."""
        ...

    def with_one_thread(self) -> Executor:
        """Return an executor of the same ranks whose tasks come one at a time, for tasks that use threads."""
        ...

    def share(self, array: NDArray[Any] | None, *, give_up: bool = False) -> NDArray[Any] | None:
        """Return rank 0's array, read-only and held once per node; the other ranks may pass None.

        With `give_up` nobody may look at the array that was passed any more: its memory is given back part by
        part, so that there is never a second copy of it.
        """
        ...


def on_rank_zero(executor: Executor, work: Callable[[], Value]) -> Value | None:
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
