"""How an annealing chain runs: temperature, acceptance, and when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

from intarsia import _core
from intarsia.validation import check_count, check_option

#: Share of the start's value that is the first temperature.
START_SHARE = 0.1
#: A change of one point changes the mean by about 1 / n: above this size the first temperature shrinks alike.
#: The largest set of the paper has this many points, so up to here the schedule is the printed one.
PAPER_SIZE = 500
#: One loop in which no more than one of so many points changes is idle: none at all below this size.
POINTS_PER_IDLE_CHANGE = 10_000
COOLING, LARGE_COOLING = 0.99, 0.97
#: From here on loops cool faster, and points are scored in batches, which threads can share.
LARGE = 50_000
BATCH = 32_768

ACCEPTANCES = {"threshold": _core.Acceptance.THRESHOLD, "metropolis": _core.Acceptance.METROPOLIS}
CHOICES = {"first": _core.Choice.FIRST, "best": _core.Choice.BEST}


@dataclass(frozen=True)
class Schedule:
    """Settings of a chain.

    Attributes
    ----------
    temperature : float, "scaled" or "paper"
        The first temperature. `paper` is a tenth of the start's value; `scaled` (default) the same up to 500
        points and less in proportion beyond, where the printed one would only shuffle all labels. 0 takes
        gains alone.
    cooling : float or None
        Factor of the temperature after each loop over all points; None: 0.99 as in the paper, 0.97 from
        50,000 points on.
    acceptance : str
        A loss dS is taken when exp(dS / T) exceeds `threshold`, or (`metropolis`) with that probability.
    threshold : float
        P0 of the paper.
    choice : str
        A point takes the `first` acceptable label of a random order, or the `best` label if acceptable.
    patience : int
        Idle loops that end the chain: without a change (one within rounding is none), or with at most one
        change for 10,000 points. The last word is always a descent until no single change gains.
    max_loops : int
        Loops at most.
    batch : int or None
        Points scored against the same state; 1 scores each against the latest. None: 1 below 50,000 points,
        32,768 from there on. The result depends on it, never on the number of threads.
    allow_empty : bool
        Whether clusters may vanish.
    """

    temperature: float | str = "scaled"
    cooling: float | None = None
    acceptance: str = "threshold"
    threshold: float = 0.85
    choice: str = "first"
    patience: int = 2
    max_loops: int = 5000
    batch: int | None = None
    allow_empty: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.temperature, str):
            check_option("temperature", self.temperature, ("scaled", "paper"))
        elif not _number(self.temperature) or not 0 <= self.temperature < float("inf"):
            raise ValueError(f"temperature={self.temperature!r} should be >= 0, 'scaled' or 'paper'.")
        if self.cooling is not None:
            _check_share("cooling", self.cooling)
        _check_share("threshold", self.threshold)
        check_option("acceptance", self.acceptance, tuple(ACCEPTANCES))
        check_option("choice", self.choice, tuple(CHOICES))
        check_count("patience", self.patience)
        check_count("max_loops", self.max_loops, least=0)
        if self.batch is not None:
            check_count("batch", self.batch)

    def core_options(self, n_samples: int, n_threads: int, seed: int, chain: int) -> _core.AnnealingOptions:
        """Return the settings of one chain as the compiled code takes them."""
        options = _core.AnnealingOptions()
        if not isinstance(self.temperature, str):
            options.temperature = float(self.temperature)
        shrink = min(1.0, PAPER_SIZE / n_samples) if self.temperature == "scaled" else 1.0
        options.start_share = START_SHARE * shrink
        options.cooling = self.cooling or (COOLING if n_samples < LARGE else LARGE_COOLING)
        options.threshold = self.threshold
        options.acceptance, options.choice = ACCEPTANCES[self.acceptance], CHOICES[self.choice]
        options.patience, options.max_loops = self.patience, self.max_loops
        options.idle_changes = n_samples // POINTS_PER_IDLE_CHANGE
        options.batch = self.batch or (1 if n_samples < LARGE else BATCH)
        options.allow_empty = self.allow_empty
        options.n_threads, options.seed, options.chain = n_threads, seed, chain
        return options


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _check_share(name: str, value: Any) -> None:
    if not _number(value) or not 0 < value < 1:
        raise ValueError(f"{name}={value!r} should be a number between 0 and 1.")
