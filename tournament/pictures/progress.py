"""Which round an event is in, and how many matches it takes."""

from datetime import date

from django.utils.translation import gettext as _

from tournament.formats import FORMATS
from tournament.formats.plan import Entrant
from tournament.pictures.draw import ALL_MEET_ALL, ROUND_BY_ROUND, brackets_of, round_name
from tournament.snapshot import EventSnapshot, FixtureState, StageSnapshot

DECIDED = (FixtureState.DONE, FixtureState.BYE)
JACKPOT = "J"


def round_now(event: EventSnapshot, *, today: date) -> str:
    """The round that the stage shown is in: its number, of how many where that is known; of a bracket its name.

    That is the first with a match that is not decided; one that is overdue does not hold it up. Of a bracket with a
    consolation it is the main bracket's, as long as that is played. Empty before the draw and when all is decided, and
    where there are no rounds: in jackpots beside each other, and where whoever is free is paired.
    """
    stage = event.stage
    played = [fixture for fixture in stage.fixtures if fixture.state not in DECIDED]
    played = [fixture for fixture in played if not fixture.is_overdue(today)] or played
    if not played or played[0].bracket[0] == JACKPOT or _is_continuous(stage):
        return ""
    if played[0].bracket[0] not in (ROUND_BY_ROUND, *ALL_MEET_ALL):
        order = brackets_of(stage)
        return round_name(stage, min(played, key=lambda fixture: (order.index(fixture.bracket), fixture.round)))
    current = min(fixture.round for fixture in played)
    rounds = _rounds(event, stage)
    if rounds is None:
        return _("Round %(round)s") % {"round": current}
    return _("Round %(round)s of %(rounds)s") % {"round": current, "rounds": rounds}


def matches_in_all(event: EventSnapshot) -> int:
    """The matches that the stage shown takes, byes left out.

    Where rounds are paired one by one and their number is known, those of the rounds to come are counted too, as if
    all who are in now play on. An event that has ended takes no more.
    """
    stage = event.stage
    rounds = _rounds(event, stage) if stage.fixtures and event.finished_at is None else None
    if rounds is None or _is_continuous(stage):
        return stage.matches
    entrants = _entrants(event, stage)
    coming = range(max(fixture.round for fixture in stage.fixtures) + 1, rounds + 1)
    return stage.matches + sum(sum(entrant.plays_in(round) for entrant in entrants) // 2 for round in coming)


def planned_rounds(event: EventSnapshot, stage: StageSnapshot) -> int | None:
    """How many rounds the stage takes with those who are in it now, as far as its format can say."""
    return FORMATS[stage.format].planned_rounds(stage.options, _entrants(event, stage))


def _is_continuous(stage: StageSnapshot) -> bool:
    return FORMATS[stage.format].is_continuous(stage.options)


def _rounds(event: EventSnapshot, stage: StageSnapshot) -> int | None:
    """How many rounds the stage has; None where that depends on the results."""
    drawn = max(fixture.round for fixture in stage.fixtures)
    if not FORMATS[stage.format].pairs_by_round:
        return drawn
    planned = planned_rounds(event, stage)
    return None if planned is None else max(drawn, planned)


def _entrants(event: EventSnapshot, stage: StageSnapshot) -> list[Entrant]:
    """Those of the stage; who has come to a later one is there from its first round."""
    if stage.number == 1:
        return [Entrant(entry.id, entry.name, presence=entry.presence) for entry in event.entries]
    seated = {entry for fixture in stage.fixtures for entry in fixture.entry_ids}
    return [Entrant(entry, "") for entry in seated]
