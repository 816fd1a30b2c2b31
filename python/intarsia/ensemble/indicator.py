"""The indicator matrices of an ensemble: H of a hard one, S of a soft one."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from intarsia.arrays import Floats, Ids, Labels


def indicator_matrix(labels: Labels, offsets: Ids, memberships: Floats | None) -> sparse.csr_array:
    """Return one row per point and one column per cluster of every member, in compressed rows."""
    if memberships is not None:
        return sparse.csr_array(memberships)
    known = labels >= 0
    columns = (labels + offsets[:-1].astype(np.int32))[known]
    starts = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    shape = (len(labels), int(offsets[-1]))
    return sparse.csr_array((np.ones(len(columns)), columns, starts), shape=shape)
