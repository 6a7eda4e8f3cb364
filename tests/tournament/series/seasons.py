"""Events whose finishing order is known, for series: everybody meets everybody, and the earlier one always wins."""

from collections.abc import Sequence

from players.models import Federation, Player, User
from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.models import Event, Series, Tournament
from tournament.series.make import SeriesData, add_series_event, make_series

TABLE = {"table": [10, 6, 4, 2], "decimals": 0}
NAMES = ("Ann Holm", "Bo Lund", "Cy Berg", "Dee Dahl")


def build_people() -> list[Player]:
    return [Player.objects.create(name=name, folded_name=name.lower(), created_at=AT) for name in NAMES]


def hold(
    director: User,
    order: Sequence[Player],
    *,
    format: str = "round-robin",
    ended: bool = True,
    tournament: Tournament | None = None,
    name: str = "Main",
) -> Event:
    """Play an event of these people, in which each beats all who stand after them."""
    event = build_event(director, players=0, drawn=False, format=format, tournament=tournament, name=name)
    lines = [EntryLine(one.name, player_id=one.pk, line=number) for number, one in enumerate(order, start=1)]
    add_entries(event, lines=lines, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    rank = {one.pk: number for number, one in enumerate(order)}
    while found := open_matches(event):
        for match in found:
            win(match, Side.A if rank[match.side_a_id] < rank[match.side_b_id] else Side.B)
    if ended:
        finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    return Event.objects.get(pk=event.pk)


def build_series(federation: Federation, events: Sequence[Event] = (), **terms: object) -> Series:
    """A series of points by place: 10, 6, 4 and 2, unless said otherwise."""
    data = SeriesData(**{"name": "Tour 2026", "points": "places", "parameters": TABLE, **terms})  # type: ignore[arg-type]
    series = make_series(federation, data, by=None, at=AT)
    for event in events:
        add_series_event(series, event, by=None)
    return series
