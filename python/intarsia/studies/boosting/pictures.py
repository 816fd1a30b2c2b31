"""The paper's pictures of points: figure 3 beside 4, figure 5, 6 beside 7, 8, and 9 beside 10."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from intarsia.arrays import Floats
from intarsia.boosting.estimator import BoostClustering
from intarsia.metrics import connectivity, isolation
from intarsia.report.scatter import Cloud
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.boosting.data import split_points
from intarsia.studies.boosting.published import DATA, ENTROPY, MINMAX
from intarsia.studies.boosting.runs import best_single, boosted
from intarsia.studies.boosting.settings import RAW, BoostingStudySettings

COLUMNS = (
    Column("method"), Column("points", "d"), Column("rounds", "d"), Column("isolation", ".4f"),
    Column("connectivity", ".4g"),
)  # fmt: skip
DRAWN_COLUMNS = (Column("round", "d"), Column("drawn", "d"), Column("not drawn", "d"))
DRAWN_ROUNDS = (2, 4, 7)


@dataclass(frozen=True)
class Partitions:
    """A test set, partitioned by boosting and by the best single k-means run."""

    name: str
    data: str
    n_clusters: int
    quality: str

    def make(self, X: Floats, settings: BoostingStudySettings) -> tuple[Sheet, list[Cloud]]:
        """Return the scores and both partitions, of the first split."""
        train, test = split_points(X, DATA[self.data].n_train, RAW, settings.seed, 0)
        model = boosted(train, "kmeans", self.n_clusters, self.quality, settings.seed)
        single = best_single(train, "kmeans", self.n_clusters, settings.n_single, settings.seed)
        partitions = {f"boosted, {self.quality}": model.predict(test), "best k-means": single.label(test)}
        rounds = dict(zip(partitions, (model.n_rounds_, None), strict=True))
        rows = tuple(
            (
                method,
                len(test),
                rounds[method],
                isolation(test, labels),
                _connectivity(test, labels, settings),
            )
            for method, labels in partitions.items()
        )
        title = f"Figures {self.name}: {self.data}, test set in {self.n_clusters} clusters"
        clouds = [Cloud(method, test, labels) for method, labels in partitions.items()]
        return Sheet(f"figure-{self.name}", title, COLUMNS, rows), clouds


@dataclass(frozen=True)
class Drawn:
    """The training points that rounds drew, and those that they did not."""

    name: str
    data: str
    n_clusters: int

    def make(self, X: Floats, settings: BoostingStudySettings) -> tuple[Sheet, list[Cloud]]:
        """Return how many there are, and where they lie."""
        train, _ = split_points(X, DATA[self.data].n_train, RAW, settings.seed, 0)
        model = BoostClustering(
            self.n_clusters,
            max_rounds=max(DRAWN_ROUNDS),
            stop=False,
            keep_weights=True,
            random_state=settings.seed,
            n_threads=1,
        ).fit(train)
        rows, clouds = [], []
        for number in DRAWN_ROUNDS:
            drawn = model.draws_history_[number - 1] > 0
            rows.append((number, int(drawn.sum()), int((~drawn).sum())))
            clouds += [Cloud(f"drawn in round {number}", train[drawn])]
            clouds += [Cloud(f"not drawn in round {number}", train[~drawn])]
        title = f"Figure {self.name}: {self.data}, C = {self.n_clusters}, points drawn and not drawn"
        return Sheet(f"figure-{self.name}", title, DRAWN_COLUMNS, tuple(rows)), clouds


@dataclass(frozen=True)
class WholeSet:
    """A data set as it is."""

    name: str
    data: str

    def make(self, X: Floats, settings: BoostingStudySettings) -> tuple[Sheet, list[Cloud]]:
        """Return its extent and its points."""
        columns = (Column("feature", "d"), Column("least", ".3f"), Column("most", ".3f"))
        rows = tuple((j + 1, float(np.min(x)), float(np.max(x))) for j, x in enumerate(X.T))
        title = f"Figure {self.name}: {len(X):,} points of our generator (demo:shapes)"
        return Sheet(f"figure-{self.name}", title, columns, rows), [Cloud("", X)]


PICTURES = {
    picture.name: picture
    for picture in (
        Partitions("3-4", "clouds", 3, MINMAX),
        Drawn("5", "banana", 4),
        Partitions("6-7", "banana", 4, MINMAX),
        WholeSet("8", "figure-8"),
        Partitions("9-10", "figure-8", 7, ENTROPY),
    )
}


def _connectivity(X: Floats, labels: object, settings: BoostingStudySettings) -> float:
    return connectivity(X, np.asarray(labels), n_pairs=settings.n_pairs)
