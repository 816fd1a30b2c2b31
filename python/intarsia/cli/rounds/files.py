"""What `--out` of `intarsia boost` and `intarsia bag` leaves: labels, rounds, facts, and pictures."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Labels
from intarsia.io import atomic_write, write_json, write_labels
from intarsia.report.plots import can_draw
from intarsia.report.scatter import Cloud, Plane, draw_clouds, some_rows

if TYPE_CHECKING:
    from intarsia.boosting import Round
    from intarsia.boosting.fitting import RoundsFit

NUMBERS = (
    "number", "epsilon", "beta", "used", "vote", "n_drawn", "least_weight", "largest_weight",
    "effective_points",
)  # fmt: skip
PICTURES = ("partition.png", "rounds.png")
FILES = ("labels.csv", "rounds.csv", *PICTURES, "result.json")
#: Rounds shown in the picture of who was drawn.
SHOWN_ROUNDS = 3


def write_results(
    out: Path, facts: dict[str, Any], model: RoundsFit, X: NDArray[Any], labels: Labels
) -> list[str]:
    """Write all files and return their names; result.json is the last: when it is there, all are there."""
    out.mkdir(parents=True, exist_ok=True)
    write_labels(out / "labels.csv", labels)
    _write_rounds(out / "rounds.csv", model.rounds_)
    pictures = draw_results(out, model, X) if can_draw() else []
    write_json(out / "result.json", facts)
    return [name for name in FILES if name not in PICTURES or name in pictures]


def draw_results(out: Path, model: RoundsFit, X: NDArray[Any]) -> list[str]:
    """Draw the partition and, where there were rounds, the points that some of them drew and did not draw."""
    plane, rows = Plane.of(X), some_rows(len(X))
    places = plane.place(X[rows])
    kind = "boosted" if hasattr(model, "max_rounds") else "bagged"
    title = f"{model.n_clusters} clusters, {kind} in {model.n_rounds_} rounds"
    draw_clouds(out / "partition.png", title, [Cloud("", places, model.labels_[rows])], plane.names)
    if not model.rounds_:
        return ["partition.png"]
    clouds = []
    for t in _shown(len(model.rounds_)):
        drawn = model.draws_history_[t, rows] > 0
        clouds += [Cloud(f"drawn in round {t + 1}", places[drawn])]
        clouds += [Cloud(f"not drawn in round {t + 1}", places[~drawn])]
    draw_clouds(out / "rounds.png", "Points by round", clouds, plane.names)
    return ["partition.png", "rounds.png"]


def _shown(n_rounds: int) -> list[int]:
    """Return a few rounds from the second (the first is always drawn evenly) to the last."""
    first = min(1, n_rounds - 1)
    return sorted({round(t) for t in np.linspace(first, n_rounds - 1, SHOWN_ROUNDS)})


def _write_rounds(path: Path, rounds: tuple[Round, ...]) -> None:
    with atomic_write(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*NUMBERS, "sizes", "failures"])
        for record in rounds:
            sizes = " ".join(map(str, record.sizes.tolist()))
            values = [getattr(record, name) for name in NUMBERS]
            writer.writerow([*values, sizes, "; ".join(record.failures)])
