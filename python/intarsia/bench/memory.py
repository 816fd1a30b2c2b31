"""Peak memory of one fit in a process of its own: `python -m intarsia.bench.memory REQUEST_AS_JSON`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from intarsia.bench.cases import Case, case_named, case_points, start_of
from intarsia.bench.fits import fitter, one_thread
from intarsia.bench.timing import peak_rss_mb


def peak_in_subprocess(case: Case, library: str, data_dir: Path | None, quick: bool) -> float:
    """Fit once in float64 in a fresh process and return its peak resident size in MB."""
    folder = None if data_dir is None else str(data_dir)
    request = {"case": case.name, "library": library, "data_dir": folder, "quick": quick}
    return answered_peak("intarsia.bench.memory", request)


def answered_peak(module: str, request: dict[str, Any]) -> float:
    """Let a fresh process of this module fit what is requested; return the peak in MB that it answers."""
    command = [sys.executable, "-m", module, json.dumps(request)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        name = f"{request['library']} on {request['case']}"
        raise RuntimeError(f"the memory run of {name} failed: {done.stderr.strip()}")
    return float(done.stdout)


def _answer(request: str) -> float:
    wanted = json.loads(request)
    folder = None if wanted["data_dir"] is None else Path(wanted["data_dir"])
    case = case_named(wanted["case"], wanted["quick"])
    X = case_points(case, folder)
    # from the first points only: sorting all of them would be the peak
    start = start_of(X[: 20 * case.n_clusters], case.n_clusters)
    with one_thread():
        fitter(wanted["library"], X, start)()
    return peak_rss_mb()


if __name__ == "__main__":
    print(_answer(sys.argv[1]))
