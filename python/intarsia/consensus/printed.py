"""The options that give each consensus function as its authors published it, with nothing added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CHAIN = {"start": "kmodes", "start_init": "random", "n_chains": 1, "temperature": "paper"}
#: One recursive bisection, as by the program that the authors of CSPA and MCLA give away and both papers use.
_METIS = {"metis": "published"}
_META = {**_METIS, "balance": "size", "refine_cut": False, "ties": "random"}
_METIS_ON_POINTS = {**_METIS, "merge": False}

#: `combine(ensemble, k, method, **AS_PRINTED[method])`; functions that are not named have nothing added.
AS_PRINTED: Mapping[str, Mapping[str, Any]] = {
    "cspa": _METIS_ON_POINTS,
    "scspa": {**_METIS_ON_POINTS, "alike": 0},
    "hbgf": {**_METIS_ON_POINTS, "refine_cut": False},
    "shbgf": {**_METIS_ON_POINTS, "refine_cut": False, "alike": 0, "thin": False},
    "mcla": _META,
    "smcla": {**_META, "similarity": "euclidean", "scale": "median"},
    "itk": {"init": "random", "n_init": 10},
    "kmodes": {"init": "random"},
    "mixmns": {"init": "random"},
    "qmi": {"init": "random"},
    "sa-ji": _CHAIN,
    "sa-ri": _CHAIN,
    "sa-wi": _CHAIN,
}
