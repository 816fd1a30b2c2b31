"""Gaps between costs, and the one line that sums them up."""

from __future__ import annotations

from collections.abc import Sequence

#: Costs are the same within this share: the paper prints six digits.
TOLERANCE = 1e-5


def gap_percent(cost: float, reference: float) -> float:
    """Return by how many per cent of the reference a cost is above it."""
    return 100.0 * (cost - reference) / reference


def is_worse(gap: float) -> bool:
    """Tell whether a gap in per cent is above zero by more than the tolerance."""
    return gap > 100.0 * TOLERANCE


def is_better(gap: float) -> bool:
    """Tell whether a gap in per cent is below zero by more than the tolerance."""
    return gap < -100.0 * TOLERANCE


def summary_line(gaps: Sequence[float], reference: str) -> str:
    """Return how many of the gaps are no worse and strictly better, and the worst."""
    n = len(gaps)
    no_worse = sum(not is_worse(gap) for gap in gaps)
    better = sum(is_better(gap) for gap in gaps)
    return (
        f"no worse than {reference} (relative tolerance {TOLERANCE:g}) on {no_worse} of {n}, "
        f"worst gap {max(gaps):+.4f} %, strictly better on {better}"
    )
