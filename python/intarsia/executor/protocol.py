"""What algorithm code knows of parallelism: `map`, and nothing about who computes."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Shared = TypeVar("Shared")
Result = TypeVar("Result")


class Executor(Protocol):
    """Runs pure tasks and returns their results in task order.

    A task is a pure function of (task, shared): it draws its random numbers from its own task id, so the
    result does not depend on who computes it, or when.
    """

    n_workers: int

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """Return ``[fn(task, shared) for task in tasks]``.

        Parameters
        ----------
        fn : callable
            Pure function of one task and the shared data.
        tasks : sequence
            What to compute, in the order of the results.
        shared : object
            Read-only data every task sees; held once, not once a task.
        on_done : callable, optional
            Called with the number of finished tasks after each one.
        """
        ...
