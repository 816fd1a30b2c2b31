"""What the members of a generated ensemble are, apart from the data and their number."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from intarsia.base.registry import check_base
from intarsia.validation import check_count


@dataclass(frozen=True)
class MemberSettings:
    """Settings of `Ensemble.generate`, checked against the shape of the data."""

    bases: tuple[Any, ...]
    k: tuple[int, int]
    n_features: int | None
    projection: int | None
    hyperplanes: int | None
    bootstrap: bool
    n_rows: int | None
    soft: bool


def member_settings(
    shape: tuple[int, int],
    *,
    base: Any,
    k: Any,
    features: Any,
    projection: Any,
    hyperplanes: Any,
    bootstrap: bool,
    subsample: Any,
    soft: bool,
) -> MemberSettings:
    """Check the options and resolve shares into counts."""
    n, d = shape
    bases = several_bases(base)
    for one in bases:
        check_base(one, soft)
    if bootstrap and subsample is not None:
        raise ValueError("bootstrap and subsample exclude each other: give one of them.")
    if hyperplanes is not None and soft:
        raise ValueError("hyperplanes give hard labels: soft=True is not possible with them.")
    return MemberSettings(
        bases,
        _range_of_k(k, n),
        None if features is None else _part("features", features, d),
        None if projection is None else check_count("projection", projection),
        None if hyperplanes is None else check_count("hyperplanes", hyperplanes),
        bool(bootstrap),
        None if subsample is None else _part("subsample", subsample, n),
        bool(soft),
    )


def several_bases(base: Any) -> tuple[Any, ...]:
    """Return the base clusterers that members take in turn."""
    if not isinstance(base, list | tuple):
        return (base,)
    if not base:
        raise ValueError("base=[] should name at least one base clusterer.")
    return tuple(base)


def _range_of_k(k: Any, n: int) -> tuple[int, int]:
    if k is None:
        return min(2, n), max(2, min(20, int(np.sqrt(n)))) if n > 1 else 1
    low, high = (k, k) if isinstance(k, Integral) else _two(k)
    low, high = check_count("k", low), check_count("k", high)
    if low > high:
        raise ValueError(f"k={k} should have the smaller number first.")
    if high > n:
        raise ValueError(f"k={high} should be <= n_samples={n}.")
    return low, high


def _two(k: Any) -> tuple[Any, Any]:
    try:
        low, high = k
    except (TypeError, ValueError):
        raise TypeError(f"k={k!r} should be a whole number or a pair (least, most).") from None
    return low, high


def _part(name: str, value: Any, whole: int) -> int:
    """Return a count from a count or a share of the whole."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        count = check_count(name, value)
    elif isinstance(value, Real) and 0 < float(value) <= 1:
        count = max(1, round(float(value) * whole))
    else:
        raise ValueError(f"{name}={value!r} should be a count >= 1 or a share in (0, 1].")
    if count > whole:
        raise ValueError(f"{name}={value} should be at most {whole}.")
    return count
