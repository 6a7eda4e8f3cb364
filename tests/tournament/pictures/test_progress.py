"""The round that an event is in, and the number of matches it takes, as its pages say it."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tests.tournament.ladders import at_rung
from tournament.draw.challenges import challenge
from tournament.entries.services import withdraw_entry
from tournament.models import Event
from tournament.pictures.progress import matches_in_all, round_now
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db

TODAY = date(2026, 3, 6)


def said(event, today: date = TODAY) -> str:
    return round_now(take_snapshot(event.pk), today=today)


def play_round(event) -> None:
    for match in open_matches(event):
        win(match, Side.A)


@pytest.mark.parametrize(("options", "players", "rounds"), [({}, 8, 3), ({}, 9, 4), ({"rounds": 6}, 8, 6)])
def test_a_swiss_names_its_round_and_their_number(director, options, players, rounds):
    event = build_event(director, players=players, format="swiss", options=options)
    for number in range(1, rounds + 1):
        assert said(event) == f"Round {number} of {rounds}"
        play_round(event)
    assert said(event) == ""


def test_a_swiss_that_many_have_left_counts_only_the_rounds_that_are_held(director):
    event = build_event(director, players=4, format="monrad", options={"rounds": 3})
    win(open_matches(event)[0], Side.A)
    for entry in event.entries.order_by("number")[:3]:
        withdraw_entry(entry, by=director, at=AT)
    assert said(event) == "Round 1 of 1"


@pytest.mark.parametrize(
    ("format", "options", "players", "matches"),
    [
        ("swiss", {}, 8, 12),
        ("swiss", {}, 9, 16),
        ("monrad", {"rounds": 5}, 8, 20),
        ("round-robin", {}, 6, 15),
        ("single-elimination", {}, 6, 5),
    ],
)
def test_an_event_counts_the_matches_of_all_its_rounds_from_the_start(
    director, client, format, options, players, matches
):
    event = build_event(director, players=players, format=format, options=options)
    pages = [event.tournament.get_absolute_url(), reverse("pairings", args=[event.tournament.slug, event.slug])]
    done = 0
    while open_matches(event):
        for page in pages:
            shown = client.get(page).content.decode()
            assert f"<strong>{done}</strong> of {matches} matches decided" in shown
            assert f'<progress max="{matches}" value="{done}"' in shown
        done += len(open_matches(event))
        play_round(event)
    assert done == matches


def test_matches_of_players_who_have_left_are_not_counted_and_an_ended_event_has_no_more(director):
    event = build_event(director, players=8, format="swiss", options={"rounds": 6})
    assert matches_in_all(take_snapshot(event.pk)) == 24
    for number in (1, 2):
        withdraw_entry(event.entries.get(number=number), by=director, at=AT)
    assert matches_in_all(take_snapshot(event.pk)) == 18
    Event.objects.filter(pk=event.pk).update(finished_at=AT)
    assert matches_in_all(take_snapshot(event.pk)) == 3


def test_if_the_number_of_rounds_is_not_known_the_matches_are_those_so_far(director):
    assert matches_in_all(take_snapshot(build_event(director, players=8, format="swiss-lives").pk)) == 4
    assert matches_in_all(take_snapshot(build_event(director, drawn=False).pk)) == 0


@pytest.mark.parametrize("format", ["round-robin", "league"])
def test_a_round_robin_has_as_many_rounds_as_it_takes(director, format):
    event = build_event(director, players=6, format=format)
    assert said(event) == "Round 1 of 5"
    first = [match for match in open_matches(event) if match.fixture.round == 1]
    win(first[0], Side.A)
    assert said(event) == "Round 1 of 5"
    for match in first[1:]:
        win(match, Side.A)
    assert said(event) == "Round 2 of 5"


def test_parallel_groups_are_in_the_round_of_the_last_of_them(director):
    event = build_event(director, players=8, format="pools", options={"pools": 2})
    for match in open_matches(event):
        if match.fixture.bracket == "GA":
            win(match, Side.A)
    assert said(event) == "Round 1 of 3"


def test_an_overdue_match_does_not_hold_up_its_league(director):
    event = build_event(director, players=4, format="league", options={"starts_on": "2026-03-02", "days": 7})
    assert said(event, date(2026, 3, 8)) == "Round 1 of 3"
    assert said(event, date(2026, 3, 9)) == "Round 2 of 3"
    assert said(event, date(2026, 3, 9) + timedelta(days=100)) == "Round 1 of 3"


def test_a_knockout_names_its_round_as_players_do(director):
    event = build_event(director, players=16)
    names = []
    while open_matches(event):
        names.append(said(event))
        play_round(event)
    assert names == ["Round 1", "Quarterfinals", "Semifinals", "Final"]
    assert said(event) == ""


def test_a_draw_with_a_consolation_is_in_the_round_of_the_main_as_long_as_that_is_played(director):
    event = build_event(director, players=4, format="consolation")
    play_round(event)
    assert said(event) == "Final"
    win(next(match for match in open_matches(event) if match.fixture.bracket == "M"), Side.A)
    assert said(event).startswith("Consolation: ")


def test_a_swiss_with_lives_has_no_fixed_number_of_rounds_and_a_continuous_one_has_no_round(director):
    assert said(build_event(director, players=8, format="swiss-lives")) == "Round 1"
    assert said(build_event(director, players=8, format="swiss-lives", options={"mode": "continuous"})) == ""


def test_a_ladder_is_in_no_round(director):
    event = build_event(director, players=3, format="ladder")
    challenge(event, challenger=at_rung(event, 2), challenged=at_rung(event, 1), by=director, at=AT)
    assert said(event) == ""


def test_parallel_jackpots_are_in_no_round(director):
    assert said(build_event(director, players=16, format="jackpot")) == ""


def test_there_is_no_round_before_the_draw(director):
    assert said(build_event(director, drawn=False)) == ""


@pytest.mark.parametrize("page", ["pairings", "bracket", "standings", "entries", "history", "screen"])
def test_every_page_of_the_event_says_it(director, client, page):
    event = build_event(director, players=8, format="swiss")
    address = reverse(page, args=[event.tournament.slug, event.slug])
    assert "Round 1 of 3" in client.get(address).content.decode()
    assert "Round 1 of 3" in client.get(event.tournament.get_absolute_url()).content.decode()
