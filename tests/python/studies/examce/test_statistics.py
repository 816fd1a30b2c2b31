"""The tests of the gaps, against hand calculation and the paper's conclusion."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy import stats

from intarsia.studies.examce import published as examce
from intarsia.studies.examce.statistics import gap_percent, statistics_sheet, summary_line, zero_gap_tests

GAPS = [-1.0, -0.5, -0.25, 0.125, -2.0, 0.0]


def test_t_test_by_hand():
    values = np.array(GAPS)
    t = values.mean() / (values.std(ddof=1) / np.sqrt(len(values)))
    assert zero_gap_tests(GAPS).t_test == pytest.approx(2 * stats.t.sf(abs(t), len(values) - 1), rel=1e-12)


def test_sign_test_by_hand():
    # one gap above zero out of five that are not zero
    assert zero_gap_tests(GAPS).sign_test == pytest.approx(2 * (comb(5, 0) + comb(5, 1)) / 2**5, rel=1e-12)


def test_signed_rank_test_by_enumeration():
    # ranks of |gap|: 0.125 has rank 1 and is the only one above zero, so W+ = 1 of the 32 sign patterns
    at_most_one = sum(
        sum(rank for rank, bit in enumerate(f"{pattern:05b}", start=1) if bit == "1") <= 1
        for pattern in range(32)
    )
    assert zero_gap_tests(GAPS).signed_rank_test == pytest.approx(2 * at_most_one / 32, rel=1e-12)


def test_gaps_within_the_printed_digits_count_as_zero():
    tests = zero_gap_tests([-0.0009, 0.0009, -0.5, -0.25])
    assert (tests.n_better, tests.n_worse) == (2, 0)
    assert tests.mean == pytest.approx(-0.1875)


def test_nothing_to_test_gives_no_p_value():
    tests = zero_gap_tests([0.0, 0.0])
    assert (tests.t_test, tests.sign_test, tests.signed_rank_test) == (None, None, None)
    assert zero_gap_tests([-1.0]).t_test is None


def test_the_papers_figures_reject_a_zero_gap_at_95_percent():
    tables = (examce.TABLE_2, examce.TABLE_3, examce.TABLE_4)
    rows = [(table, row) for table in tables for row in table.rows]
    gaps = [gap_percent(row.costs["EXAMCE"], row.best_of(table.others)[1]) for table, row in rows]
    tests = zero_gap_tests(gaps)
    assert (tests.n_better, tests.n_worse) == (21, 5)
    for p_value in (tests.t_test, tests.sign_test, tests.signed_rank_test):
        assert p_value is not None
        assert p_value < 0.05


def test_sheet_has_one_row_for_each_sample():
    sheet = statistics_sheet({"a": GAPS, "b": [0.0, 0.0]})
    assert sheet.texts()[0][:7] == ["a", "6", "-0.6042", "-0.3750", "4", "1", "1"]
    assert sheet.texts()[1][-3:] == ["–", "–", "–"]


def test_summary_counts_with_the_tolerance():
    line = summary_line([0.0009, -0.0009, 0.02, -0.3], "the paper")
    assert "on 3 of 4" in line
    assert "worst gap +0.0200 %" in line
    assert line.endswith("strictly better on 1")
