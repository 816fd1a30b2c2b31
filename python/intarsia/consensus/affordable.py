"""About how much work a consensus function is on an ensemble: by its size alone, no clock is looked at."""

from __future__ import annotations

from intarsia.ensemble import Ensemble

#: Work that each function may take where several are tried; about two seconds of one core.
ALLOWANCE = 2e9

#: Work for each pair of distinct rows and member, and the most rows of which all pairs are looked at.
_PAIRS = {"eac": (1.6, 16_384), "cspa": (1.0, 32_768), "scspa": (1.0, 32_768)}
#: Work for each point, member and cluster: a chain of the annealing methods looks at all three, many times.
_MOVES = {"sa-ri": 1_200.0, "sa-ji": 1_200.0, "sa-wi": 1_200.0, "sa-nmi": 14_000.0}


def work_of(method: str, points: Ensemble, n_rows: int, k: int) -> float:
    """Return about how many operations; 0 for functions whose work grows no faster than the ensemble."""
    if method in _PAIRS:
        a_pair, most = _PAIRS[method]
        return a_pair * float(min(n_rows, most)) ** 2 * points.n_members
    return _MOVES.get(method, 0.0) * points.n_samples * points.n_members * k
