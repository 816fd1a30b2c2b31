"""What a killed run leaves behind: the resamples that are done, and no more work for them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans

from intarsia import MultiobjectiveClustering, load_demo
from intarsia.multiobjective import stability
from intarsia.multiobjective.checkpoint import FILE, CheckpointError

X = load_demo("spirals-and-blob").X
SETTINGS = {
    "algorithms": {"kmeans": {"n_clusters": [2, 3]}, "single-link": {"n_clusters": [5, 15]}},
    "n_resamples": 6,
    "min_size": 5,
    "random_state": 0,
    "n_threads": 1,
    "checkpoint_every": 1e-9,
}


def model(folder, **more):
    return MultiobjectiveClustering(3, **{**SETTINGS, "checkpoint": folder, **more})


class Killed(BaseException):
    """As sudden as a signal."""


def killed_after(n, monkeypatch):
    calls, real = [], stability.score_resample

    def score(task, work):
        if len(calls) == n:
            raise Killed
        calls.append(task)
        return real(task, work)

    monkeypatch.setattr(stability, "score_resample", score)
    return calls


def test_a_killed_run_goes_on(tmp_path, monkeypatch):
    whole = MultiobjectiveClustering(3, **SETTINGS).fit(X)
    with monkeypatch.context() as patch:
        killed_after(10, patch)
        with pytest.raises(Killed):
            model(tmp_path).fit(X)
    with monkeypatch.context() as patch:
        calls = killed_after(1000, patch)
        resumed = model(tmp_path, resume=True).fit(X)
    assert len(calls) == 3 * 6 - 9  # three whole resamples of three families were there
    np.testing.assert_array_equal(resumed.labels_, whole.labels_)
    assert [c.goodness for c in resumed.clusters_] == [c.goodness for c in whole.clusters_]
    assert resumed.objective_ == whole.objective_


def test_a_folder_in_use_is_refused_and_other_runs_too(tmp_path):
    model(tmp_path).fit(X)
    with pytest.raises(CheckpointError, match="holds a checkpoint: resume, or give another folder"):
        model(tmp_path).fit(X)
    with pytest.raises(CheckpointError, match="made with another seed"):
        model(tmp_path, resume=True, random_state=1).fit(X)
    with pytest.raises(CheckpointError, match="made with another data"):
        model(tmp_path, resume=True).fit(X + 1)
    with pytest.raises(CheckpointError, match="made with another algorithms"):
        model(tmp_path, resume=True, algorithms={"kmeans": {"n_clusters": [2, 3]}}).fit(X)


def test_a_clusterers_own_settings_are_part_of_the_run(tmp_path):
    def once(clusterer, **more):
        return model(tmp_path, algorithms=[(clusterer, {"n_clusters": [3]})], **more).fit(X)

    once(KMeans(n_init=1, random_state=np.random.RandomState(0)))
    once(KMeans(n_init=1), resume=True)  # the fits have random states of their own
    with pytest.raises(CheckpointError, match="made with another algorithms"):
        once(KMeans(n_init=2), resume=True)


def test_a_damaged_file_is_named(tmp_path):
    model(tmp_path).fit(X)
    content = bytearray((tmp_path / FILE).read_bytes())
    content[len(content) // 2] ^= 255
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(CheckpointError, match=r"resamples\.npz is damaged. Remove it to start anew"):
        model(tmp_path, resume=True).fit(X)


def test_resuming_from_nothing_is_starting(tmp_path):
    model(tmp_path / "new", resume=True).fit(X)
    assert (tmp_path / "new" / FILE).exists()
