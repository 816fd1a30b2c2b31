"""Published figures of paper 2.

Frossyniotis, Likas and Stafylopatis, A clustering method based on boosting, 2004.

Tables 2 to 5: the sum of the robust Z-scores of isolation and connectivity on the test set, as printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SINGLE, MINMAX, ENTROPY, BAG = "single", "minmax", "entropy", "bagging"
#: Runs of the base clusterer of which the one of lowest error on the training set is compared.
N_SINGLE = 20


@dataclass(frozen=True)
class DataRow:
    """A row of table 1 (and figure 8's set, from the text): cases, features, points to train on."""

    n_points: int
    n_features: int
    n_train: int


DATA: Mapping[str, DataRow] = {
    "clouds": DataRow(5000, 2, 2500),
    "phoneme": DataRow(5404, 5, 3000),
    "page_blocks": DataRow(5473, 10, 3000),
    "banana": DataRow(2000, 2, 1000),
    "figure-8": DataRow(4000, 2, 2000),
}


@dataclass(frozen=True)
class ZTable:
    """One of tables 2 to 5.

    Attributes
    ----------
    number : int
        Its number in the paper.
    base : str
        Our name of the base clusterer.
    methods : tuple of str
        Its columns.
    rows : mapping
        For each data set and number of clusters, the score of each method.
    """

    number: int
    base: str
    methods: tuple[str, ...]
    rows: Mapping[tuple[str, int], Mapping[str, float]]


def _table(number: int, base: str, methods: tuple[str, ...], text: str) -> ZTable:
    rows = {}
    for line in text.strip().splitlines():
        data, n_clusters, *scores = line.split()
        rows[data, int(n_clusters)] = dict(zip(methods, map(float, scores), strict=True))
    return ZTable(number, base, methods, rows)


THREE, FOUR = (SINGLE, MINMAX, ENTROPY), (SINGLE, MINMAX, ENTROPY, BAG)

TABLE_2 = _table(
    2,
    "kmeans",
    THREE,
    """
    clouds       3   0.501  0.548 -1.550
    clouds       4  -2.875  1.605  1.146
    clouds       5   0.626 -1.126  0.500
    clouds       6  -0.364  0.500  0.864
    phoneme      3   0.233 -0.162 -0.071
    phoneme      4   1.373  0.500 -0.873
    phoneme      5   2.077 -2.750  0.923
    phoneme      6   1.445 -3.000  1.555
    page_blocks  3  -2.353  1.331  0.980
    page_blocks  4  -0.604  0.002  0.637
    page_blocks  5   0.490  0.000  0.099
    page_blocks  6  -1.232 -0.277  1.508
    banana       3  -2.676 -0.394  2.900
    banana       4  -1.946  2.900 -0.955
    banana       5  -2.500  2.500 -0.500
    banana       6  -2.100  0.361  1.739
    """,
)

TABLE_3 = _table(
    3,
    "fcm",
    THREE,
    """
    clouds       3   2.124 -3.502  0.373
    clouds       4  -2.902  2.564  0.336
    clouds       5  -1.366  2.927 -1.562
    clouds       6   0.500  0.924 -1.758
    phoneme      3  -1.728 -0.028  1.757
    phoneme      4   0.707 -1.207  0.500
    phoneme      5  -1.602  2.973 -1.398
    phoneme      6  -1.869  3.100 -1.030
    page_blocks  3  -2.375  2.438 -0.188
    page_blocks  4  -0.104  0.000  0.174
    page_blocks  5  -2.044  0.544  1.000
    page_blocks  6  -2.929  3.000 -1.320
    banana       3  -3.038  1.970  0.992
    banana       4  -3.005  2.509  0.985
    banana       5  -1.463  2.929 -1.608
    banana       6  -0.790 -1.900  2.890
    """,
)

TABLE_4 = _table(
    4,
    "kmeans",
    FOUR,
    """
    figure-8  5  -1.617  5.000 -1.648 -0.734
    figure-8  6  -1.768  1.200  0.550 -0.233
    figure-8  7  -0.870 -0.141  1.120 -0.108
    figure-8  8  -3.500  1.534  1.910  0.055
    """,
)

TABLE_5 = _table(
    5,
    "fcm",
    FOUR,
    """
    figure-8  5  -0.144 -0.989  0.655 -0.190
    figure-8  6  -2.333  1.901  1.566 -2.000
    figure-8  7  -1.134  0.250  1.045 -0.160
    figure-8  8  -2.348  0.656  2.508 -0.566
    """,
)

TABLES = {table.number: table for table in (TABLE_2, TABLE_3, TABLE_4, TABLE_5)}
