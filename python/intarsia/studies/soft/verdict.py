"""What the paper concludes, held against our ratios in plain sentences."""

from __future__ import annotations

from collections.abc import Sequence

from intarsia.studies.published.soft import ALL, BEST_ALL, BEST_TOUGH, HARD_OF, TOUGH
from intarsia.studies.soft.runs import Scored
from intarsia.studies.soft.tables import ratio

#: How far ahead ITK should be over all ensembles.
ITK_AHEAD = 1.05
#: On this data set the paper has sHBGF ahead of ITK.
EXCEPTION = "8d5k"


def sentences(scored: Sequence[Scored]) -> list[str]:
    """Return one sentence for each conclusion that the ensembles that were run can speak of."""
    tough = [one for one in scored if one.case.is_tough]
    gains = [_gain(soft, hard, scored, tough) for soft, hard in HARD_OF.items()]
    leads = [_lead(rival, scored, tough) for rival in ("sHBGF", "sMCLA")]
    return [text for text in (*gains, *leads, _exception(scored)) if text]


def _gain(soft: str, hard: str, scored: Sequence[Scored], tough: Sequence[Scored]) -> str:
    over_all, over_tough = ratio(scored, soft, hard), ratio(tough, soft, hard)
    if over_all is None or over_tough is None:
        return ""
    ahead = "no worse than its hard form" if over_all >= 1.0 else "WORSE than its hard form, unlike the paper"
    paper = (ALL.ratios[hard][soft], TOUGH.ratios[hard][soft])
    figures = _figures(soft, hard, over_all, over_tough, paper)
    return f"{figures}: {ahead}{_on_tough('gain', over_all, over_tough)}"


def _lead(rival: str, scored: Sequence[Scored], tough: Sequence[Scored]) -> str:
    over_all, over_tough = ratio(scored, "ITK", rival), ratio(tough, "ITK", rival)
    if over_all is None or over_tough is None:
        return ""
    above = f"{'above' if over_all > ITK_AHEAD else 'NOT above'} {ITK_AHEAD:g} over all"
    paper = (BEST_ALL.ratios[rival]["ITK"], BEST_TOUGH.ratios[rival]["ITK"])
    figures = _figures("ITK", rival, over_all, over_tough, paper)
    return f"{figures}: {above}{_on_tough('lead', over_all, over_tough)}"


def _figures(method: str, base: str, over_all: float, over_tough: float, paper: tuple[float, float]) -> str:
    ours = f"{over_all:.3f} over all, {over_tough:.3f} over the tough ensembles"
    return f"{method} over {base}: {ours} (paper {paper[0]:g} and {paper[1]:g})"


def _on_tough(what: str, over_all: float, over_tough: float) -> str:
    larger = "larger" if over_tough > over_all else "NOT larger, unlike the paper,"
    return f"; the {what} is {larger} on the tough ones."


def _exception(scored: Sequence[Scored]) -> str:
    ours = ratio([one for one in scored if one.case.data == EXCEPTION], "sHBGF", "ITK")
    if ours is None:
        return ""
    direction = "as in the paper" if ours > 1.0 else "unlike the paper, which has sHBGF ahead"
    return f"sHBGF over ITK on {EXCEPTION}: {ours:.3f} (paper 1.03), {direction}."
