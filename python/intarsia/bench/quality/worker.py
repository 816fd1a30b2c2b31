"""One method on one instance in a process of its own: `python -m intarsia.bench.quality.worker REQUEST`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from intarsia.bench.measure import peak_rss_mb
from intarsia.bench.quality.instances import Instance, instance_points
from intarsia.bench.quality.rivals import RIVALS, warm_up
from intarsia.bench.quality.run_file import Run

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


@dataclass(frozen=True)
class Request:
    """One method, instance and seed, the CPU budgets to report, and the threads it may use."""

    instance: str
    n_clusters: int
    method: str
    seed: int
    budgets: tuple[float, ...]
    data_dir: str | None = None
    n_threads: int = 1


def run_all(requests: Sequence[Request], jobs: int) -> Iterator[list[Run]]:
    """Yield the runs of each request as it ends, `jobs` processes side by side."""
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(in_fresh_process, request) for request in requests]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:  # when interrupted, what has not begun never does
            pool.shutdown(cancel_futures=True)


def in_fresh_process(request: Request) -> list[Run]:
    """Answer a request in a new process; a process that fails leaves runs that say so."""
    limits = dict.fromkeys(_THREAD_VARIABLES, str(request.n_threads))
    command = [sys.executable, "-m", "intarsia.bench.quality.worker", json.dumps(asdict(request))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **limits})
    if done.returncode != 0:
        return [_failed(request, budget, done) for budget in request.budgets]
    return [Run(**fields) for fields in json.loads(done.stdout)]


def answer(request: Request) -> list[Run]:
    """Measure in this process."""
    instance, rival = Instance(request.instance, request.n_clusters), RIVALS[request.method]
    X = instance_points(instance, None if request.data_dir is None else Path(request.data_dir))
    warm_up(rival, request.n_threads)
    marks = rival.marks(X, instance.n_clusters, request.seed, request.budgets, request.n_threads)
    who = (request.instance, request.n_clusters, request.method, request.seed)
    return [Run(*who, **asdict(mark), peak_mb=peak_rss_mb()) for mark in marks]


def _failed(request: Request, budget: float, done: subprocess.CompletedProcess[str]) -> Run:
    words = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
    who = (request.instance, request.n_clusters, request.method, request.seed)
    return Run(*who, budget, status=f"failed: {words[0]}")


def _quietly(work: Callable[[Request], list[Run]], request: Request) -> list[Run]:
    # a compiled peer prints on file descriptor 1, where our answer goes
    answer_to = os.dup(1)
    os.dup2(2, 1)
    try:
        return work(request)
    finally:
        sys.stdout.flush()
        os.dup2(answer_to, 1)


def main(text: str) -> None:
    """Answer the request on stdout."""
    fields = json.loads(text)
    request = Request(**{**fields, "budgets": tuple(fields["budgets"])})
    print(json.dumps([asdict(run) for run in _quietly(answer, request)]))


if __name__ == "__main__":
    main(sys.argv[1])
