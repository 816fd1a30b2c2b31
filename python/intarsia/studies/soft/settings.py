"""What to run: the user's settings, and the ensembles that follow from tables 1.5 and 1.6."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from intarsia.studies.common import StudySettings
from intarsia.studies.soft.published import DATA_SETS, TOUGH_MEMBERS, DataSet

N_ENSEMBLES, N_RUNS = 3, 2
#: Of --quick: small data sets, the fewest and the most features, two numbers of members.
QUICK_DATA = ("8d5k", "vowel", "glass")
QUICK_MEMBERS = (3, 8)


@dataclass(frozen=True)
class Case:
    """One ensemble: its data, the features each member sees, its members, and which of several it is."""

    data: str
    n_features: int
    n_members: int
    number: int

    @property
    def is_tough(self) -> bool:
        """Whether it has few members, each seeing the fewest features."""
        return self.n_features == DATA_SETS[self.data].seen_features[0] and self.n_members in TOUGH_MEMBERS


@dataclass(frozen=True)
class SoftStudySettings(StudySettings):
    """Settings of the study; --quick takes three small data sets and a few ensembles of each.

    Attributes
    ----------
    ensembles : int or None
        Different ensembles of each setting at most; None: 3, or 1 if quick.
    runs : int or None
        Runs of each method on an ensemble, whose scores are averaged; None: 2, or 1 if quick.
    every : int
        Every so many numbers of members, from 2 on: a fraction of the study.
    data : tuple of str
        The data sets to run; none named: all, or three if quick.
    """

    ensembles: int | None = None
    runs: int | None = None
    every: int = 1
    data: tuple[str, ...] = ()

    @property
    def n_ensembles(self) -> int:
        """Ensembles of each setting."""
        return self.ensembles or (1 if self.quick else N_ENSEMBLES)

    @property
    def n_runs(self) -> int:
        """Runs of each method on an ensemble."""
        return self.runs or (1 if self.quick else N_RUNS)

    def data_sets(self) -> dict[str, DataSet]:
        """Return the data sets to run."""
        wanted = self.data or (QUICK_DATA if self.quick else tuple(DATA_SETS))
        return {name: one for name, one in DATA_SETS.items() if name in wanted}

    def cases(self, names: Iterable[str]) -> list[Case]:
        """Return every ensemble of these data sets, those of one data set and feature number in a row.

        There are no more of a setting than its pool has different choices of members.
        """
        return [
            Case(name, n_features, n_members, number)
            for name in names
            for n_features in self._seen_features(name)
            for n_members in self._sizes(name)
            for number in range(min(self.n_ensembles, comb(DATA_SETS[name].pool_size, n_members)))
        ]

    def _seen_features(self, name: str) -> tuple[int, ...]:
        seen = DATA_SETS[name].seen_features
        return (seen[0], seen[-1]) if self.quick else seen

    def _sizes(self, name: str) -> tuple[int, ...]:
        return QUICK_MEMBERS if self.quick else tuple(range(2, DATA_SETS[name].pool_size + 1, self.every))
