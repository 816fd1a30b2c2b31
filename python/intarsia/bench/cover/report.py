"""What `bench cover` measures of one pool, and how it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from intarsia.bench.measure import peak_rss_mb
from intarsia.report.terminal import print_json, print_table

_TIMES = ("HiGHS CPU s", "ours CPU s")
PROOF_COLUMNS = ("case", "columns", "HiGHS cost", "ours", "same", *_TIMES, "ratio", "status")
RACE_COLUMNS = ("case", "columns", "limit s", "HiGHS cost", "ours", "better %", *_TIMES)


@dataclass(frozen=True)
class Proof:
    """Both solvers to the proven optimum of one pool."""

    case: str
    n_columns: int
    highs_cost: float
    ours_cost: float
    same: bool
    highs_s: float
    ours_s: float
    ratio: float
    status: str


@dataclass(frozen=True)
class Race:
    """The covers at hand after the same number of seconds; ours may add clusters that it improves."""

    case: str
    n_columns: int
    seconds: float
    highs_cost: float | None
    ours_cost: float
    highs_s: float
    ours_s: float
    better_percent: float | None


def show(proofs: Sequence[Proof], races: Sequence[Race], n_runs: int, as_json: bool) -> None:
    """Print both tables, or one JSON object."""
    if as_json:
        tables = {"proofs": [asdict(proof) for proof in proofs], "races": [asdict(race) for race in races]}
        print_json({"benchmark": "cover", "n_runs": n_runs, **tables, "peak_mb": peak_rss_mb()})
        return
    if proofs:
        title = f"to the optimum of a pool of {n_runs} k-means runs"
        print_table(title, PROOF_COLUMNS, [_proof_row(proof) for proof in proofs])
    if races:
        print_table("best cover within a time limit", RACE_COLUMNS, [_race_row(race) for race in races])
    print(f"peak memory of this process: {peak_rss_mb():.0f} MB")


def _proof_row(proof: Proof) -> list[str]:
    costs = [f"{proof.highs_cost:.2f}", f"{proof.ours_cost:.2f}", "yes" if proof.same else "NO"]
    times = [f"{proof.highs_s:.3f}", f"{proof.ours_s:.3f}", f"{proof.ratio:.1f}"]
    return [proof.case, str(proof.n_columns), *costs, *times, proof.status]


def _race_row(race: Race) -> list[str]:
    theirs = "none" if race.highs_cost is None else f"{race.highs_cost:.2f}"
    better = "-" if race.better_percent is None else f"{race.better_percent:.3f}"
    costs = [f"{race.seconds:g}", theirs, f"{race.ours_cost:.2f}", better]
    return [race.case, str(race.n_columns), *costs, f"{race.highs_s:.1f}", f"{race.ours_s:.1f}"]
