"""The desk's search box: a hall's players, matches and tables, found by a few letters."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Player
from players.services import fold_name
from tournament.draw.chain import load_people
from tournament.hall.desk import Desk, take_desk
from tournament.hall.values import DeskMatch, Doing
from tournament.models import Board, Entry, Fixture, Member, Tournament
from tournament.models.draw import place_of

MOST_FOUND = 12
MOST_READ = 60
"""The number of entries with a matching name that are examined to find those with a match on the desk."""


@dataclass(frozen=True, slots=True)
class Found:
    """A player, match or table, with a description of where or what it is; ``match`` is its id on the desk."""

    name: str
    where: str
    url: str = ""
    match: int | None = None


def find_in_hall(tournament: Tournament, text: str, *, at: datetime) -> tuple[Found, ...]:
    """Find tables and matches by number, and players by part of their name, ignoring accents and case.

    Returns at most twelve, those on the desk first.
    """
    asked = fold_name(text)
    if not asked:
        return ()
    desk = take_desk(tournament, at=at)
    found = [*_tables(desk, asked), *_matches(tournament, desk, text.strip())]
    if len(asked) > 1 and not asked.isdecimal():
        found += _players(tournament, desk, asked)
    return tuple(sorted(found, key=lambda line: line.match is None)[:MOST_FOUND])


def _tables(desk: Desk, asked: str) -> Iterable[Found]:
    number = "".join(letter for letter in asked if letter.isdecimal())
    word = asked.removesuffix(number).strip()
    if not number or not fold_name(_("Table")).startswith(word):
        return
    for table in desk.tables:
        if str(table.number) == number:
            name = _("Table %(number)s") % {"number": table.number}
            where = _state(table.match) if table.match else (_("out of order") if table.out_of_order else _("free"))
            yield Found(name, where, match=table.match.id if table.match else None)


def _matches(tournament: Tournament, desk: Desk, asked: str) -> Iterable[Found]:
    events = tournament.events.all()
    fixtures = Fixture.objects.filter(key__iexact=asked, stage__event__in=events)
    opened = {match.id: match for match in desk.matches}
    people = [f"entry_{side}__{person}" for side in "ab" for person in ("player", "partner")]
    boards = Prefetch("boards", queryset=Board.objects.select_related("match__side_a", "match__side_b"))
    for fixture in fixtures.select_related("stage__event", "match", *people).prefetch_related(boards)[:MOST_FOUND]:
        for number, played in fixture.matches.items():
            match = opened.get(played.pk)
            who = played if number else f"{fixture.entry_a} – {fixture.entry_b}"
            yield Found(
                f"{place_of(fixture.key, number)} {fixture.stage.event}: {who}",
                _state(match) if match else _("decided"),
                url=reverse("match", args=[played.pk]),
                match=match.id if match else None,
            )


def _players(tournament: Tournament, desk: Desk, asked: str) -> Iterable[Found]:
    """Find the players of entries: a team's members whose names match the letters, or all if the team's name does."""
    named = Q(player__folded_name__contains=asked) | Q(partner__folded_name__contains=asked)
    members = Member.objects.filter(player__folded_name__contains=asked)
    named |= Q(pk__in=members.values("entry")) | Q(team__icontains=asked)
    entries = load_people(Entry.objects.filter(named, event__in=tournament.events.all()).select_related("event"))
    for entry in entries.order_by("player__folded_name", "event_id")[:MOST_READ]:
        for person in _named_in(entry, asked):
            persons = {person.pk} if entry.team else {player.pk for player in entry.people}
            match = next((m for m in desk.matches if m.event_id == entry.event_id and persons & m.persons), None)
            where = f"{match.place}: {_state(match)}" if match else _("no open match")
            yield Found(
                " · ".join(filter(None, [person.name if entry.team else "", entry.name, str(entry.event)])),
                where,
                url=reverse("player", args=[person.pk]),
                match=match.id if match else None,
            )


def _named_in(entry: Entry, asked: str) -> Iterable[Player]:
    if not entry.team:
        return [entry.player]
    return [player for player in entry.people if asked in player.folded_name] or entry.people


def _state(match: DeskMatch) -> str:
    words = {"match": match.names, "table": match.table}
    match match.doing:
        case Doing.CALLED if match.table is None:
            return _("%(match)s, called") % words
        case Doing.CALLED:
            return _("%(match)s, called to table %(table)s") % words
        case Doing.PLAYING if match.table:
            return _("%(match)s, being played at table %(table)s") % words
        case Doing.PLAYING:
            return _("%(match)s, being played") % words
        case Doing.BUSY:
            return match.busy
        case Doing.READY:
            return _("%(match)s, ready to be called") % words
    return _("%(match)s, to be reviewed") % words
