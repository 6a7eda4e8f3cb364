"""Play-offs: matches whose only purpose is to separate tied entries."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, record_change, require_running
from tournament.draw.advance import advance
from tournament.draw.chain import load_chain
from tournament.models import Entry, Event, PlayOff, Stage
from tournament.ranking.standings import StandingLine
from tournament.ranking.tiebreaks import PLAY_OFF


@transaction.atomic
def enter_play_off(stage: Stage, *, winner: Entry, loser: Entry, by: User | None, at: datetime) -> PlayOff:
    """Record that ``winner`` beat ``loser`` in the stage's play-off, replacing any earlier result between them.

    Raises Conflict if the event does not use play-offs or the stage is not finished, Refusal for two who do not share
    a place without the play-offs, and RepairNeeded if it would move somebody out of a match of a later stage.
    """
    event, at = _lock(stage, at)
    if PLAY_OFF not in event.tiebreaks:
        raise Conflict("play_off_not_used", _("The play-off is not among the tie-breaks of this event."))
    ties = tied_for_play_off(event, stage)
    if winner.pk == loser.pk or not any({winner.pk, loser.pk} <= set(tie) for tie in ties):
        raise Refusal(
            "play_off_not_tied",
            _("Only entries that are tied can meet in a play-off: %(names)s are not.")
            % {"names": f"{winner.name}, {loser.name}"},
        )
    stage.play_offs.filter(Q(winner=winner, loser=loser) | Q(winner=loser, loser=winner)).delete()
    play_off = PlayOff.objects.create(stage=stage, winner=winner, loser=loser)
    _follow(event, stage, play_off, verb="enter_play_off", by=by, at=at)
    return play_off


@transaction.atomic
def void_play_off(play_off: PlayOff, *, by: User | None, at: datetime) -> None:
    """Void the play-off, as if it had never been entered. Raises Conflict in the same cases as entering it."""
    event, at = _lock(play_off.stage, at)
    if not PlayOff.objects.filter(pk=play_off.pk).delete()[0]:
        raise Conflict("play_off_gone", _("This play-off has already been taken back."))
    _follow(event, play_off.stage, play_off, verb="void_play_off", by=by, at=at)


def tied_for_play_off(event: Event, stage: Stage) -> list[list[int]]:
    """Return the entries, by id, that would share a place without play-offs, in the order of the standings.

    Only rankings by wins have ties. Raises Conflict until the stage is finished.
    """
    chain = load_chain(event)
    if stage.drawn_at is None or chain.waits(stage) or not chain.at(stage).plan.finished:
        raise Conflict(
            "play_off_too_early", _("A play-off can be entered once all matches of the stage have been played.")
        )
    planned = replace(chain.at(stage), play_offs=())
    by_wins = {section.bracket for section in planned.plan.sections if section.placings is None}
    if planned.plan.placings is None:
        by_wins.add("")
    ties = [_ties(lines) for section, lines in planned.standings.items() if section in by_wins]
    return [tie for found in ties for tie in found]


def _ties(lines: tuple[StandingLine, ...]) -> list[list[int]]:
    places: dict[int, list[int]] = {}
    for line in lines:
        places.setdefault(line.place, []).append(line.entrant)
    return [tie for tie in places.values() if len(tie) > 1]


def _lock(stage: Stage, at: datetime) -> tuple[Event, datetime]:
    event, at = begin_step(stage.event, at)
    require_running(event)
    stage.refresh_from_db()
    return event, at


def _follow(event: Event, stage: Stage, play_off: PlayOff, *, verb: str, by: User | None, at: datetime) -> None:
    advance(event, stage, by=by, at=at)
    names = [play_off.winner.name, play_off.loser.name]
    entries = [play_off.winner_id, play_off.loser_id]
    record_change(event, verb=verb, by=by, at=at, stage=stage.number, names=names, entries=entries)
