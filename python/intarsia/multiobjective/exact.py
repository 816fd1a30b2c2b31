"""The best choice of clusters by branch and bound: each number of clusters one program, smaller by bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from intarsia.arrays import Floats, Ids, Members
from intarsia.multiobjective.candidates import SelectionData
from intarsia.solver import LinearProgram, solve_lp, solve_mip

#: A choice counts as proved when none is better by more than this.
TOLERANCE = 1e-6
_ROUNDS = 8  # of bounds that drop candidates and pairs, which make the bounds better


@dataclass(frozen=True)
class Costs:
    """Prices of the objective for one number of clusters: goodness times `reward` counts."""

    reward: float
    overlap: float
    uncovered: float


@dataclass(frozen=True)
class Proof:
    """What branch and bound found for one number of clusters.

    Attributes
    ----------
    chosen : array of int or None
        A choice better than the cutoff, if one was found.
    bound : float
        No choice of so many clusters costs less.
    is_proved : bool
        Whether the search came to its end.
    """

    chosen: Members | None
    bound: float
    is_proved: bool


def prove(data: SelectionData, k: int, costs: Costs, cutoff: float, max_nodes: int) -> Proof:
    """Find a choice of k candidates below the cutoff, or prove that there is none."""
    model = _Model(data, k, costs)
    least = model.strengthen(cutoff)
    if least is None:
        return Proof(None, cutoff, True)
    outcome = solve_mip(
        model.program(), cutoff=cutoff, max_nodes=max_nodes, abs_gap=TOLERANCE / 10, integer=model.integer()
    )
    if outcome.status == "infeasible":
        return Proof(None, cutoff, True)
    bound = max(least, min(outcome.bound + model.constant, cutoff))
    if outcome.x is None or outcome.value > cutoff - model.constant:
        return Proof(None, bound, outcome.status == "optimal")
    chosen = model.kept[outcome.x[: len(model.kept)] > 0.5].astype(np.int32)
    return Proof(chosen, bound, outcome.status == "optimal")


class _Model:
    """The program over the candidates that are left, with the pairs that cannot be chosen together."""

    def __init__(self, data: SelectionData, k: int, costs: Costs) -> None:
        self._data, self._k, self._costs = data, k, costs
        self.kept: Ids = np.arange(len(data))
        self._banned: NDArray[np.bool_] = np.zeros((len(data), len(data)), dtype=bool)
        n = len(data.n_points)
        ones = np.ones(len(data.members))
        self._inside = sparse.csr_array((ones, data.members, data.offsets), shape=(len(data), n))
        self._shares = data.n_points / data.n_points.sum()
        reachable = np.asarray(self._inside.sum(axis=0)).ravel() > 0
        self.constant = costs.uncovered * float(self._shares[~reachable].sum())

    def strengthen(self, cutoff: float) -> float | None:
        """Drop candidates and ban pairs that no choice below the cutoff has; None if nothing is left."""
        least = -np.inf
        for _ in range(_ROUNDS):
            if len(self.kept) < self._k:
                return None
            relaxed = solve_lp(self.program())
            if relaxed.status != "optimal" or relaxed.value + self.constant > cutoff:
                return None
            least = max(least, relaxed.value + self.constant)
            room = cutoff - (relaxed.value + self.constant)
            if not self._reduce(np.maximum(relaxed.reduced_costs, 0.0), room):
                break
        return least

    def _reduce(self, prices: Floats, room: float) -> bool:
        """Use what each choice would add to the bound; return whether anything went."""
        m, (low, high) = len(self.kept), self._pairs()
        own, of_pairs = prices[:m], prices[m : m + len(low)]
        too_dear = own > room
        together = own[:, None] + own
        together[low, high] += of_pairs
        together[high, low] += of_pairs
        banned = (together > room) | self._banned
        np.fill_diagonal(banned, False)
        n_new = int((banned & ~self._banned).sum()) // 2
        self._banned = banned[np.ix_(~too_dear, ~too_dear)]
        self.kept = self.kept[~too_dear]
        return bool(too_dear.any()) or n_new > 0.02 * m

    def _pairs(self) -> tuple[Ids, Ids]:
        """Return the pairs that overlap and may still be chosen together."""
        overlap = self._data.overlap[np.ix_(self.kept, self.kept)]
        return np.nonzero(np.triu((overlap > 0) & ~self._banned, 1))  # type: ignore[return-value]

    def integer(self) -> NDArray[np.bool_]:
        """Return which columns are whole numbers: the choices; the others follow from them."""
        n_columns = len(self.kept) + len(self._pairs()[0]) + len(self._cover()[1])
        return np.arange(n_columns) < len(self.kept)

    def program(self) -> LinearProgram:
        """Return choices, pairs that both are chosen, and points that are not covered, as columns."""
        m, (low, high), (inside, shares) = len(self.kept), self._pairs(), self._cover()
        data, costs = self._data, self._costs
        overlap = data.overlap[self.kept[low], self.kept[high]]
        prices = (-costs.reward * data.goodness[self.kept], 2 * costs.overlap * overlap)
        n_pairs, n_points = len(low), len(shares)
        both = _rows(n_pairs, m, low, high)
        cliques = _clique_rows(self._banned)
        blocks = [
            [sparse.csr_array(np.ones((1, m))), None, None],
            [both, -sparse.eye_array(n_pairs), None],
            [inside.T, None, sparse.eye_array(n_points)],
            [cliques, None, None],
        ]
        matrix = sparse.csc_array(sparse.block_array(_filled(blocks, (m, n_pairs, n_points))))
        n_cliques = cliques.shape[0]
        exactly = np.full(1, float(self._k))
        lower = [exactly, np.full(n_pairs, -np.inf), np.ones(n_points), np.full(n_cliques, -np.inf)]
        upper = [exactly, np.ones(n_pairs), np.full(n_points, np.inf), np.ones(n_cliques)]
        return LinearProgram(
            np.concatenate([*prices, costs.uncovered * shares]),
            np.zeros(m + n_pairs + n_points),
            np.ones(m + n_pairs + n_points),
            np.concatenate(lower),
            np.concatenate(upper),
            matrix.indptr.astype(np.int32),
            matrix.indices.astype(np.int32),
            matrix.data.astype(np.float64),
        )

    def _cover(self) -> tuple[sparse.csr_array, Floats]:
        """Return the patterns that a candidate left or right of here reaches, equal ones merged."""
        inside = self._inside[self.kept]
        some = np.asarray(self._inside.sum(axis=0)).ravel() > 0
        dense = inside[:, some].toarray().astype(bool)
        # candidates that went may have been all that told two patterns apart
        rows, codes = np.unique(dense.T, axis=0, return_inverse=True)
        shares = np.zeros(len(rows))
        np.add.at(shares, codes.ravel(), self._shares[some])
        return sparse.csr_array(rows.T.astype(np.float64)), shares


def _rows(n: int, m: int, low: Ids, high: Ids) -> sparse.csr_array:
    rows = np.repeat(np.arange(n), 2)
    cols = np.column_stack([low, high]).ravel()
    return sparse.csr_array((np.ones(2 * n), (rows, cols)), shape=(n, m))


def _filled(blocks: list[list[object]], widths: tuple[int, int, int]) -> list[list[object]]:
    """Put zeros where a row of blocks has none: empty ones would not tell their shape."""
    return [
        [
            sparse.csr_array((row[0].shape[0], width)) if block is None else block  # type: ignore[attr-defined]
            for block, width in zip(row, widths, strict=True)
        ]
        for row in blocks
    ]


def _clique_rows(banned: NDArray[np.bool_]) -> sparse.csr_array:
    """Return rows of candidates of which at most one can be chosen: all banned pairs are in some row."""
    open_pairs, rows = np.triu(banned, 1), []
    order = np.argsort(-banned.sum(axis=1), kind="stable")
    for i, j in np.argwhere(open_pairs):
        if not open_pairs[i, j]:
            continue
        clique, common = [i, j], banned[i] & banned[j]
        for c in order:
            if common[c]:
                clique.append(c)
                common &= banned[c]
        members = np.sort(clique)
        open_pairs[np.ix_(members, members)] = False
        rows.append(members)
    if not rows:
        return sparse.csr_array((0, len(banned)))
    sizes = [len(row) for row in rows]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return sparse.csr_array(
        (np.ones(sum(sizes)), np.concatenate(rows), offsets), shape=(len(rows), len(banned))
    )
