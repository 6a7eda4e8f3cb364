"""What the picture says that stands for a page where its address is shared."""

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Tournament
from tournament.pictures.draw import brackets_of, round_name
from tournament.pictures.share import SharePicture, ShareSide
from tournament.snapshot import EventSnapshot, FixtureSnapshot, FixtureState
from tournament.snapshot.states import MatchState

MOST_EVENTS = 4
"""How many events of a tournament are named."""


def share_of_event(event: EventSnapshot) -> SharePicture:
    """Return the winner of the event, the match that has come farthest, or how many will play."""
    field = _field(event)
    if event.finished_at is not None and event.stages[-1].winners:
        winners = [line.entry.name for line in event.stages[-1].winners]
        final = _last(event)
        if len(winners) == 1 and final is not None and winners[0] in (final.a.label, final.b.label):
            return _of_match(event, final, field)
        note = field if len(winners) == 1 else _("Shared first place")
        sides = tuple(ShareSide(name, is_winner=True) for name in winners[:2])
        return SharePicture(event.tournament_name, event.name, sides, note)
    if (match := _last(event)) is not None:
        return _of_match(event, match, field)
    return SharePicture(event.tournament_name, event.name, note=field if event.entries else "")


def _field(event: EventSnapshot) -> str:
    """Say how many players, pairs or teams there are."""
    count = event.participants
    if event.has_teams:
        said = ngettext("%(count)s team", "%(count)s teams", count)
    elif event.doubles:
        said = ngettext("%(count)s pair", "%(count)s pairs", count)
    else:
        said = ngettext("%(count)s player", "%(count)s players", count)
    return said % {"count": count}


def _last(event: EventSnapshot) -> FixtureSnapshot | None:
    """Return the match in play that has come farthest, else the last one decided; none that is in dispute."""
    shown = [one for one in event.stage.fixtures if one.status not in (MatchState.DISPUTED, MatchState.VOID)]
    for state in (FixtureState.LIVE, FixtureState.DONE):
        found = [one for one in shown if one.state is state and one.a.entry and one.b.entry]
        if found:
            brackets = brackets_of(event.stage)
            return min(found, key=lambda one: (brackets.index(one.bracket), -one.round, one.number))
    return None


def _of_match(event: EventSnapshot, match: FixtureSnapshot, note: str) -> SharePicture:
    sides = tuple(
        ShareSide(seat.label, "" if seat.points is None else str(seat.points), seat.is_winner)
        for seat in (match.a, match.b)
    )
    words = {"round": round_name(event.stage, match), "length": match.length}
    played = _("%(round)s, to %(length)s") % words
    return SharePicture(event.tournament_name, event.name, sides, f"{played} · {note}")


def share_of_tournament(tournament: Tournament, events: Sequence[Event]) -> SharePicture:
    """Return the name of the tournament with its days, place and events."""
    first, last = date_format(tournament.starts_on), tournament.ends_on
    days = first if last is None else f"{first} – {date_format(last)}"
    names = [event.name for event in events]
    note = ", ".join(names[:MOST_EVENTS]) + (" …" if len(names) > MOST_EVENTS else "")
    return SharePicture(" · ".join(filter(None, (days, tournament.place))), tournament.name, note=note)
