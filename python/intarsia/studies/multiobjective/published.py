"""Published figures of paper 4 (Law, Topchy, Jain, Multiobjective Data Clustering, 2004).

Table 1 is the parameters of the algorithms; what the synthetic sets were clustered with stands in the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: The classes of figure 5 in their order: that of the data set's own description.
SEGMENTATION_CLASSES = ("BRICKFACE", "SKY", "FOLIAGE", "CEMENT", "WINDOW", "PATH", "GRASS")
#: Figure 5 (a): rows are classes, columns the seven clusters, points of no cluster, points of several. The
#: last row is read from the shape of the others: our text of it has one number too many.
SEGMENTATION_7 = (
    (126, 134, 0, 8, 2, 0, 0, 56, 4),
    (0, 0, 330, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 179, 27, 1, 6, 117, 0),
    (0, 0, 10, 2, 260, 11, 0, 20, 27),
    (0, 0, 0, 125, 19, 54, 38, 87, 7),
    (0, 0, 0, 0, 330, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 1, 328, 1, 0),
)
#: Figure 5 (b): the same of the four clusters found when their number was free.
SEGMENTATION_FREE = (
    (0, 6, 324, 0, 0, 0),
    (330, 0, 0, 0, 0, 0),
    (0, 27, 284, 6, 13, 0),
    (10, 287, 33, 0, 0, 0),
    (0, 26, 266, 38, 0, 0),
    (0, 330, 0, 0, 0, 0),
    (0, 0, 1, 328, 1, 0),
)


@dataclass(frozen=True)
class Case:
    """One data set of the study.

    Attributes
    ----------
    name, data : str
        Its name here, and where its points are.
    n_clusters : int
        The fixed number of clusters, and the first guess of a free one.
    algorithms : mapping
        Grids of parameters, by base clusterer.
    min_size : int or float
        Least points of a candidate, or their share.
    published : mapping
        What the paper has for a fixed number of clusters ("fixed") and a free one ("free").
    tables : mapping
        Published confusion tables of the same.
    classes : tuple of str
        The order of the classes in those tables.
    standard : bool
        Whether features are standardised.
    reading : mapping
        How the file is read.
    """

    name: str
    data: str
    n_clusters: int
    algorithms: Mapping[str, Mapping[str, Any]]
    min_size: float
    published: Mapping[str, str]
    tables: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    standard: bool = False
    reading: Mapping[str, Any] = field(default_factory=dict)


def _em(*counts: int) -> dict[str, Any]:
    # full covariances from k-means, to convergence: the reading that reproduces
    return {"n_clusters": counts, "tol": [1e-6], "max_iter": [1000]}


_DERMATOLOGY = (4, 5, 6, 7, 8, 9, 10, 12)
_SEGMENTATION = (5, 6, 7, 8, 9, 10, 11, 12, 14)

CASES: dict[str, Case] = {
    case.name: case
    for case in (
        Case(
            "three",
            "demo:spirals-and-blob",
            3,
            {
                "kmeans": {"n_clusters": range(2, 7)},
                "single-link": {"n_clusters": [5, 10, 15, 20]},
                "spectral": {"n_clusters": [3], "sigma": [0.2, 0.3, 0.5]},
            },
            5,
            {"fixed": "all three clusters"},
        ),
        Case(
            "seven",
            "demo:seven-shapes",
            7,
            {
                "kmeans": {"n_clusters": range(4, 9)},
                "gmm": _em(4, 6, 8, 10),
                "single-link": {"n_clusters": [40]},
                "spectral": {"n_clusters": [7], "sigma": [0.1, 0.3, 0.5, 0.7]},
            },
            10,
            {"fixed": "all seven clusters", "free": "the same seven"},
        ),
        Case(
            "iris",
            "iris",
            3,
            {
                "gmm": _em(3, 4, 5),
                "kmeans": {"n_clusters": range(3, 7)},
                "single-link": {"n_clusters": [10, 20, 30]},
                "spectral": {"n_clusters": [3], "sigma": [0.2, 0.25]},
            },
            5,
            {"fixed": "2 errors", "free": "2 clusters"},
        ),
        Case(
            "dermatology",
            "dermatology",
            6,
            {
                "gmm": _em(*_DERMATOLOGY),
                "kmeans": {"n_clusters": _DERMATOLOGY},
                "single-link": {"n_clusters": [20, 40]},
                "spectral": {"n_clusters": [6, 7, 8], "sigma": [1.0, 1.4, 1.8]},
            },
            5,
            {"fixed": "19 errors", "free": "two classes joined"},
            reading={"drop": ["f33"]},  # the age, which is missing for some
        ),
        Case(
            "segmentation",
            "segmentation",
            7,
            {
                "gmm": _em(*_SEGMENTATION),
                "kmeans": {"n_clusters": _SEGMENTATION},
                "single-link": {"n_clusters": [400, 450, 500]},
                "spectral": {"n_clusters": [7, 9, 11, 13], "sigma": [3.0, 5.0, 7.0]},
            },
            0.02,
            {"fixed": "figure 5 (a)", "free": "4 clusters, figure 5 (b)"},
            {"fixed": SEGMENTATION_7, "free": SEGMENTATION_FREE},
            SEGMENTATION_CLASSES,
            standard=True,
            reading={"drop": ["f2"]},  # constant
        ),
    )
}
