"""What the paper concludes, held against our ratios in plain sentences."""

from __future__ import annotations

from collections.abc import Sequence

from intarsia.studies.soft.published import ALL, BEST_ALL, BEST_TOUGH, HARD_OF, TOUGH
from intarsia.studies.soft.runs import FORMS, Scored
from intarsia.studies.soft.tables import Ratio, ratio

#: On this data set the paper has sHBGF ahead of ITK.
EXCEPTION = "8d5k"


def sentences(scored: Sequence[Scored]) -> list[str]:
    """Return one sentence for each conclusion and form that the ensembles that were run can speak of."""
    texts = [text for form in FORMS for text in _of_form(scored, form)]
    return [text for text in texts if text]


def _of_form(scored: Sequence[Scored], form: str) -> list[str]:
    tough = [one for one in scored if one.case.is_tough]
    gains = [
        _compared(soft, hard, scored, tough, form, (ALL.ratios[hard][soft], TOUGH.ratios[hard][soft]))
        for soft, hard in HARD_OF.items()
    ]
    leads = [
        _compared(
            "ITK",
            rival,
            scored,
            tough,
            form,
            (BEST_ALL.ratios[rival]["ITK"], BEST_TOUGH.ratios[rival]["ITK"]),
        )
        for rival in ("sHBGF", "sMCLA")
    ]
    return [*gains, *leads, _exception(scored, form)]


def _compared(
    method: str,
    base: str,
    scored: Sequence[Scored],
    tough: Sequence[Scored],
    form: str,
    paper: tuple[float, float],
) -> str:
    over_all, over_tough = ratio(scored, method, base, form=form), ratio(tough, method, base, form=form)
    if over_all is None or over_tough is None:
        return ""
    larger = "larger" if over_tough.value > over_all.value else "NOT larger"
    return (
        f"{form}, {method} over {base}: {_text(over_all)} over all, {_text(over_tough)} over tough ensembles "
        f"(paper {paper[0]:g} and {paper[1]:g}): {_verdict(over_all)}; {larger} on the tough ones."
    )


def _text(found: Ratio) -> str:
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _verdict(found: Ratio) -> str:
    if found.low > 1.0:
        return "ahead"
    return "BEHIND" if found.high < 1.0 else "neither ahead nor behind for sure"


def _exception(scored: Sequence[Scored], form: str) -> str:
    ours = ratio([one for one in scored if one.case.data == EXCEPTION], "sHBGF", "ITK", form=form)
    if ours is None:
        return ""
    return f"{form}, sHBGF over ITK on {EXCEPTION}: {_text(ours)} (paper 1.03): {_verdict(ours)}."
