"""The same bits on every instruction set this build has."""

import functools
import os
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib
import numpy as np
import intarsia
from intarsia.neighbours import Neighbours

rng = np.random.default_rng(0)
digest = hashlib.sha256()
for d, dtype in ((2, "f8"), (5, "f8"), (5, "f4"), (24, "f8"), (24, "f4")):
    X = rng.normal(size=(1500, d)).astype(dtype)
    model = intarsia.RandomSwap(17, n_swaps=30, random_state=1, init="k-means++").fit(X)
    digest.update(model.labels_.tobytes() + model.cluster_centers_.tobytes())
X = rng.normal(size=(700, 5)) + rng.integers(3, size=(700, 1)) * 4
for form in ("full", "diag"):
    mixture = intarsia.GaussianMixture(3, covariance_type=form, random_state=0).fit(X)
    digest.update(mixture.covariances_.tobytes() + mixture.predict_proba(X).tobytes())
fuzzy = intarsia.FuzzyCMeans(3, random_state=0).fit(X)
digest.update(fuzzy.memberships_.tobytes())
for d in (1, 3, 8, 20):
    for metric in ("euclidean", "manhattan", "chebyshev"):
        for part in Neighbours(rng.normal(size=(300, d)), metric=metric).nearest(7):
            digest.update(part.tobytes())
print(intarsia._core.simd_level(), digest.hexdigest())
"""


@functools.cache
def run(**env):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **env}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize("level", ["generic", "avx2"])
def test_same_bits(level):
    best, lowered = run(), run(INTARSIA_SIMD=level)
    if level == "generic":
        assert lowered[0] == "generic"
    assert best[1] == lowered[1]
