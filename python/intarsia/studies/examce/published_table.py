"""A published table: for each data set and k, what each method reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One instance: the data set, the number of clusters, and the cost each method reached."""

    data: str
    n_clusters: int
    costs: Mapping[str, float]

    def best_of(self, methods: tuple[str, ...]) -> tuple[str, float]:
        """Return the method of least cost, the first one where several are equal, and its cost."""
        method = min(methods, key=lambda name: self.costs[name])
        return method, self.costs[method]


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper.

    Attributes
    ----------
    number : int
        Its number in the paper.
    title : str
        What it is about, in our words.
    rows : tuple of Row
        The instances, in the order of the paper.
    ours : tuple of str
        Columns that are the paper's own methods; the others are what it compares with.
    format : str
        Format specification that prints a cost as the paper does.
    """

    number: int
    title: str
    rows: tuple[Row, ...]
    ours: tuple[str, ...]
    format: str

    @property
    def methods(self) -> tuple[str, ...]:
        """The columns of the table."""
        return tuple(self.rows[0].costs)

    @property
    def others(self) -> tuple[str, ...]:
        """The columns that the paper compares itself with."""
        return tuple(name for name in self.methods if name not in self.ours)


def parse_rows(data: str, text: str) -> tuple[Row, ...]:
    """Read rows from lines of `k cost cost ...` under a line of `k method method ...`."""
    header, *lines = (line.split() for line in text.strip().splitlines())
    return tuple(
        Row(data, int(k), dict(zip(header[1:], map(float, costs), strict=True))) for k, *costs in lines
    )
