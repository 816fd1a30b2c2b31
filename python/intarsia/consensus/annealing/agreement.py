"""Mean agreement of a partition with an ensemble: what annealing and refining maximise."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import Ensemble
from intarsia.validation import check_option

MEASURES: dict[str, _core.Measure] = {
    "corrected-rand": _core.Measure.CORRECTED_RAND,
    "jaccard": _core.Measure.JACCARD,
    "wallace": _core.Measure.WALLACE,
    "nmi": _core.Measure.NMI,
}
DEFAULT_MEASURE = "corrected-rand"


class CountedEnsemble(NamedTuple):
    """An ensemble as the compiled counting takes it."""

    labels: Labels
    n_classes: Ids
    member_weights: Floats
    point_weights: Ids

    @classmethod
    def of(cls, ensemble: Ensemble) -> CountedEnsemble:
        """Return the hard labels (the most likely ones of soft members) and the weights.

        Members' weights are real: weights of the mean over members. Points' weights are counts of equal
        points, because pairs are counted exactly.
        """
        return cls(
            np.ascontiguousarray(ensemble.labels, dtype=np.int32),
            np.ascontiguousarray(ensemble.n_classes, dtype=np.int64),
            np.ascontiguousarray(ensemble.member_weights),
            _counts(ensemble.point_weights),
        )


def mean_agreement(ensemble: Any, labels: ArrayLike, measure: str = DEFAULT_MEASURE) -> float:
    """Return the mean over members of their agreement with a partition.

    Parameters
    ----------
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        The members; points that a member does not label are left out of its agreement.
    labels : int array of shape (n_samples,)
        The partition.
    measure : str
        `corrected-rand`, `jaccard`, `wallace` (geometric mean) or `nmi` (geometric mean).
    """
    given = ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
    check_option("measure", measure, tuple(MEASURES))
    partition, k = check_partition(labels, given.n_samples)
    return _core.mean_agreement(*CountedEnsemble.of(given), partition, k, MEASURES[measure])


def check_partition(labels: ArrayLike, n_samples: int) -> tuple[Labels, int]:
    """Return labels numbered from 0 without gaps, and how many there are."""
    given = np.asarray(labels)
    if given.shape != (n_samples,):
        raise ValueError(f"labels.shape={given.shape} should be ({n_samples},).")
    values, codes = np.unique(given, return_inverse=True)
    return codes.reshape(-1).astype(np.int32), len(values)


def _counts(point_weights: Floats) -> Ids:
    if (point_weights == 1).all():
        return np.empty(0, dtype=np.int64)
    counts = point_weights.astype(np.int64)
    if (counts != point_weights).any():
        at = int(np.argmax(counts != point_weights))
        raise ValueError(f"point_weights[{at}]={point_weights[at]:g} should be a whole number.")
    return counts
