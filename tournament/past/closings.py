"""The closings of an event as everybody saw them at any moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from tournament.draw.closings import ClosingView, closings_of
from tournament.models import Event, PublicSource
from tournament.past.event import Moment

VERBS = (
    *("close_entries", "reopen_entries", "type_dice", "repeat_dice", "give_word", "enter_drand"),
    *("make_draw", "cancel_draw"),
)


def closings_at(event: Event, moment: Moment) -> Sequence[ClosingView]:
    """Return the event's closings as they stood then: later rows of the log are unwound, the newest first."""
    found = {closing.number: closing for closing in closings_of(event)}
    for row in moment.later(event.log.filter(verb__in=VERBS)).order_by("-id"):
        if row.verb in ("make_draw", "cancel_draw"):
            _unwind_draw(found, row.verb, row.detail.get("stage", 1), row.at)
            continue
        closing = found.pop(row.detail["closing"], None)
        if closing is not None and row.verb != "close_entries":
            found[closing.number] = UNWIND[row.verb](closing, row.detail)
    _hide_dice_not_typed(event, moment, found)
    return [found[number] for number in sorted(found)]


def _unwind_draw(found: dict[int, ClosingView], verb: str, stage: int, at: datetime) -> None:
    """Unwind a draw that used a closing, or one that was taken back, which voided it without a reason."""
    for closing in found.values():
        if closing.stage != stage:
            continue
        if verb == "cancel_draw" and closing.voided_at == at and not closing.void_reason:
            found[closing.number] = replace(closing, voided_at=None, is_used=True)
        elif verb == "make_draw" and closing.is_used:
            before = replace(closing, is_used=False)
            is_of_words = closing.source == PublicSource.WORDS
            found[closing.number] = replace(before, value="", known_at=None) if is_of_words else before


def _hide_dice_not_typed(event: Event, moment: Moment, found: dict[int, ClosingView]) -> None:
    """Leave out who typed dice in where nobody had by then."""
    if not any(closing.first for closing in found.values()):
        return
    typed = event.log.filter(verb="type_dice")
    later = moment.later(typed).values("pk")
    by_then = {row.detail["closing"] for row in typed.exclude(pk__in=later)}
    for closing in found.values():
        if closing.number not in by_then:
            found[closing.number] = replace(closing, first="")


def _reopened(closing: ClosingView, detail: Mapping[str, Any]) -> ClosingView:
    return replace(closing, voided_at=None, void_reason="")


def _unknown(closing: ClosingView, detail: Mapping[str, Any]) -> ClosingView:
    return replace(closing, value="", known_at=None, second="", by_link=False, signature="")


def _without_word(closing: ClosingView, detail: Mapping[str, Any]) -> ClosingView:
    return replace(closing, words=tuple(word for word in closing.words if word.number != detail["number"]))


def _as_it_is(closing: ClosingView, detail: Mapping[str, Any]) -> ClosingView:
    return closing


UNWIND: Mapping[str, Callable[[ClosingView, Mapping[str, Any]], ClosingView]] = {
    "reopen_entries": _reopened,
    "repeat_dice": _unknown,
    "enter_drand": _unknown,
    "give_word": _without_word,
    "type_dice": _as_it_is,
}
"""How a row of the log about one closing is unwound."""
