"""A player's career: events with places, matches with wins and points, form, and the opponents met most often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from players.models import Player
from tournament.career.results import Person, Result, results_of
from tournament.models import Entry, Event, Standing

FORM = 10
"""How many of the latest matches are a player's form."""

MOST_OPPONENTS = 12


@dataclass(frozen=True, slots=True)
class Balance:
    """Matches played to their end, those won, and the points of both sides in them."""

    matches: int = 0
    wins: int = 0
    points_for: int = 0
    points_against: int = 0

    @property
    def losses(self) -> int:
        return self.matches - self.wins

    @property
    def per_cent(self) -> int | None:
        """The share of matches won, rounded half up; None without a match."""
        return (200 * self.wins + self.matches) // (2 * self.matches) if self.matches else None


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event that the player entered. ``place`` to ``place_to`` are theirs once it has ended, else None."""

    entry: int
    event: int
    name: str
    slug: str
    tournament: str
    tournament_slug: str
    starts_on: date
    team: str
    partner: str
    is_over: bool
    place: int | None
    place_to: int | None
    entrants: int
    balance: Balance

    @property
    def is_title(self) -> bool:
        """Whether the player, the pair or the team won it alone."""
        return self.place == self.place_to == 1


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody the player has met alone, across the board, and the balance against them."""

    person: Person
    balance: Balance


@dataclass(frozen=True, slots=True)
class Career:
    """Everything that a player has done. ``results`` are the latest first, and ``events`` too."""

    balance: Balance
    events: tuple[EventLine, ...]
    results: tuple[Result, ...]
    opponents: tuple[Opponent, ...]

    @property
    def titles(self) -> int:
        return sum(line.is_title for line in self.events)

    @property
    def finals(self) -> int:
        """The events that ended with place 1 or 2."""
        return sum(line.place is not None and line.place <= 2 for line in self.events)

    @property
    def form(self) -> tuple[Result, ...]:
        """The latest matches played to their end, the latest first."""
        return tuple(result for result in self.results if not result.is_award)[:FORM]

    @property
    def streak(self) -> int:
        """How many matches have been won in a row up to now; negative if they were lost."""
        played = [result.won for result in self.results if not result.is_award]
        if not played:
            return 0
        length = next((number for number, won in enumerate(played) if won != played[0]), len(played))
        return length if played[0] else -length


def career_of(player: Player) -> Career:
    """Return the career of the player in five queries, whatever its length."""
    results = results_of(player)
    by_event: defaultdict[int | None, list[Result]] = defaultdict(list)
    for result in results:
        by_event[result.event].append(result)
    return Career(balance_of(results), tuple(_events(player, by_event)), tuple(results), tuple(_opponents(results)))


def balance_of(results: Iterable[Result]) -> Balance:
    """Return the balance of these results. Our definition: matches decided by an award are no part of it."""
    played = [result for result in results if not result.is_award]
    return Balance(
        len(played),
        sum(result.won for result in played),
        sum(result.own for result in played),
        sum(result.theirs for result in played),
    )


def _opponents(results: Sequence[Result]) -> list[Opponent]:
    met: defaultdict[Person, list[Result]] = defaultdict(list)
    for result in results:
        if len(result.opponents) == 1:
            met[result.opponents[0]].append(result)
    found = [Opponent(person, balance_of(theirs)) for person, theirs in met.items()]
    found = [opponent for opponent in found if opponent.balance.matches]
    found.sort(key=lambda opponent: (-opponent.balance.matches, -opponent.balance.wins, opponent.person.name))
    return found[:MOST_OPPONENTS]


def _events(player: Player, results: Mapping[int | None, Sequence[Result]]) -> list[EventLine]:
    theirs = Q(player=player) | Q(partner=player) | Q(pk__in=player.memberships.values("entry"))
    entries = (
        Entry.objects.filter(theirs, event__in=Event.objects.all(), waiting=False)
        .select_related("event__tournament", "player", "partner")
        .order_by("-event__tournament__starts_on", "-event", "-pk")
    )
    latest: dict[int, Entry] = {}
    for entry in entries:  # the last time that they entered it
        latest.setdefault(entry.event_id, entry)
    places = _places(latest)
    entrants = _entrants(latest)
    return [
        EventLine(
            entry=entry.pk,
            event=entry.event_id,
            name=entry.event.name,
            slug=entry.event.slug,
            tournament=entry.event.tournament.name,
            tournament_slug=entry.event.tournament.slug,
            starts_on=entry.event.tournament.starts_on,
            team=entry.team,
            partner=_partner(entry, player),
            is_over=entry.event.finished_at is not None,
            place=place[0] if place else None,
            place_to=place[1] if place else None,
            entrants=entrants.get(entry.event_id, 0),
            balance=balance_of(results.get(entry.event_id, ())),
        )
        for entry in latest.values()
        for place in (places.get(entry.event_id) if entry.event.finished_at else None,)
    ]


def _partner(entry: Entry, player: Player) -> str:
    if entry.partner is None:
        return ""
    return (entry.partner if entry.player_id == player.pk else entry.player).name


def _places(latest: Mapping[int, Entry]) -> dict[int, tuple[int, int]]:
    """Return the place in each event, by its last stage in which the entry has one."""
    entries = [entry.pk for entry in latest.values()]
    lines = Standing.objects.filter(entry__in=entries, section="").order_by("stage__event", "stage__number")
    values = lines.values_list("stage__event", "place", "place_to")
    return {event: (place, place_to) for event, place, place_to in values}


def _entrants(events: Iterable[int]) -> dict[int, int]:
    """Return how many have a place in the first stage of each event."""
    lines = Standing.objects.filter(stage__event__in=list(events), stage__number=1, section="").order_by()
    counts: defaultdict[int, int] = defaultdict(int)
    for event in lines.values_list("stage__event", flat=True):
        counts[event] += 1
    return counts
