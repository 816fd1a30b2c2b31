"""The quality index CQ: how badly each point is clustered, by its memberships."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.validation import check_above_one, check_option

QUALITIES = ("minmax", "entropy")

#: Takes memberships of shape (n_samples, n_clusters); the larger its value, the worse the point is clustered.
Quality = Callable[[Floats], ArrayLike]


def check_quality(quality: str | Quality, log_base: Any) -> None:
    """Refuse an unknown index, and a logarithm's base that is none or that no index asks for."""
    if not callable(quality):
        check_option("quality", quality, QUALITIES)
    if log_base is not None:
        check_above_one("log_base", log_base)
        if quality != "entropy":
            raise ValueError(f"log_base={log_base} is for quality='entropy', not for quality={quality!r}.")


def point_quality(
    memberships: Floats, quality: str | Quality, log_base: float | None, n_threads: int
) -> Floats:
    """Return the index of every point.

    "minmax" is 1 - largest + smallest membership, "entropy" the entropy in logarithms of base `log_base`; by
    default of the number of clusters, which keeps it between 0 and 1.
    """
    if quality == "minmax":
        return _core.minmax_quality(memberships, n_threads)
    if quality == "entropy":
        base = max(memberships.shape[1], 2) if log_base is None else log_base
        return _core.entropy_quality(memberships, log(base), n_threads)
    assert callable(quality)
    shown = memberships.view()
    shown.setflags(write=False)  # the vote still needs them
    return _checked(quality(shown), len(memberships))


def _checked(given: ArrayLike, n_samples: int) -> Floats:
    try:
        values = np.asarray(given, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ValueError(f"quality returned {type(given).__name__} that is no array of numbers.") from None
    if values.shape != (n_samples,):
        raise ValueError(f"quality returned shape {values.shape}; it should be ({n_samples},).")
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        at = int(np.argmax(bad))
        raise ValueError(f"quality returned {values[at]:g} for point {at}; it should be finite and >= 0.")
    return values
