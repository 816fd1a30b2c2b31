"""Simulated annealing on agreement measures (Lu, Peng and Xiao 2008): `sa-ri`, `sa-ji`, `sa-wi`, `sa-nmi`.

Works on every point, not on merged rows: a change is that of one point's label, as in the paper, and equal
rows may part (with merged rows a whole group would move at once, and the walk would miss what lies between).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Labels
from intarsia.consensus.annealing.agreement import DEFAULT_MEASURE, MEASURES, CountedEnsemble
from intarsia.consensus.annealing.schedule import Schedule
from intarsia.consensus.annealing.start import start_partitions
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_count, check_option

PAPER_START = "kmodes"


def sa_ri(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Maximise the mean corrected Rand index."""
    return _anneal_chains(ensemble, k, options, "sa-ri", "corrected-rand")


def sa_ji(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Maximise the mean Jaccard index."""
    return _anneal_chains(ensemble, k, options, "sa-ji", "jaccard")


def sa_wi(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Maximise the mean Wallace index (geometric mean of its two forms)."""
    return _anneal_chains(ensemble, k, options, "sa-wi", "wallace")


def sa_nmi(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Maximise the mean normalised mutual information (geometric mean of the entropies)."""
    return _anneal_chains(ensemble, k, options, "sa-nmi", "nmi")


class Chain(NamedTuple):
    """One walk: where it starts, and the number that its random draws are named by."""

    number: int
    start: Labels


@dataclass(frozen=True)
class ChainTask:
    """What all chains share."""

    ensemble: CountedEnsemble
    k: int
    measure: str
    schedule: Schedule
    seed: int
    n_threads: int


def anneal(
    ensemble: Ensemble,
    start: ArrayLike,
    n_clusters: int,
    measure: str = DEFAULT_MEASURE,
    schedule: Schedule | None = None,
    *,
    seed: int = 0,
    n_threads: int = 1,
) -> Consensus:
    """Run one chain from labels in [0, n_clusters); each cluster needs a point unless `allow_empty`."""
    check_option("measure", measure, tuple(MEASURES))
    labels = np.ascontiguousarray(start, dtype=np.int32)
    counted, plan = CountedEnsemble.of(ensemble), schedule or Schedule()
    return _run_chain(Chain(0, labels), ChainTask(counted, n_clusters, measure, plan, seed, n_threads))


def _anneal_chains(
    ensemble: Ensemble, k: int, options: ConsensusOptions, method: str, measure: str
) -> Consensus:
    own = options.method_options(
        method, start=PAPER_START, start_init=None, n_chains=1, **_schedule_defaults()
    )
    start, n_chains = own.pop("start"), check_count("n_chains", own.pop("n_chains"))
    start_init = own.pop("start_init")
    schedule = Schedule(**own)
    starts = start_partitions(ensemble, k, start, options, n_chains, start_init)
    chains = [Chain(number, labels) for number, labels in enumerate(starts)]
    # one chain shares its batches among the threads, several chains share the threads
    n_threads = options.n_threads if len(chains) == 1 else 1
    task = ChainTask(CountedEnsemble.of(ensemble), k, measure, schedule, options.seed, n_threads)
    found = options.executor.map(_run_chain, chains, task)
    return max(found, key=_objective)  # the first of equal ones


def _schedule_defaults() -> dict[str, Any]:
    return {field.name: field.default for field in fields(Schedule)}


def _run_chain(chain: Chain, task: ChainTask) -> Consensus:
    options = task.schedule.core_options(len(chain.start), task.n_threads, task.seed, chain.number)
    labels, value, history, n_loops, _, converged = _core.anneal(
        *task.ensemble, chain.start, task.k, MEASURES[task.measure], options
    )
    note = "" if converged else f"stopped after {n_loops} loops"
    return Consensus(labels, objective=value, history=tuple(history.tolist()), note=note)


def _objective(found: Consensus) -> float:
    assert found.objective is not None
    return found.objective
