"""Plain arrays take a short way past scikit-learn's checks: nothing else may differ."""

import numpy as np
import pandas as pd
import pytest

from intarsia import KMeans
from intarsia.validation import is_plain


@pytest.fixture(name="X")
def points():
    return np.random.default_rng(0).normal(size=(60, 3))


def test_what_is_plain(X):
    assert is_plain(X)
    assert is_plain(X.astype(np.float32))
    strided = (np.asfortranarray(X), X[:, ::2])
    for other in (X.tolist(), X[:, 0], X[:0], X.astype(int), X.astype(">f8"), *strided):
        assert not is_plain(other)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(X, bad):
    X[7, 1] = bad
    with pytest.raises(ValueError, match="Input X contains"):
        KMeans(3).fit(X)


def test_finite_points_with_an_infinite_sum_are_welcome():
    X = np.array([[1e308], [1.1e308], [1e308], [1.1e308]])
    assert not is_plain(X)
    KMeans(1, n_threads=1, max_iter=1)._validate(X, reset=True)


def test_both_ways_give_the_same(X):
    short, long = KMeans(4, random_state=1).fit(X), KMeans(4, random_state=1).fit(np.asfortranarray(X))
    np.testing.assert_array_equal(short.labels_, long.labels_)
    assert short.n_features_in_ == long.n_features_in_ == 3


def test_another_width_is_refused(X):
    model = KMeans(4, random_state=1).fit(X)
    with pytest.raises(ValueError, match="expecting 3 features"):
        model.predict(np.ascontiguousarray(X[:, :2]))


def test_names_are_missed_and_forgotten(X):
    model = KMeans(4, random_state=1).fit(pd.DataFrame(X, columns=["a", "b", "c"]))
    with pytest.warns(UserWarning, match="feature names"):
        model.predict(X)
    assert not hasattr(model.fit(X), "feature_names_in_")
