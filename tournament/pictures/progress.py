"""The current round of an event, and the number of matches it takes."""

from datetime import date

from django.utils.translation import gettext as _

from tournament.formats import FORMATS
from tournament.formats.plan import Entrant
from tournament.pictures.draw import ALL_MEET_ALL, ROUND_BY_ROUND, brackets_of, round_name
from tournament.snapshot import EventSnapshot, FixtureState, StageSnapshot

DECIDED = (FixtureState.DONE, FixtureState.BYE)
JACKPOT = "J"


def round_now(event: EventSnapshot, *, today: date) -> str:
    """Return the current round of the stage that is shown: its number, with the total if known, or a bracket's name.

    That is the first round with an undecided match; an overdue match does not hold it back. With a consolation, it is
    the round of the main bracket as long as that is being played. Empty before the draw, once everything is decided,
    and where there are no common rounds: in parallel jackpots, in a continuous Swiss and on a ladder.
    """
    stage = event.stage
    played = [fixture for fixture in stage.fixtures if fixture.state not in DECIDED]
    played = [fixture for fixture in played if not fixture.is_overdue(today)] or played
    if not played or played[0].bracket[0] == JACKPOT or stage.is_ladder or _is_continuous(stage):
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
    """Return the number of matches in the stage that is shown, without byes.

    Where rounds are paired one by one and their number is known, the matches of coming rounds are counted too, assuming
    that every present entry plays on. An event that has ended takes no further matches.
    """
    stage = event.stage
    rounds = _rounds(event, stage) if stage.fixtures and event.finished_at is None else None
    if rounds is None or _is_continuous(stage):
        return stage.matches
    entrants = _entrants(event, stage)
    coming = range(max(fixture.round for fixture in stage.fixtures) + 1, rounds + 1)
    return stage.matches + sum(sum(entrant.plays_in(round) for entrant in entrants) // 2 for round in coming)


def planned_rounds(event: EventSnapshot, stage: StageSnapshot) -> int | None:
    """Return how many rounds the stage takes with its current entrants, as far as its format can say."""
    return FORMATS[stage.format].planned_rounds(stage.options, _entrants(event, stage))


def _is_continuous(stage: StageSnapshot) -> bool:
    return FORMATS[stage.format].is_continuous(stage.options)


def _rounds(event: EventSnapshot, stage: StageSnapshot) -> int | None:
    """Return the number of rounds of the stage; None where it depends on the results."""
    drawn = max(fixture.round for fixture in stage.fixtures)
    if not FORMATS[stage.format].pairs_by_round:
        return drawn
    planned = planned_rounds(event, stage)
    return None if planned is None else max(drawn, planned)


def _entrants(event: EventSnapshot, stage: StageSnapshot) -> list[Entrant]:
    """Return the entrants of the stage; in a later stage, everyone is present from its first round."""
    if stage.number == 1:
        return [Entrant(entry.id, entry.name, presence=entry.presence) for entry in event.entries]
    seated = {entry for fixture in stage.fixtures for entry in fixture.entry_ids}
    return [Entrant(entry, "") for entry in seated]
