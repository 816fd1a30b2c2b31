"""Checks at the public boundary; every message says what was got and what is needed."""

from numbers import Integral, Real
from typing import Any, NoReturn, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats, Points, column_ranges

#: Positive weights outside these would overflow or vanish where they are multiplied.
LEAST_WEIGHT, MOST_WEIGHT = 1e-100, 1e100
_MARGIN = 1e6  # between the smallest squared distance that means something and the smallest number
_MOST_COUNT = 2**31 - 1


def check_n_clusters(n_clusters: Any, n_samples: int, name: str = "n_clusters") -> int:
    """Return n_clusters as an int between 1 and n_samples, or say why not."""
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, Integral):
        raise TypeError(f"{name}={n_clusters!r} should be a whole number >= 1.")
    if n_clusters < 1:
        raise ValueError(f"{name}={n_clusters} should be >= 1.")
    if n_samples < int(n_clusters):
        raise ValueError(f"n_samples={n_samples} should be >= {name}={n_clusters}.")
    return int(n_clusters)


def check_features(X: Points, n_features: int) -> None:
    """Refuse points of another width than those that were fitted."""
    if X.shape[1] != n_features:
        raise ValueError(f"the points have {X.shape[1]} features; the result has {n_features}.")


def is_plain(X: ArrayLike) -> TypeGuard[Points]:
    """Say whether X is what the kernels take as it is: finite floats in C order, at least one."""
    if type(X) is not np.ndarray or X.ndim != 2 or X.size == 0 or X.dtype not in (np.float64, np.float32):
        return False
    if not (X.flags.c_contiguous and X.flags.aligned):
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(X.sum()))


def check_points(X: ArrayLike, dtypes: tuple[type, ...] = (np.float64,), name: str = "") -> Points:
    """Return finite points in C order, of one of these types; plain arrays do not wait for scikit-learn."""
    if is_plain(X) and X.dtype in dtypes:
        return X
    from sklearn.utils import check_array

    return np.ascontiguousarray(check_array(X, dtype=list(dtypes), input_name=name))


def with_weight(X: Points, weights: Floats | None) -> Points:
    """Return the points that count; the same array where all of them do."""
    if weights is None or weights.all():
        return X
    counting: Points = X[weights > 0]
    return counting


def check_distinct(X: Points, weights: Floats | None, n_clusters: int) -> None:
    """Refuse more clusters than there are different points (of positive weight)."""
    found = _core.count_distinct(with_weight(X, weights), n_clusters)
    if found < n_clusters:
        raise ValueError(f"number of distinct points={found} should be >= n_clusters={n_clusters}.")


def check_spread(X: Points, weights: Floats | None) -> None:
    """Refuse values whose weighted squared distances, or their sum, overflow or vanish."""
    lightest = heaviest = 1.0
    if weights is not None:
        heaviest = float(weights.max(initial=1.0))
        lightest = float(weights.min(initial=1.0, where=weights > 0))
    with np.errstate(over="ignore", under="ignore"):
        low, high = column_ranges(X)
        widths = high.astype(np.float64) - low
        squares = float((widths * widths).sum())
        total = squares * heaviest * len(X)
    one, all_ = np.finfo(X.dtype), np.finfo(np.float64)  # sums over the points are float64 in any case
    if not (squares < float(one.max) and total < float(all_.max)):
        _refuse_spread(X, widths, "too far apart")
    least = _MARGIN * max(float(one.tiny), float(all_.tiny) / lightest)
    if widths.any() and squares < least:
        _refuse_spread(X, widths, "too close together")


def _refuse_spread(X: Points, widths: Floats, what: str) -> NoReturn:
    j = int(np.argmax(widths))
    raise ValueError(
        f"feature {j}: values from {X[:, j].min():g} to {X[:, j].max():g} are {what} for squared "
        f"distances in {X.dtype}: scale the data or the weights."
    )


def check_weights(sample_weight: ArrayLike | None, n_samples: int) -> Floats | None:
    """Return weights as float64, None when there are none: all count the same."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64, order="C")
    if weights.ndim == 0:
        weights = np.full(n_samples, float(weights))
    if weights.shape != (n_samples,):
        raise ValueError(f"sample_weight.shape={weights.shape} should be ({n_samples},).")
    if not np.isfinite(weights).all():
        raise ValueError(f"sample_weight[{int(np.argmin(np.isfinite(weights)))}] should be finite.")
    if (weights < 0).any():
        at = int(np.argmax(weights < 0))
        raise ValueError(f"sample_weight[{at}]={weights[at]:g} should be >= 0.")
    if not weights.any():
        raise ValueError("sample_weight is zero everywhere: at least one should be > 0.")
    strange = (weights > MOST_WEIGHT) | ((weights > 0) & (weights < LEAST_WEIGHT))
    if strange.any():
        at = int(np.argmax(strange))
        raise ValueError(
            f"sample_weight[{at}]={weights[at]:g} should be 0, or from {LEAST_WEIGHT:g} to {MOST_WEIGHT:g}."
        )
    return weights


def check_option(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not one of the allowed words."""
    if value not in allowed:
        raise ValueError(f"{name}={value!r} should be one of {', '.join(map(repr, allowed))}.")


def check_count(name: str, value: Any, least: int = 1, most: float = _MOST_COUNT) -> int:
    """Return a whole number from least to most, or say what is wrong."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name}={value!r} should be a whole number >= {least}.")
    if value < least:
        raise ValueError(f"{name}={value} should be >= {least}.")
    if int(value) > most:
        raise ValueError(f"{name}={value} should be <= {most}.")
    return int(value)


def check_tol(tol: Any, name: str = "tol") -> float:
    """Return the tolerance as a float >= 0."""
    if isinstance(tol, bool) or not isinstance(tol, Real):
        raise TypeError(f"{name}={tol!r} should be a number >= 0.")
    if not float(tol) >= 0:
        raise ValueError(f"{name}={tol} should be >= 0.")
    return float(tol)


def check_above_one(name: str, value: Any) -> float:
    """Return a finite number > 1."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} should be a number > 1.")
    if not 1 < float(value) < float("inf"):
        raise ValueError(f"{name}={value} should be > 1 and finite.")
    return float(value)


def check_positive(name: str, value: Any) -> float:
    """Return a finite number > 0."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} should be a number > 0.")
    if not 0 < float(value) < float("inf"):
        raise ValueError(f"{name}={value} should be > 0 and finite.")
    return float(value)


def check_share(name: str, value: Any) -> float:
    """Return a number between 0 and 1, both excluded."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} should be a number between 0 and 1.")
    if not 0 < float(value) < 1:
        raise ValueError(f"{name}={value} should be between 0 and 1.")
    return float(value)


def check_seconds(name: str, value: Any) -> float | None:
    """Return None or a number of seconds > 0."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} should be a number > 0 or None.")
    if not float(value) > 0:
        raise ValueError(f"{name}={value} should be > 0.")
    return float(value)


def seed_from(random_state: Any) -> int:
    """Return a 63-bit seed: an int is the seed itself, None draws one, a RandomState is asked for one."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state={random_state} should be >= 0.")
        if int(random_state) >= 2**64:
            raise ValueError(f"random_state={random_state} should be < 2**64.")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    from sklearn.utils import check_random_state  # imported here: a number needs none of its 150 MB

    return int(check_random_state(random_state).randint(2**31 - 1))
