"""Published figures of paper 5 (Lu, Peng, Xiao, From Comparing Clusterings to Combining Clusterings, 2008).

Average error rates in percent over 20 runs, as printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

OWN_METHODS = ("SA-RI", "SA-JI", "SA-WI")
N_RUNS = 20


@dataclass(frozen=True)
class ErrorTable:
    """One of tables 3 to 6.

    Attributes
    ----------
    number : int
        Its number in the paper.
    data : str
        The data set.
    n_clusters : int
        Clusters of the consensus: the number of classes.
    member_clusters : tuple of int
        Least and greatest number of clusters of a k-means member.
    rows : mapping
        For each number of members, the error of each method.
    """

    number: int
    data: str
    n_clusters: int
    member_clusters: tuple[int, int]
    rows: Mapping[int, Mapping[str, float]]


@dataclass(frozen=True)
class SingleError:
    """A row of table 2: k-means alone with as many clusters as classes."""

    data: str
    n_features: int
    n_clusters: int
    n_points: int
    error: float


def _rows(text: str) -> dict[int, dict[str, float]]:
    header, *lines = (line.split() for line in text.strip().splitlines())
    return {int(r): dict(zip(header[1:], map(float, errors), strict=True)) for r, *errors in lines}


#: The last row is in the text, not in the table.
TABLE_2 = (
    SingleError("two-spirals", 2, 2, 190, 41.5),
    SingleError("half-rings", 2, 2, 500, 26.4),
    SingleError("iris", 4, 3, 150, 21.7),
    SingleError("wine", 13, 3, 178, 8.4),
    SingleError("wine-unscaled", 13, 3, 178, 36.3),
)

TABLE_3 = ErrorTable(
    3,
    "two-spirals",
    2,
    (4, 7),
    _rows("""
        r   SA-RI SA-JI SA-WI k-modes EM   QMI  MCLA
        10  37.5  39.6  38.7  45.2    45.2 46.8 39.3
        20  35.9  37.8  37.3  43.8    44.4 47.8 37.6
        30  36.0  37.0  39.3  41.2    43.6 47.3 40.1
        40  37.6  39.7  37.6  40.8    42.2 46.9 38.4
        50  36.2  39.1  36.1  42.8    43.9 44.4 36.4
    """),
)

TABLE_4 = ErrorTable(
    4,
    "half-rings",
    2,
    (3, 5),
    _rows("""
        r   SA-RI SA-JI SA-WI k-modes EM   QMI  MCLA
        10  20.4  21.4  20.3  26.9    26.4 25.7 24.6
        20  18.5  22.5  23.5  27.7    24.4 25.3 19.9
        30  18.2  20.4  19.0  25.1    26.9 24.6 24.9
        40  17.6  17.7  19.1  28.5    27.5 25.9 23.5
        50  18.3  19.4  20.0  29.3    28.5 26.6 21.7
    """),
)

TABLE_5 = ErrorTable(
    5,
    "iris",
    3,
    (3, 5),
    _rows("""
        r   SA-RI SA-JI SA-WI k-modes EM   QMI  MCLA
        10  10.7  10.7  10.6  23.4    12.3 14.3 10.4
        20  10.6  10.9  10.8  22.9    17.5 14.8 10.6
        30  10.7  10.7  10.9  23.2    18.1 12.3 10.5
        40  10.7  11.8  10.7  22.6    16.6 13.9 10.7
        50  10.7  10.7  10.7  19.9    26.9 12.6 10.7
    """),
)

TABLE_6 = ErrorTable(
    6,
    "wine",
    3,
    (4, 6),
    _rows("""
        r   SA-RI SA-JI SA-WI k-modes EM   QMI  MCLA
        10  6.5   6.7   6.5   12.3    17.1 8.8  7.6
        20  6.5   6.5   6.3   11.4    17.9 10.4 8.5
        30  6.4   6.3   6.3   12.4    13.1 7.5  7.4
        40  6.3   6.3   6.2   10.2    17.2 7.4  7.5
        50  6.3   6.2   6.2   8.1     21.1 7.3  7.8
    """),
)

ERROR_TABLES = {table.number: table for table in (TABLE_3, TABLE_4, TABLE_5, TABLE_6)}
