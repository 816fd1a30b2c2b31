"""Gaps between costs, and the paper's three tests: is that to the previously best known solutions zero?

The paper speaks of the absolute gap. Per cent are what its tests must be about: on its own figures all
three reject at 95 % for gaps in per cent, while the t-test does not for differences of costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from intarsia.report.sheet import Column, Sheet

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


@dataclass(frozen=True)
class GapTests:
    """Two-sided tests of the hypothesis that gaps have mean or median zero.

    A p-value is None where the test says nothing: fewer than two gaps or all equal (t-test), or no gap
    that differs from zero (sign test, signed-rank test).
    """

    n: int
    mean: float
    median: float
    n_better: int
    n_worse: int
    t_test: float | None
    sign_test: float | None
    signed_rank_test: float | None


def zero_gap_tests(gaps: Sequence[float]) -> GapTests:
    """Test gaps in per cent; gaps within the tolerance count as zero."""
    values = np.array([gap if is_better(gap) or is_worse(gap) else 0.0 for gap in gaps])
    n_better, n_worse = int((values < 0).sum()), int((values > 0).sum())
    return GapTests(
        n=len(values),
        mean=float(values.mean()),
        median=float(np.median(values)),
        n_better=n_better,
        n_worse=n_worse,
        t_test=_t_test(values),
        sign_test=_sign_test(n_better, n_worse),
        signed_rank_test=_signed_rank_test(values),
    )


def statistics_sheet(samples: dict[str, Sequence[float]]) -> Sheet:
    """Return the tests of several named samples of gaps as one table."""
    rows = tuple((name, *_cells(zero_gap_tests(gaps))) for name, gaps in samples.items())
    return Sheet("statistics", "Is the gap zero? Two-sided p-values", COLUMNS, rows)


COLUMNS = (
    Column("gaps of"),
    Column("n", "d"),
    Column("mean %", "+.4f"),
    Column("median %", "+.4f"),
    Column("better", "d"),
    Column("equal", "d"),
    Column("worse", "d"),
    Column("t-test", ".2g"),
    Column("sign test", ".2g"),
    Column("signed-rank test", ".2g"),
)


def _cells(tests: GapTests) -> tuple[float | None, ...]:
    n_equal = tests.n - tests.n_better - tests.n_worse
    counts = (tests.n_better, n_equal, tests.n_worse)
    p_values = (tests.t_test, tests.sign_test, tests.signed_rank_test)
    return (tests.n, tests.mean, tests.median, *counts, *p_values)


def _t_test(values: NDArray[np.float64]) -> float | None:
    if len(values) < 2 or np.ptp(values) == 0.0:
        return None
    return float(stats.ttest_1samp(values, 0.0).pvalue)


def _sign_test(n_better: int, n_worse: int) -> float | None:
    if n_better + n_worse == 0:
        return None
    return float(stats.binomtest(n_better, n_better + n_worse, 0.5).pvalue)


def _signed_rank_test(values: NDArray[np.float64]) -> float | None:
    nonzero = values[values != 0.0]  # Wilcoxon's rule for ties with zero; what is left has an exact p-value
    return float(stats.wilcoxon(nonzero).pvalue) if nonzero.size else None
