"""The leading eigenvectors of a symmetric matrix, dense or sparse, and BLAS held to one thread for them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu
from threadpoolctl import ThreadpoolController

from intarsia.arrays import Floats

Matrix: TypeAlias = "Floats | sparse.csr_array"
Block = Callable[[Floats], Floats]

#: Up to this size all eigenvectors cost less than a search for some of them.
DIRECT = 600
#: Matrices up to this size may be factorised: near one eigenvalues may lie too close for products.
FACTORISED = 20_000
_SPARE = 6  # vectors beyond those wanted: the nearest eigenvalue that is left out lies further away
_STEPS = 6  # products of the block in a cycle
_INVERSE_STEPS = 2  # each of which does the work of many
_CYCLES = 60
_PATIENCE = 4  # cycles of plain products before a matrix is factorised
_TOLERANCE = 1e-8
_BEYOND_ONE = 1e-6  # the matrix may be singular at one itself


def leading_eigenvectors(matrix: Matrix, k: int, start: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the k largest eigenvalues, largest first, and their vectors as columns.

    Parameters
    ----------
    matrix : array or sparse array of shape (n, n)
        Symmetric, with eigenvalues from -1 to 1: an affinity divided by the roots of its degrees.
    k : int
        How many, from 1 to n.
    start : Generator
        Draws the vectors from which a search starts.
    """
    n = matrix.shape[0]
    with one_blas_thread():
        if n <= max(DIRECT, 3 * (k + _SPARE)):
            dense = sparse.csr_array(matrix).toarray() if sparse.issparse(matrix) else matrix
            values, vectors = linalg.eigh(dense, subset_by_index=[n - k, n - 1])
            return values[::-1], np.ascontiguousarray(vectors[:, ::-1])
        block = start.standard_normal((n, k + _SPARE))
        return _search(matrix, block, k)


def _ways(matrix: Matrix) -> list[tuple[int, int, Block]]:
    """Return what may multiply a block, cheapest first: cycles, steps of a cycle, and the operator."""
    times: Block = lambda block: np.asarray(matrix @ block)  # noqa: E731
    if matrix.shape[0] > FACTORISED:
        return [(_CYCLES, _STEPS, times)]
    if sparse.issparse(matrix):
        return [(_CYCLES, _INVERSE_STEPS, _inverse(matrix))]
    return [
        (_PATIENCE, _STEPS, times),
        (_CYCLES, _INVERSE_STEPS, _Late(lambda: _inverse(matrix))),
    ]


class _Late:
    """An operator that is made when it is first needed."""

    def __init__(self, make: Callable[[], Block]) -> None:
        self._make = make
        self._made: Block | None = None

    def __call__(self, block: Floats) -> Floats:
        self._made = self._made or self._make()
        return self._made(block)


def _inverse(matrix: Matrix) -> Block:
    """Return the inverse of the matrix's distance from one: eigenvalues near one become far apart."""
    n = matrix.shape[0]
    if not sparse.issparse(matrix):
        factor = linalg.cho_factor((1 + _BEYOND_ONE) * np.eye(n) - matrix, overwrite_a=True)
        return lambda block: np.asarray(linalg.cho_solve(factor, block))
    shifted = sparse.csc_array((1 + _BEYOND_ONE) * sparse.eye_array(n, format="csr") - matrix)
    symmetric = {"SymmetricMode": True}
    factors = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=symmetric)
    return lambda block: np.asarray(factors.solve(block))


def _search(matrix: Matrix, block: Floats, k: int) -> tuple[Floats, Floats]:
    """Return the best of the space that products of a block span, again and again until it stays."""
    for n_cycles, n_steps, times in _ways(matrix):
        for _ in range(n_cycles):
            basis = _krylov(times, block, n_steps)
            products = np.asarray(matrix @ basis)
            values, mix = np.linalg.eigh(basis.T @ products)
            leading = mix[:, ::-1][:, : block.shape[1]]
            values, block = values[::-1][:k], basis @ leading
            left = np.linalg.norm(products @ leading[:, :k] - block[:, :k] * values, axis=0).max()
            if left <= _TOLERANCE:
                return values, np.ascontiguousarray(block[:, :k])
    from sklearn.exceptions import ConvergenceWarning  # here: a second that most never need

    warnings.warn(f"eigenvectors are accurate to {left:.1g} only.", ConvergenceWarning, stacklevel=5)
    return values, np.ascontiguousarray(block[:, :k])


def _krylov(times: Block, block: Floats, n_steps: int) -> Floats:
    """Return an orthonormal basis of a block and its repeated products, each cleared of those before."""
    basis = np.linalg.qr(block)[0]
    last = basis
    for _ in range(n_steps):
        last = times(last)
        for _ in range(2):  # once would leave rounding errors of the size of what is new
            last = last - basis @ (basis.T @ last)
        last = np.linalg.qr(last)[0]
        basis = np.concatenate([basis, last], axis=1)
    return np.linalg.qr(basis)[0]


@cache
def _libraries() -> ThreadpoolController:
    """Return what BLAS there is; looking takes longer than the vectors of few points."""
    return ThreadpoolController()


_one_at_a_time = Lock()
_n_inside = 0
_limits: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread while anybody is inside: sums of several threads differ in their last bits."""
    global _n_inside, _limits
    with _one_at_a_time:
        _n_inside += 1
        if _n_inside == 1:
            _limits = _libraries().limit(limits=1, user_api="blas")
    try:
        yield
    finally:
        with _one_at_a_time:
            _n_inside -= 1
            if _n_inside == 0:
                _limits.restore_original_limits()
