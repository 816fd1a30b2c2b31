"""Who comes out ahead: counted in splits, beside the published count and beside chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from intarsia.studies.boosting.published import BAG, ENTROPY, MINMAX, SINGLE, ZTable

ZRow = Mapping[str, float]


@dataclass(frozen=True)
class Question:
    """What is counted in the rows of tables, and how often it would be so if methods were exchangeable."""

    text: str
    is_so: Callable[[ZRow], bool]
    chance: float


def _best_boost(z: ZRow) -> float:
    return max(z[MINMAX], z[ENTROPY])


#: Asked of tables 2 and 3, and of tables 4 and 5 too.
BOOST_OVER_SINGLE = Question(
    "a boosted partition scores above the best single one", lambda z: _best_boost(z) > z[SINGLE], 2 / 3
)
#: Asked of tables 4 and 5 only.
OF_BAGGING = (
    Question("a boosted partition scores above bagging", lambda z: _best_boost(z) > z[BAG], 2 / 3),
    Question("a boosted partition scores best", lambda z: _best_boost(z) > max(z[SINGLE], z[BAG]), 1 / 2),
    Question("bagging scores above the best single one", lambda z: z[BAG] > z[SINGLE], 1 / 2),
)


@dataclass(frozen=True)
class Count:
    """Rows for which a question is answered with yes: in each split, in the paper, and by chance."""

    question: Question
    n_rows: int
    by_split: tuple[int, ...]
    published: int

    @property
    def chance(self) -> float:
        """Rows to be expected of exchangeable methods."""
        return self.question.chance * self.n_rows

    @property
    def mean(self) -> float:
        """Rows, averaged over the splits."""
        return float(np.mean(self.by_split))

    def sentence(self) -> str:
        """Say all of it."""
        least, most = min(self.by_split), max(self.by_split)
        return (
            f"{self.question.text}: {self.mean:.1f} of {self.n_rows} on average over "
            f"{len(self.by_split)} splits ({least} to {most}); published {self.published}; "
            f"chance {self.chance:.1f}"
        )


def questions_of(table: ZTable) -> tuple[Question, ...]:
    """Return what is asked of a table."""
    return (BOOST_OVER_SINGLE, *(OF_BAGGING if BAG in table.methods else ()))


def count(question: Question, rows: Sequence[tuple[ZRow, Sequence[ZRow]]]) -> Count:
    """Count over rows, each with its published scores and those of every split."""
    by_split = zip(*([question.is_so(z) for z in splits] for _, splits in rows), strict=True)
    published = sum(question.is_so(printed) for printed, _ in rows)
    return Count(question, len(rows), tuple(sum(answers) for answers in by_split), published)
