"""The clustering methods that `intarsia fit` offers, in one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Method:
    """One row of the table: a name for the command line and what it does."""

    name: str
    summary: str


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("kmeans", "Lloyd's k-means"),
        Method("hk-means", "Lloyd, then single-point moves to a local optimum"),
        Method("random-swap", "HK-means, then random moves of one centre"),
    )
}

DEFAULT_METHOD = "hk-means"
