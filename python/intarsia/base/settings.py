"""What one base run is, apart from its data and its number."""

from dataclasses import dataclass

from intarsia.arrays import Floats
from intarsia.validation import check_count, check_option, check_tol

METHODS = ("kmeans", "hk-means", "random-swap")
INITS = ("random", "k-means++")


@dataclass(frozen=True)
class BaseSettings:
    """Settings of a base run.

    Attributes
    ----------
    method : {"kmeans", "hk-means", "random-swap"}
        Lloyd; Lloyd and single-point moves; these and random swaps.
    n_clusters : int
        Number of clusters.
    init : {"random", "k-means++"} or array of shape (n_clusters, n_features)
        k distinct random points, greedy k-means++, or given centres.
    max_iter, tol
        Limits of Lloyd's iterations; ``tol=0`` runs until no label changes.
    n_swaps : int
        Number of swaps that random swap tries.
    """

    method: str = "hk-means"
    n_clusters: int = 8
    init: str | Floats = "random"
    max_iter: int = 1000
    tol: float = 0.0
    n_swaps: int = 1000

    def __post_init__(self) -> None:
        check_option("method", self.method, METHODS)
        if isinstance(self.init, str):
            check_option("init", self.init, INITS)
        check_count("max_iter", self.max_iter)
        check_count("n_swaps", self.n_swaps, least=0)
        check_tol(self.tol)
