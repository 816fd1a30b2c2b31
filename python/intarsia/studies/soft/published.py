"""Published figures of paper 3 (Punera, Ghosh, Soft Cluster Ensembles, 2007), as printed.

In a ratio table the cell of row i and column j is the geometric mean of the scores of method j over those of
method i. The printed tables are not reciprocal, so only their direction compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

HARD_AND_SOFT = ("CSPA", "sCSPA", "MCLA", "sMCLA", "HBGF", "sHBGF", "MixMns")
BEST = ("ITK", "sHBGF", "sMCLA")
#: Each soft method and its hard form.
HARD_OF = {"sCSPA": "CSPA", "sMCLA": "MCLA", "sHBGF": "HBGF"}
#: Too large for these methods, says the paper.
NOT_ON = {"pendigits": ("CSPA", "sCSPA", "HBGF", "sHBGF")}
#: Members of an ensemble that the paper calls tough; their features are the fewest of the data set.
TOUGH_MEMBERS = (2, 3, 4)


@dataclass(frozen=True)
class DataSet:
    """A row of tables 1.5 and 1.6: sizes, features a member sees, clusterings to choose from."""

    n_features: int
    n_classes: int
    n_points: int
    seen_features: tuple[int, ...]
    pool_size: int


#: HyperSpectral (30 features, 13 classes, 5,211 points) is not public and left out.
DATA_SETS = {
    "8d5k": DataSet(8, 5, 1000, (3, 4, 5, 6), 10),
    "vowel": DataSet(10, 11, 990, (3, 4, 5, 6, 7), 10),
    "pendigits": DataSet(16, 10, 10992, (3, 4, 6, 9, 12), 15),
    "glass": DataSet(9, 6, 214, (3, 4, 5, 6, 7), 10),
    "yeast": DataSet(8, 10, 1484, (2, 3, 4, 5), 10),
    "vehicle": DataSet(18, 4, 846, (4, 5, 8, 11), 15),
}
LEFT_OUT = "HyperSpectral is left out: its data are not public"


@dataclass(frozen=True)
class RatioTable:
    """One of tables 1.7 to 1.13.

    Attributes
    ----------
    number : str
        Its number in the paper.
    ratios : mapping
        ``ratios[i][j]``: method j over method i.
    measure : {"NMI", "CVC"}
        The score; CVC is tabulated as the share of points that are right.
    tough : bool
        Whether only tough ensembles count.
    data : str or None
        The only data set that counts, if it is one.
    """

    number: str
    ratios: Mapping[str, Mapping[str, float]]
    measure: str = "NMI"
    tough: bool = False
    data: str | None = None

    @property
    def methods(self) -> tuple[str, ...]:
        """The rows and columns."""
        return tuple(self.ratios)


def _ratios(methods: tuple[str, ...], text: str) -> dict[str, dict[str, float]]:
    lines = [line.split() for line in text.strip().splitlines()]
    return {name: dict(zip(methods, map(float, ratios), strict=True)) for name, *ratios in lines}


_TABLES = (
    RatioTable(
        "1.7",
        _ratios(
            HARD_AND_SOFT,
            """
            CSPA    1      1.05   0.718  0.999  0.978  1.02   0.802
            sCSPA   0.94   1      0.68   0.948  0.928  0.967  0.76
            MCLA    1.163  1.22   1      1.17   1.136  1.18   0.913
            sMCLA   1.00   1.05   0.56   1      0.978  1.019  0.77
            HBGF    1.02   1.076  0.73   1.02   1      1.04   0.82
            sHBGF   0.98   1.03   0.705  0.98   0.959  1      0.787
            MixMns  1.25   1.31   0.73   1.297  1.219  1.269  1
            """,
        ),
    ),
    RatioTable(
        "1.8",
        _ratios(
            HARD_AND_SOFT,
            """
            CSPA    1      1.02   0.795  1.17   0.99   1.01   0.964
            sCSPA   0.976  1      0.777  1.146  0.97   0.99   0.94
            MCLA    1.015  1.039  1      1.197  1.01   1.03   0.99
            sMCLA   0.85   0.873  0.53   1      0.85   0.87   0.80
            HBGF    1.004  1.029  0.799  1.179  1      1.02   0.97
            sHBGF   0.98   1.009  0.78   1.156  0.98   1      0.95
            MixMns  1.037  1.06   0.66   1.24   1.03   1.05   1
            """,
        ),
        measure="CVC",
    ),
    RatioTable(
        "1.9",
        _ratios(
            HARD_AND_SOFT,
            """
            CSPA    1      1.085  0.652  0.997  0.97   1.06   0.655
            sCSPA   0.92   1      0.60   0.919  0.897  0.98   0.604
            MCLA    1.53   1.665  1      1.47   1.49   1.63   0.922
            sMCLA   1.003  1.088  0.46   1      0.976  1.06   0.627
            HBGF    1.028  1.113  0.67   1.025  1      1.09   0.673
            sHBGF   0.94   1.024  0.62   0.94   0.92   1      0.618
            MixMns  1.53   1.656  0.73   1.59   1.485  1.617  1
            """,
        ),
        tough=True,
    ),
    RatioTable(
        "1.10",
        _ratios(
            BEST,
            """
            ITK    1      0.856  0.875
            sHBGF  1.167  1      0.98
            sMCLA  1.142  1.012  1
            """,
        ),
    ),
    RatioTable(
        "1.11",
        _ratios(
            BEST,
            """
            ITK    1      0.816  0.798
            sHBGF  1.226  1      0.94
            sMCLA  1.253  1.06   1
            """,
        ),
        tough=True,
    ),
    RatioTable(
        "1.12",
        _ratios(
            BEST,
            """
            ITK    1      1.03   0.97
            sHBGF  0.968  1      0.944
            sMCLA  1.025  1.05   1
            """,
        ),
        data="8d5k",
    ),
    RatioTable(
        "1.13",
        _ratios(
            BEST,
            """
            ITK    1      0.84   0.68
            sHBGF  1.18   1      0.817
            sMCLA  1.454  1.222  1
            """,
        ),
        data="yeast",
    ),
)

RATIO_TABLES = {table.number: table for table in _TABLES}
#: The tables from which the paper concludes, over all ensembles and over the tough ones.
ALL, TOUGH = RATIO_TABLES["1.7"], RATIO_TABLES["1.9"]
BEST_ALL, BEST_TOUGH = RATIO_TABLES["1.10"], RATIO_TABLES["1.11"]
