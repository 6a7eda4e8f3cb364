"""The states of a match as pages and the API name them; a single function derives them from what is stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class MatchState(StrEnum):
    WAITING = "waiting"
    READY = "ready"
    CALLED = "called"
    PLAYING = "playing"
    REPORTED = "reported"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    LOCKED = "final"
    FORFEIT = "forfeit"
    WALKOVER = "walkover"
    BYE = "bye"
    VOID = "void"
    SETTLED = "settled"


STATE_NAMES: dict[MatchState, str | Promise] = {
    MatchState.WAITING: _("waiting"),
    MatchState.READY: _("ready to play"),
    MatchState.CALLED: _("called"),
    MatchState.PLAYING: _("being played"),
    MatchState.REPORTED: _("reported"),
    MatchState.DISPUTED: _("disputed"),
    MatchState.CONFIRMED: _("confirmed"),
    MatchState.CORRECTED: _("corrected"),
    MatchState.LOCKED: pgettext_lazy("state of a match", "final"),
    MatchState.FORFEIT: _("forfeit"),
    MatchState.WALKOVER: _("walkover"),
    MatchState.BYE: _("bye"),
    MatchState.VOID: _("void"),
    MatchState.SETTLED: _("settled"),
}


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """The facts that determine the state of a match.

    ``conclusion`` is that of a confirmed sheet, empty without one; ``corrected``: it came after another result.
    ``reported_over``: the match is over according to an open report. ``next_begun``: either player has begun the next
    match.
    """

    is_bye: bool = False
    is_in_draw: bool = True
    has_match: bool = True
    called: bool = False
    started: bool = False
    has_live_sheet: bool = False
    has_reports: bool = False
    reported_over: bool = False
    disputed: bool = False
    conclusion: str = ""
    corrected: bool = False
    next_begun: bool = False
    event_ended: bool = False


def state_of(facts: MatchFacts) -> MatchState:
    """Return the state of the match. A decision takes precedence over claims, and claims over current activity."""
    if facts.is_bye:
        return MatchState.BYE
    if facts.has_match and not facts.is_in_draw:
        return MatchState.VOID
    if not facts.has_match:
        return MatchState.WAITING
    if facts.conclusion:
        return _decided(facts)
    if facts.disputed:
        return MatchState.DISPUTED
    if facts.reported_over:
        return MatchState.REPORTED
    if facts.has_live_sheet or facts.has_reports or facts.started:
        return MatchState.PLAYING
    return MatchState.CALLED if facts.called else MatchState.READY


def _decided(facts: MatchFacts) -> MatchState:
    if facts.conclusion != "played":
        return MatchState(facts.conclusion)
    if facts.event_ended:
        return MatchState.SETTLED
    if facts.next_begun:
        return MatchState.LOCKED
    return MatchState.CORRECTED if facts.corrected else MatchState.CONFIRMED
