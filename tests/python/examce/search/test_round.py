"""What a round made comes to the incumbent: the same columns whether it was made here or elsewhere."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from intarsia._core import ColumnPool
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import Data, SizeLimits
from intarsia.examce.search.round import Incumbent

X = np.random.default_rng(0).uniform(size=(60, 2))


@pytest.fixture
def incumbent() -> Incumbent:
    data = Data(X, None, CountRange(3, 3), SizeLimits(1, len(X)))
    made = Incumbent(Mssc().on(data), ColumnPool(len(X)))
    made.offer((X[:, 0] * 3).astype(np.int32), 4)
    return made


def columns_of(pool: ColumnPool) -> list[list[float]]:
    return [np.asarray(part).tolist() for part in (pool.offsets, pool.members, pool.costs, pool.origins)]


def test_a_pool_that_has_grown_joins_the_same_from_here_and_from_elsewhere(incumbent: Incumbent) -> None:
    other, own = incumbent.copy(), incumbent.copy()
    own.offer((X[:, 1] * 3).astype(np.int32), 4)
    grown = own.since(len(incumbent.pool))
    grown.join(incumbent, 4)
    assert incumbent.pool is own.pool  # not a copy
    sent = pickle.loads(pickle.dumps(grown))
    assert len(sent.pool) == 3  # the new columns alone
    sent.join(other, 4)
    assert columns_of(other.pool) == columns_of(incumbent.pool)


def test_a_late_partition_is_kept_without_its_columns(incumbent: Incumbent) -> None:
    before, n_columns = incumbent.partition.cost, len(incumbent.pool)
    worse = np.arange(len(X), dtype=np.int32) % 3
    assert incumbent.offer_late(worse).cost > before
    assert incumbent.partition.cost == before
    incumbent.best = None
    incumbent.offer_late(worse)
    assert incumbent.partition.labels is worse
    assert len(incumbent.pool) == n_columns
    assert len(incumbent.cover_start().columns) == 3  # a cover that begins after all has them
