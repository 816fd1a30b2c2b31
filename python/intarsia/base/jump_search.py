"""J-means and variable neighbourhood search: centres jump to points, HK-means follows."""

from __future__ import annotations

from dataclasses import dataclass

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Ids, Labels
from intarsia.clock import Clock
from intarsia.streams import generator

_LEAST_GAIN = 1e-12  # of the cost: less may be rounding
_MOST_JUMPS = 10  # at once, of a shake


@dataclass(frozen=True)
class _Found:
    labels: Labels
    centers: Floats
    cost: float


@dataclass(frozen=True)
class JumpSearch:
    """Local searches of the sum of squares of points of positive weight, each a pure function."""

    X: Floats
    weights: Floats | None
    n_clusters: int
    n_threads: int
    clock: Clock

    def j_means(self, labels: Labels) -> Labels:
        """The best jump of one centre to a point, then HK-means, as long as that lowers the cost."""
        best = self._moved(labels)
        while not self.clock.is_over():
            point, centre, _ = _core.best_jump(self.X, self.weights, best.centers, self.n_threads)
            if point < 0:
                break
            found = self._hk_means(best.centers, [centre], [point])
            if not found.cost < best.cost * (1 - _LEAST_GAIN):
                break
            best = found
        return best.labels

    def shake(self, labels: Labels, n_shakes: int, seed: int, task: int) -> Labels:
        """HK-means after random jumps: of one centre, of one more after each in vain, of one after a gain."""
        best, rng = self._moved(labels), generator(seed, Stage.RANDOM_SWAP, task)
        n_jumps, most = 1, min(_MOST_JUMPS, self.n_clusters)
        for _ in range(n_shakes):
            if self.clock.is_over():
                break
            centres = rng.permutation(self.n_clusters)[:n_jumps]
            found = self._hk_means(best.centers, centres, rng.integers(len(self.X), size=n_jumps))
            gains = found.cost < best.cost * (1 - _LEAST_GAIN)
            best = found if gains else best
            n_jumps = 1 if gains else n_jumps % most + 1
        return best.labels

    def _hk_means(self, centers: Floats, which: Ids | list[int], points: Ids | list[int]) -> _Found:
        moved = centers.copy()
        moved[which] = self.X[points]
        lloyd = _core.kmeans(self.X, self.weights, moved, 1000, 0.0, self.n_threads, self.clock.remaining())
        return self._moved(lloyd[0])

    def _moved(self, labels: Labels) -> _Found:
        seconds, n = self.clock.remaining(), len(self.X)
        found = _core.hartigan(self.X, self.weights, labels, self.n_clusters, 1, n, seconds)[0]
        centers, _, cost = _core.summarise(self.X, self.weights, found, self.n_clusters)
        return _Found(found, centers, cost)
