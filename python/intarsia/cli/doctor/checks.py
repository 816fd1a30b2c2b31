"""The questions that `intarsia doctor` asks, each answered without raising."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from intarsia import __version__


@dataclass(frozen=True)
class Finding:
    """One answer: a name, a text, and whether all is well."""

    name: str
    text: str
    ok: bool = True
    required: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {"text": self.text, "ok": self.ok, "required": self.required}


def all_findings() -> list[Finding]:
    """Ask every question, in the order of the report."""
    needed = ("numpy", "scipy", "scikit-learn", "highspy", "pymetis")
    extras = ("pyarrow", "h5py", "matplotlib", "mtkahypar")
    return [
        Finding("intarsia", __version__),
        Finding("python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        *(_package(name, required=name in needed) for name in needed + extras),
        _answer("mpi", _mpi, required=False),
        _answer("compiler", _compiler),
        _answer("simd", _simd),
        _answer("threads", _threads),
        _answer("k-means check", _check_kmeans),
        _answer("HiGHS check", _check_highs),
    ]


def _package(name: str, *, required: bool) -> Finding:
    try:
        return Finding(name, version(name), required=required)
    except PackageNotFoundError:
        return Finding(name, "not installed", ok=False, required=required)


def _answer(name: str, question: Callable[[], str], *, required: bool = True) -> Finding:
    # a doctor that falls over on the illness it should report helps nobody
    try:
        return Finding(name, question(), required=required)
    except ModuleNotFoundError as error:
        return Finding(name, f"{error.name} is not installed", ok=False, required=required)
    except Exception as error:
        text = " ".join(str(error).split()) or type(error).__name__
        return Finding(name, text, ok=False, required=required)


def _mpi() -> str:
    module = import_module("mpi4py")
    module.rc.initialize = False  # its version is known without starting it
    library = import_module("mpi4py.MPI").Get_library_version().strip("\0\n ").splitlines()[0]
    return f"mpi4py {module.__version__}, {library}"


def _compiler() -> str:
    return str(_core().build_info())


def _simd() -> str:
    return str(_core().simd_level())


def _threads() -> str:
    from intarsia.executor import resolve_threads

    usable, cores = _core().max_threads(), os.cpu_count()
    return f"{resolve_threads(None)} used by default; {usable} usable of {cores} cores"


def _check_kmeans() -> str:
    from intarsia.base.kmeans import KMeans

    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 20)
    X = np.array([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0]])[truth] + rng.standard_normal((60, 2))
    labels = KMeans(3, init=X[[0, 20, 40]], n_threads=1).fit(X).labels_
    if not np.array_equal(labels, truth):
        raise RuntimeError("k-means missed three clear blobs")
    return "three blobs found"


def _check_highs() -> str:
    from intarsia.solver import LinearProgram, highs_version, solve_lp

    # at most 5 of two things of which there are 4 each: the corner 4, 1
    limits = {
        "lower": np.zeros(2),
        "upper": np.full(2, 4.0),
        "row_lower": np.zeros(1),
        "row_upper": np.full(1, 5.0),
    }
    starts, index = np.array([0, 1, 2], dtype=np.int32), np.zeros(2, dtype=np.int32)
    costs = np.array([-2.0, -1.0])
    found = solve_lp(LinearProgram(costs, **limits, starts=starts, index=index, values=np.ones(2)))
    if abs(found.value + 9) > 1e-9:
        raise RuntimeError(f"HiGHS found {found.value:g} where the optimum is -9")
    return f"HiGHS {highs_version()}: a small linear program solved"


def _core() -> Any:
    # by name: a broken extension must become an answer, not an import error of this file
    return import_module("intarsia._core")
