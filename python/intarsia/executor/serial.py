"""The executor that computes everything itself, one task after the other."""

from collections.abc import Callable, Sequence

from intarsia.executor.protocol import Result, Shared, Task


class SerialExecutor:
    """Tasks one after the other in the calling thread."""

    n_workers = 1

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """See `Executor.map`."""
        results = []
        for task in tasks:
            results.append(fn(task, shared))
            if on_done is not None:
                on_done(len(results))
        return results
