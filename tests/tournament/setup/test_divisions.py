"""Divisions: set from the top down, and the next season made of their final standings as the director confirms it."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, build_tournament, open_matches, win
from tests.meanwhile import before_transaction
from tests.tournament.api.client import CheckedClient
from tests.tournament.pages.test_my_page import text_of
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event, set_door
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.deletion import delete_event, delete_tournament, restore_event, restore_tournament
from tournament.events.services import finish_event, reopen_event
from tournament.events.stages import add_stage
from tournament.models import Event, Tournament
from tournament.setup.divisions import DivisionRule, divisions_of, set_divisions
from tournament.setup.next_season import Why, hold_next_season, propose_season
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db

WHO = {"by": None, "at": AT}
NEXT = date(2026, 9, 4)


def build_division(
    director, tournament: Tournament, name: str, *, leaves: bool = False, waits: tuple[str, ...] = ()
) -> Event:
    """A division of four that has ended: the lower number wins, so that nobody shares a place.

    With others who ``wait`` it has a limit of four.
    """
    event = build_event(director, players=0, drawn=False, format="league", tournament=tournament, name=name)
    if waits:
        set_door(event, max_entries=4, check_in=False, late_minutes=None, **WHO)
    names = [*(f"{name} {number}" for number in (1, 2, 3, 4)), *waits]
    add_entries(event, lines=[EntryLine(name=one) for one in names], by=director, at=AT)
    make_draw(event, by=director, at=AT)
    for match in open_matches(event):
        fixture = match.fixture
        win(match, Side.A if fixture.entry_a.number < fixture.entry_b.number else Side.B)
    if leaves:
        leave_event(event.entries.last(), kind="withdrawn", **WHO)
    finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    return event


@pytest.fixture
def season(director) -> Tournament:
    tournament = build_tournament(director, "League 2026")
    first, second = (build_division(director, tournament, name) for name in ("First", "Second"))
    set_divisions(tournament, rules=[DivisionRule(first.pk, down=1), DivisionRule(second.pk, up=2)], **WHO)
    return tournament


def ways(tournament: Tournament) -> dict[str, tuple[str, str]]:
    names = {event.pk: event.name for event in tournament.events.all()}
    return {one.name: (names.get(one.proposed, ""), one.why) for one in propose_season(tournament).placed}


def entered(tournament: Tournament) -> dict[str, list[str]]:
    return {
        one.event.name: list(one.event.entries.order_by("number").values_list("player__name", flat=True))
        for one in divisions_of(tournament)
    }


def hold(season: Tournament, director, **changed: object) -> Tournament:
    asked = {"starts_on": NEXT, "digest": propose_season(season).digest, "changed": {}, **changed}
    return hold_next_season(season, **asked, by=director, at=AT)


def refused(code: str, act, *args: object, **more: object) -> None:
    with pytest.raises((Refusal, Conflict)) as raised:
        act(*args, **more)
    assert raised.value.code == code


def test_the_first_go_up_the_last_go_down_and_the_others_stay(season):
    assert ways(season) == {
        **{f"First {number}": ("First", Why.STAYS) for number in (1, 2, 3)},
        "First 4": ("Second", Why.DOWN),
        **{f"Second {number}": ("First", Why.UP) for number in (1, 2)},
        **{f"Second {number}": ("Second", Why.STAYS) for number in (3, 4)},
    }


def test_the_next_season_has_the_divisions_rules_and_players_that_the_director_confirmed(season, director):
    placed = {one.name: one.entry for one in propose_season(season).placed}
    first = season.events.get(name="First")
    new = hold(season, director, changed={placed["Second 4"]: None, placed["Second 3"]: first.pk})
    assert (new.name, new.starts_on) == ("League 2026", NEXT)
    assert entered(new) == {
        "First": ["First 1", "First 2", "First 3", "Second 1", "Second 2", "Second 3"],
        "Second": ["First 4"],
    }
    assert [(one.level, one.up, one.down) for one in divisions_of(new)] == [(1, 0, 1), (2, 2, 0)]
    assert take_snapshot(divisions_of(new)[0].event_id).is_drawn is False


def test_who_has_left_is_proposed_for_no_division_and_does_not_count(director):
    tournament = build_tournament(director)
    first, second = (
        build_division(director, tournament, "First", leaves=True),
        build_division(director, tournament, "Second"),
    )
    set_divisions(tournament, rules=[DivisionRule(first.pk, down=1), DivisionRule(second.pk, up=1)], **WHO)
    told = ways(tournament)
    assert (told["First 4"], told["First 3"]) == (("", Why.LEFT), ("Second", Why.DOWN))


def test_a_proposal_counts_only_as_it_was_read_and_once_every_division_has_ended(season, director):
    digest = propose_season(season).digest
    first, second = (one.event for one in divisions_of(season))
    set_divisions(season, rules=[DivisionRule(first.pk, down=2), DivisionRule(second.pk, up=2)], **WHO)
    refused("season_changed", hold, season, director, digest=digest)
    refused("division_unknown", hold, season, director, changed={propose_season(season).placed[0].entry: 0})
    reopen_event(second, by=director, at=AT)
    refused("season_unfinished", propose_season, season)
    set_divisions(season, rules=[], **WHO)
    refused("no_divisions", propose_season, season)
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("code", "up", "down"),
    [("division_at_the_end", 1, 0), ("division_moves_out_of_range", 0, 17), ("division_moves_out_of_range", 0, -1)],
)
def test_rules_that_no_division_can_have_are_refused(season, code, up, down):
    first, second = (one.event_id for one in divisions_of(season))
    refused(code, set_divisions, season, rules=[DivisionRule(first, up, down), DivisionRule(second)], **WHO)
    refused("division_twice", set_divisions, season, rules=[DivisionRule(first), DivisionRule(first)], **WHO)
    assert [(one.event_id, one.down) for one in divisions_of(season)] == [(first, 1), (second, 0)]


def test_page_and_api_set_divisions_and_make_the_next_season(season, director):
    client, desk = Client(), CheckedClient()
    client.force_login(director)
    desk.force_authenticate(director)
    first, second = (one.event_id for one in divisions_of(season))
    page = reverse("divisions", args=[season.slug])
    client.post(page, {f"level-{first}": 1, f"down-{first}": 1, f"level-{second}": 2, f"up-{second}": 1})
    address = reverse("api:divisions", args=[season.pk])
    assert [(one["event"], one["up"], one["down"]) for one in desk.get(address).json()] == [
        (first, 0, 1),
        (second, 1, 0),
    ]
    assert "goes up" in client.get(page).content.decode()
    form = client.get(page).context["season_form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    answer = client.post(reverse("next-season", args=[season.slug]), {**sent, "starts_on": "2026-09-04"})
    made = Tournament.objects.exclude(pk=season.pk).get()
    assert (answer.status_code, answer.url) == (302, reverse("tournament", args=[made.slug]))
    delete_tournament(made, typed=made.name, by=director, at=AT)
    told = desk.get(reverse("api:next-season", args=[season.pk])).json()
    body = {
        "digest": told["digest"],
        "starts_on": "2027-03-05",
        "changed": [{"entry": told["placed"][0]["entry"], "division": None}],
    }
    again = desk.post(reverse("api:next-season", args=[season.pk]), body, format="json")
    assert again.status_code == 201
    assert entered(Tournament.objects.get(pk=again.json()["id"]))["First"] == ["First 2", "First 3", "Second 1"]


def waiting(tournament: Tournament) -> dict[str, list[str]]:
    return {
        one.event.name: list(one.event.entries.filter(waiting=True).values_list("player__name", flat=True))
        for one in divisions_of(tournament)
    }


def test_there_is_one_next_season_until_it_is_deleted(season, director):
    first = hold(season, director, name="League 2027")
    refused("season_exists", hold_next_season, season, starts_on=NEXT, digest="", changed={}, by=director, at=AT)
    refused("season_exists", propose_season, season)
    delete_tournament(first, typed=first.name, by=director, at=AT)
    second = hold(season, director, name="League 2027 again")
    refused("season_exists", restore_tournament, first, by=director, at=AT)
    assert list(season.seasons_after.all()) == [second]
    delete_tournament(second, typed=second.name, by=director, at=AT)
    restore_tournament(first, by=director, at=AT)
    assert list(season.seasons_after.all()) == [first]


def test_the_button_pressed_twice_makes_one_next_season_and_leads_to_it(season, director, client):
    client.force_login(director)
    page, button = reverse("divisions", args=[season.slug]), reverse("next-season", args=[season.slug])
    form = client.get(page).context["season_form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    sent |= {"starts_on": "2026-09-04", "name": "League 2027"}
    both = before_transaction(1, lambda: hold(season, director, name="League 2027"), lambda: client.post(button, sent))
    again = client.post(button, sent)
    (made,) = season.seasons_after.all()
    assert (both.status_code, again.status_code, Tournament.objects.count()) == (409, 409, 2)
    for answer in (both, again, client.get(page)):
        assert "it is “League 2027”." in text_of(answer)
        assert reverse("tournament", args=[made.slug]) in answer.content.decode()
        assert "Create the next season" not in text_of(answer)


def full_season(director, **waits: tuple[str, ...]) -> Tournament:
    """A season of a first and a second division with waiting lists; two go up, one goes down."""
    tournament = build_tournament(director, "League 2026")
    second, first = (build_division(director, tournament, name, waits=waits[name]) for name in ("Second", "First"))
    set_divisions(tournament, rules=[DivisionRule(first.pk, down=1), DivisionRule(second.pk, up=2)], **WHO)
    return tournament


def test_who_is_placed_gets_a_place_and_who_waited_waits_in_the_same_order(director):
    season = full_season(director, First=("Cy", "Anna"), Second=())
    first, second = (one.event for one in divisions_of(season))
    proposal = propose_season(season)
    assert [(one.name, one.limit, one.to) for one in proposal.raised] == [("First", 4, 5)]
    assert [(one.name, one.division) for one in proposal.waiting] == [("Cy", first.pk), ("Anna", first.pk)]
    new = hold(season, director)
    assert entered(new)["First"] == ["First 1", "First 2", "First 3", "Second 1", "Second 2", "Cy", "Anna"]
    assert waiting(new) == {"First": ["Cy", "Anna"], "Second": []}
    assert [event.max_entries for event in (*new.events.order_by("name"), first, second)] == [5, None, 4, None]


def test_who_waited_gets_a_place_that_is_free_and_is_not_entered_twice(director):
    season = full_season(director, First=("Second 1",), Second=("Cy", "Anna"))
    placed = {one.name: one.entry for one in propose_season(season).placed}
    second = season.events.get(name="Second")
    new = hold(season, director, changed={placed["Second 2"]: second.pk, placed["Second 4"]: None})
    assert entered(new) == {
        "First": ["First 1", "First 2", "First 3", "Second 1"],
        "Second": ["First 4", "Second 2", "Second 3", "Cy", "Anna"],
    }
    assert waiting(new) == {"First": [], "Second": ["Anna"]}


def test_the_page_says_which_limits_are_raised_and_who_waits(director, client):
    client.force_login(director)
    season = full_season(director, First=("Cy",), Second=())
    page = client.get(reverse("divisions", args=[season.slug]))
    assert "First: 5 players are placed, so its limit becomes 5 instead of 4." in text_of(page)
    assert "Cy (First)" in text_of(page)
    form = page.context["season_form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    sent |= {"starts_on": "2026-09-04", "name": "League 2027"}
    made = client.post(reverse("next-season", args=[season.slug]), sent, follow=True)
    assert "First: the limit of entries is now 5 instead of 4." in text_of(made)


def test_a_division_of_several_stages_places_everybody_by_the_whole_event(director):
    """Places of the final come first, and then those who did not reach it."""
    tournament = build_tournament(director)
    top = build_division(director, tournament, "First")
    event = build_event(director, players=0, drawn=False, format="league", tournament=tournament, name="Second")
    add_stage(event, format="single-elimination", options={"lengths": [5]}, qualifiers=2, by=director, at=AT)
    add_entries(event, lines=[EntryLine(name=f"Second {one}") for one in (1, 2, 3, 4)], by=director, at=AT)
    make_draw(event, by=director, at=AT)
    for match in open_matches(event):
        win(match, Side.A if match.fixture.entry_a.number < match.fixture.entry_b.number else Side.B)
    make_draw(event, by=director, at=AT)
    (final,) = open_matches(event)
    win(final, Side.B if final.fixture.entry_a.number == 1 else Side.A)
    finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    set_divisions(tournament, rules=[DivisionRule(top.pk, down=1), DivisionRule(event.pk, up=1)], **WHO)
    placed = [one for one in propose_season(tournament).placed if one.division == event.pk]
    assert [(one.name, one.place, one.place_to, one.why) for one in placed] == [
        ("Second 2", 1, 1, Why.UP),
        ("Second 1", 2, 2, Why.STAYS),
        ("Second 3", 3, 3, Why.STAYS),
        ("Second 4", 4, 4, Why.STAYS),
    ]


@pytest.mark.parametrize("gone", [0, 1, 2], ids=["top", "middle", "bottom"])
def test_a_deleted_division_leaves_the_others_a_next_season(season, director, gone):
    third = build_division(director, season, "Third")
    events = [*(one.event for one in divisions_of(season)), third]
    rules = [DivisionRule(events[0].pk, down=1), DivisionRule(events[1].pk, 1, 1), DivisionRule(events[2].pk, up=1)]
    set_divisions(season, rules=rules, **WHO)
    left = events[:gone] + events[gone + 1 :]
    delete_event(events[gone], typed=events[gone].name, by=director, at=AT)
    new = hold(season, director)
    upper, lower = (one.name for one in left)
    assert entered(new) == {
        upper: [*(f"{upper} {one}" for one in (1, 2, 3)), f"{lower} 1"],
        lower: [f"{upper} 4", *(f"{lower} {one}" for one in (2, 3, 4))],
    }
    assert [(one.level, one.up, one.down) for one in divisions_of(new)] == [(1, 0, 1), (2, 1, 0)]


def test_a_deleted_division_that_is_restored_is_one_again_unless_others_were_set(season, director):
    first, second = (one.event for one in divisions_of(season))
    delete_event(first, typed=first.name, by=director, at=AT)
    restore_event(first, by=director, at=AT)
    assert [one.event for one in divisions_of(season)] == [first, second]
    delete_event(first, typed=first.name, by=director, at=AT)
    set_divisions(season, rules=[DivisionRule(second.pk)], **WHO)
    restore_event(first, by=director, at=AT)
    assert [one.event for one in divisions_of(season)] == [second]
