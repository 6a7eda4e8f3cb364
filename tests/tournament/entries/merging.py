"""Players of events of every kind, who are merged and parted again in the tests."""

from django.db.models import ManyToOneRel

from matches.models import Match
from matches.ratings import rate_matches
from players.models import Merge, Player, Rating
from tests.builders import AT, build_event, build_tournament
from tournament.audit import audit_everything
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.models import Entry, Event, Fixture

LATER = ("Greens: Gry, Hans, Ida", "Whites: Jan, Kim, Liv")


def everybody() -> object:
    """Every row that refers to a person, every player, and what the draws say about people."""
    columns = [
        (relation.related_model, relation.field.name)
        for relation in Player._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel) and relation.related_model not in (Merge, Rating)
    ]
    return (
        {(model.__name__, name): list(model.objects.order_by("pk").values_list("pk", name)) for model, name in columns},
        list(Player.objects.order_by("pk").values()),
        list(Entry.objects.order_by("pk").values_list("pk", "drawn_as")),
        list(Fixture.objects.order_by("pk").values_list("pk", "why")),
        list(Rating.objects.order_by("player_id").values_list("player_id", "value", "matches")),
    )


def assert_audited(*events: Event) -> None:
    for event in events:
        store_standings(event.pk)
    rate_matches("fibs", at=AT)
    assert [str(difference) for difference in audit_everything()] == []


def event_of(director, name: str, lines: list[str], *, drawn: bool = True, **terms) -> Event:
    event = build_event(director, players=0, drawn=False, tournament=build_tournament(director, name), **terms)
    add_entries(event, lines=[EntryLine(name=line, line=n) for n, line in enumerate(lines, 1)], by=None, at=AT)
    return make_draw(event, by=None, at=AT).event if drawn else event


def known(name: str) -> Player:
    return Player.objects.get(name=name)


def match_of(event: Event, player: Player) -> Match:
    return Match.objects.filter(fixture__stage__event=event).filter(side_a=player).first() or Match.objects.get(
        fixture__stage__event=event, side_b=player
    )
