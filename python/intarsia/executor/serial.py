"""The executor that computes everything itself, one task after the other."""

from collections.abc import Callable, Sequence

from intarsia.executor.alone import Alone
from intarsia.executor.protocol import Result, Shared, Task
from intarsia.executor.task import run_task


class SerialExecutor(Alone):
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
