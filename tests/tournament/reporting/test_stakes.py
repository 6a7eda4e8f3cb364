"""What a match is worth on an official list, shown on its page until it is decided."""

from datetime import date

import pytest

from matches.models import Match
from players.lists.models import OfficialList, StartValue
from players.lists.policies import ListPolicy
from players.models import Player
from players.ratings import RATINGS, Rating
from rules.score import Side
from tests.builders import AT, build_director, build_event, win
from tests.tournament.reporting.lists import build_list, enrol
from tournament.entries.links import link_of
from tournament.models import Event, Fixture
from tournament.reporting.counting import lists_of
from tournament.reporting.stakes import IfWon, Stake, stakes_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    official_list = build_list()
    event = build_event(build_director(), players=2, rated_for=(official_list.slug,))
    enrol(official_list, *Player.objects.all())
    for number, player in enumerate(Player.objects.order_by("pk")):
        StartValue.objects.create(
            official_list=official_list,
            player=player,
            value=1600 - 100 * number,
            experience=500,
            as_of=date(2025, 12, 31),
            source="Old list",
        )
    return event


def stakes(event: Event) -> list[Stake]:
    fixture = Fixture.objects.get(stage__event=event)
    match = Match.objects.get(pk=fixture.match_id)
    return stakes_of(fixture, event, match, lists_of(event), AT)


def test_a_match_is_worth_what_the_system_makes_of_its_players(client, event):
    match = Match.objects.get()
    values = dict(StartValue.objects.values_list("player", "value"))
    a, b = (Rating(float(values[pk]), 500) for pk in (match.side_a_id, match.side_b_id))
    system = RATINGS["fibs"]
    if_a, if_b = system.rate_match(a, b, match.length), system.rate_match(b, a, match.length)
    worth = IfWon(if_a[0].value - a.value, if_a[1].value - b.value, if_b[1].value - a.value, if_b[0].value - b.value)
    assert stakes(event) == [Stake("DBF", 0, worth)]
    page = client.get(match.get_absolute_url()).content.decode()
    assert f"+{worth.a_if_a:.2f}" in page
    assert f"−{-worth.b_if_a:.2f}" in page
    assert client.get(f"/api/v1/matches/{match.pk}/").json()["stakes"] == [
        {
            "name": "DBF",
            "publication": 0,
            "if_a_wins": [f"{worth.a_if_a:.2f}", f"{worth.b_if_a:.2f}"],
            "if_b_wins": [f"{worth.a_if_b:.2f}", f"{worth.b_if_b:.2f}"],
        }
    ]
    entry = Fixture.objects.get().entry_b
    phone = " ".join(client.get(link_of(entry)).content.decode().split())
    assert f"<li>DBF +{worth.b_if_b:.1f}</li>" in phone
    assert f"<li>DBF −{-worth.b_if_a:.1f}</li>" in phone


def test_nothing_is_said_of_a_match_that_would_not_count_or_is_decided(client, event):
    official_list = OfficialList.objects.get()
    policy = ListPolicy.objects.create(
        official_list=official_list, valid_from=date(2020, 1, 1), rules={"shortest": 25}, at=AT
    )
    assert stakes(event) == []
    assert client.get(f"/api/v1/matches/{Match.objects.get().pk}/").json()["stakes"] == []
    assert "<li>DBF" not in client.get(link_of(Fixture.objects.get().entry_a)).content.decode()
    ListPolicy.objects.filter(pk=policy.pk).delete()
    assert len(stakes(event)) == 1
    win(Fixture.objects.get().match, Side.A)
    assert 'class="stakes"' not in client.get(Match.objects.get().get_absolute_url()).content.decode()
    assert client.get(f"/api/v1/matches/{Match.objects.get().pk}/").json()["stakes"] == []
