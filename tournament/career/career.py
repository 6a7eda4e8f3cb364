"""A player's career: events with places, matches with wins and points, form, and the opponents met most often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q

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
    """An event that the player entered; ``entry`` is the last one of those who entered again.

    ``place`` to ``place_to`` are theirs once it has ended, else None; the best one of those who entered again.
    """

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
        """The events that ended with place 1 or 2, alone or shared by two."""
        return sum(line.place_to is not None and line.place_to <= 2 for line in self.events)

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
    """Return the career of the player in four queries, whatever its length."""
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
    drawn = Q(left_stage=None) | Q(left_stage__gt=1)
    entries = list(
        Entry.objects.filter(theirs, drawn, event__in=Event.objects.all(), waiting=False)
        .select_related("event__tournament", "player", "partner")
        .order_by("-event__tournament__starts_on", "-event", "-pk")
    )
    latest: dict[int, Entry] = {}
    for entry in entries:
        latest.setdefault(entry.event_id, entry)
    sizes = _sizes(latest)
    places = _places(entries, sizes)
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
            entrants=sizes[entry.event_id].get(1, 0),
            balance=balance_of(results.get(entry.event_id, ())),
        )
        for entry in latest.values()
        for place in (places.get(entry.event_id) if entry.event.finished_at else None,)
    ]


def _partner(entry: Entry, player: Player) -> str:
    if entry.partner is None:
        return ""
    return (entry.partner if entry.player_id == player.pk else entry.player).name


def _places(entries: Iterable[Entry], sizes: Mapping[int, Mapping[int, int]]) -> dict[int, tuple[int, int]]:
    """Return the place in each event: the best of those of the entries, each by the last stage that has it.

    A place in a stage that leads into the next one is none: who would have gone on and left has no place in the event.
    """
    lines = Standing.objects.filter(entry__in=[entry.pk for entry in entries], section="").order_by("stage__number")
    last: dict[int, list[int]] = {}
    for entry, *line in lines.values_list("entry", "stage__event", "stage__number", "place", "place_to"):
        last[entry] = line
    places: dict[int, tuple[int, int]] = {}
    for event, stage, place, place_to in last.values():
        if place_to > sizes[event].get(stage + 1, 0):
            places[event] = min((place, place_to), places.get(event, (place, place_to)))
    return places


def _sizes(events: Iterable[int]) -> Mapping[int, Mapping[int, int]]:
    """Return how many have a place in each stage, by event and the stage's number."""
    lines = Standing.objects.filter(stage__event__in=list(events), section="").order_by()
    sizes: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for event, stage, size in lines.values_list("stage__event", "stage__number").annotate(Count("pk")):
        sizes[event][stage] = size
    return sizes
