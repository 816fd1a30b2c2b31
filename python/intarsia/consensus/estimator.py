"""`ConsensusClustering`: generate an ensemble of the points and combine it, as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia.arrays import Floats, Labels
from intarsia.base.registry import base_clusterer
from intarsia.consensus.choose_k import KScore, choose_k
from intarsia.consensus.combine import combine_full
from intarsia.ensemble.generate import Generated, generate_members
from intarsia.ensemble.generate.settings import several_bases
from intarsia.ensemble.row_labels import RowLabels
from intarsia.executor import Executor, resolve_threads, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.validation import check_n_clusters

_OF_THE_ENSEMBLE = ("features", "projection", "hyperplanes", "bootstrap", "subsample", "soft", "select")


def _base_predicts(model: ConsensusClustering) -> bool:
    """Whether every member can label new points; what is no base clusterer is refused by `fit`."""
    try:
        able = all(base_clusterer(base).predicts for base in several_bases(model.base))
    except (TypeError, ValueError):
        return False
    return able and model.hyperplanes is None


class ConsensusClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Many clusterings of the points, combined into one.

    Parameters
    ----------
    n_clusters : int or None
        Number of clusters; None tries `k_range` and takes the k of highest average NMI.
    method : str
        Consensus function, see `intarsia.consensus.METHODS`; "best" tries several.
    method_params : mapping, optional
        Options of the consensus function.
    base, n_members, k, features, projection, hyperplanes, bootstrap, subsample, soft, select
        The ensemble, see `Ensemble.generate`. `k` is n_clusters to twice that by default.
    k_range : (int, int), optional
        Least and most k to try with ``n_clusters=None``.
    random_state : int, RandomState, Generator or None
        Seed of the ensemble and of the consensus function.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    executor : Executor, optional
        Who computes; by default these threads, on all ranks of an MPI job.

    Attributes
    ----------
    labels_, n_clusters_
        The clustering.
    ensemble_ : Ensemble
        What was combined.
    consensus_ : Consensus
        All that the consensus function found.
    k_scores_ : tuple of KScore or None
        Average NMI and PAC of every k tried.
    """

    def __init__(
        self,
        n_clusters: int | None = 8,
        *,
        method: str = "mcla",
        method_params: Mapping[str, Any] | None = None,
        base: Any = "kmeans",
        n_members: int = 20,
        k: Any = None,
        features: int | float | None = None,
        projection: int | None = None,
        hyperplanes: int | None = None,
        bootstrap: bool = False,
        subsample: int | float | None = None,
        soft: bool = False,
        select: int | None = None,
        k_range: tuple[int, int] | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.method_params = method_params
        self.base = base
        self.n_members = n_members
        self.k = k
        self.features = features
        self.projection = projection
        self.hyperplanes = hyperplanes
        self.bootstrap = bootstrap
        self.subsample = subsample
        self.soft = soft
        self.select = select
        self.k_range = k_range
        self.random_state = random_state
        self.n_threads = n_threads
        self.executor = executor

    def fit(self, X: ArrayLike, y: object = None) -> ConsensusClustering:
        """Generate an ensemble of the points and combine it."""
        points = validate_data(self, X, dtype=np.float64, order="C")
        executor = use_executor(self.executor, self.n_threads)
        check_same_fit(executor, self, X=points)
        seed = agreed_seed(self.random_state, executor)
        if self.n_clusters is not None:
            check_n_clusters(self.n_clusters, len(points))
        made = self._generate(points, seed, executor)
        self.ensemble_ = made.ensemble
        options = {**dict(self.method_params or {}), "random_state": seed, "executor": executor}
        if self.n_clusters is None:
            choice = choose_k(self.ensemble_, self.method, k_range=self.k_range, **options)
            self.consensus_ = choice.consensus
            self.k_scores_: tuple[KScore, ...] | None = choice.scores
        else:
            self.consensus_ = combine_full(self.ensemble_, self.n_clusters, self.method, **options)
            self.k_scores_ = None
        self.labels_ = self.consensus_.labels
        self.n_clusters_ = int(self.labels_.max()) + 1
        self._rules = made.rules
        if made.rules:
            self._row_labels = RowLabels(made.ensemble.labels, self.labels_, made.ensemble.member_weights)
        return self

    @available_if(_base_predicts)  # type: ignore[untyped-decorator]
    def predict(self, X: ArrayLike) -> Labels:
        """Return the cluster of each point, by what every member says of it.

        A point goes with the training points that most members put into its clusters. Training points get
        their `labels_`, where the members say of them what they said before (k-means does) and equal ones
        were not torn apart. Only where the base clusterers have a `predict`.
        """
        check_is_fitted(self)
        points = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        threads = resolve_threads(self.n_threads)
        rows = np.column_stack([rule.label(points, threads) for rule in self._rules])
        return self._row_labels.label(rows, threads)

    def _generate(self, points: Floats, seed: int, executor: Executor) -> Generated:
        k = self.k
        if k is None and self.n_clusters is not None:
            k = (int(self.n_clusters), min(2 * int(self.n_clusters), len(points)))
        options = {name: getattr(self, name) for name in _OF_THE_ENSEMBLE}
        return generate_members(
            points,
            self.base,
            self.n_members,
            k,
            random_state=seed,
            executor=executor,
            keeps_rules=_base_predicts(self),
            **options,
        )
