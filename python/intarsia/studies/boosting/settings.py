"""What to run: splits, numbers of clusters, single runs; and the small form of everything."""

from __future__ import annotations

from dataclasses import dataclass

from intarsia.metrics.validity import N_PAIRS
from intarsia.studies.boosting.published import N_SINGLE, ZTable
from intarsia.studies.common import StudySettings

N_SPLITS, QUICK_SPLITS = 6, 2
QUICK_SINGLE, QUICK_PAIRS, QUICK_CLUSTERS = 4, 1000, 2
QUICK_DATA = ("banana", "figure-8")
RAW, STANDARD = "raw", "standardised"
#: Runs with other seeds of the two figures that are not the paper's.
N_SEEDS, QUICK_SEEDS = 20, 2
SHAPE_SEEDS = 5
WEIGHT_DATA = ("clouds", "page_blocks")


@dataclass(frozen=True)
class BoostingStudySettings(StudySettings):
    """Settings of the study.

    --quick needs no data files: two splits of the generated sets, two numbers of clusters, raw features.
    """

    splits: int | None = None

    @property
    def n_splits(self) -> int:
        """Random splits into training and test set."""
        return self.splits or (QUICK_SPLITS if self.quick else N_SPLITS)

    @property
    def n_single(self) -> int:
        """Single runs, of which the best on the training set counts."""
        return QUICK_SINGLE if self.quick else N_SINGLE

    @property
    def n_pairs(self) -> int:
        """Pairs that connectivity looks at."""
        return QUICK_PAIRS if self.quick else N_PAIRS

    @property
    def n_seeds(self) -> int:
        """Seeds of the figure of weights."""
        return QUICK_SEEDS if self.quick else N_SEEDS

    @property
    def shape_seeds(self) -> int:
        """Seeds of the figure of shapes."""
        return QUICK_SEEDS if self.quick else SHAPE_SEEDS

    @property
    def features(self) -> tuple[str, ...]:
        """How features are scaled."""
        return (RAW,) if self.quick else (RAW, STANDARD)

    @property
    def weight_data(self) -> tuple[str, ...]:
        """Data of the figure of weights."""
        return ("banana",) if self.quick else WEIGHT_DATA

    def rows(self, table: ZTable) -> list[tuple[str, int]]:
        """Return data sets and numbers of clusters of a table's rows."""
        if not self.quick:
            return list(table.rows)
        return [row for row in table.rows if row[0] in QUICK_DATA][:QUICK_CLUSTERS]
