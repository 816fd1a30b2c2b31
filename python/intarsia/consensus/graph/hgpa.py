"""HGPA: each input cluster is a hyperedge; the hypergraph is cut into k balanced parts by Mt-KaHyPar."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia.arrays import Ids, Labels
from intarsia.consensus.graph.metis import whole_numbers
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble

_IMBALANCE = 0.05


def hgpa(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Cut as few hyperedges as possible; that misleads on uneven data: never the default.

    ``merge``: whether equal points are one vertex, which balanced parts cannot split; by default beyond 2,000
    points.

    Needs the package mtkahypar (extra ``hgpa``), used with its deterministic preset on one thread.
    """
    options.method_options("hgpa", merge=None)
    library = _mtkahypar()
    machine = library.initialize(1, False)
    library.set_seed(options.seed % (2**31 - 1))
    context = machine.context_from_preset(library.PresetType.DETERMINISTIC)
    context.set_partitioning_parameters(k, _IMBALANCE, library.Objective.CUT)
    context.logging = False
    edges, weights = _hyperedges(ensemble)
    points = whole_numbers(ensemble.point_weights).tolist()
    graph = machine.create_hypergraph(context, len(points), len(edges), edges, points, weights.tolist())
    parts: Labels = np.array(graph.partition(context).get_partition(), dtype=np.int32)
    return Consensus(parts)


def _hyperedges(ensemble: Ensemble) -> tuple[list[list[int]], Ids]:
    """Return the rows of each input cluster of at least two rows, and the weight of its member."""
    columns = ensemble.indicator().tocsc()
    kept = np.flatnonzero(np.diff(columns.indptr) > 1)
    weights = whole_numbers(np.repeat(ensemble.member_weights, ensemble.n_classes))
    return [columns.indices[columns.indptr[c] : columns.indptr[c + 1]].tolist() for c in kept], weights[kept]


def _mtkahypar() -> Any:
    try:
        import mtkahypar
    except ImportError as error:
        raise ImportError("hgpa needs the package mtkahypar: pip install 'intarsia[hgpa]'.") from error
    return mtkahypar
