"""What `intarsia fit` asks of a method and what it gets back."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Lines = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FitTask:
    """The points to cluster, scaled and in their precision, and the settled options."""

    X: NDArray[Any]
    weights: NDArray[np.float64] | None
    args: argparse.Namespace


@dataclass(frozen=True)
class Outcome:
    """The partition, the method's own facts for JSON, and its own lines for people."""

    labels: NDArray[np.int32]
    centers: NDArray[Any]
    cost: float
    facts: dict[str, Any]
    lines: Lines
    interrupted: bool = False
