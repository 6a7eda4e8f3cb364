"""Teams with an even number of boards: matches are drawn in formats that rank by wins, and refused in all others."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Refusal
from rules.score import Side
from tests.breadth import some
from tests.builders import AT, build_event, build_terms, open_matches, play_out, win
from tests.tournament.entries.test_teams import boards_of, seats_of, shown
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event, update_event
from tournament.events.stages import add_stage
from tournament.exports.formats import write_csv
from tournament.exports.tables import Subject, make_table
from tournament.formats import FORMATS
from tournament.models import Event
from tournament.results.walkovers import walk_over
from tournament.snapshot import FixtureState, take_snapshot

pytestmark = pytest.mark.long

BY_RECORD = tuple(slug for slug, format in FORMATS.items() if format.ranks_by_record)
WITH_WINNERS = tuple(slug for slug in FORMATS if slug not in BY_RECORD)


def share(event: Event, key: str) -> None:
    """Let each team win every other board of the match."""
    for number, match in enumerate(boards_of(event, key)):
        win(match, (Side.A, Side.B)[number % 2])


@pytest.mark.parametrize("format", BY_RECORD)
@pytest.mark.parametrize("boards", some([2, 4, 6, 8], 2))
def test_formats_that_rank_by_wins_take_an_even_number_of_boards(director, format, boards):
    event = build_event(director, players=4, boards=boards, format=format, lengths=(1,))
    assert len(open_matches(event)) % boards == 0


@pytest.mark.parametrize("format", WITH_WINNERS)
def test_formats_that_need_a_winner_refuse_an_even_number_of_boards(director, format):
    with pytest.raises(Refusal) as refused:
        build_event(director, players=0, boards=4, format=format, drawn=False)
    assert refused.value.code == "boards_not_odd"
    assert str(refused.value) == (
        "With 4 boards, a match between two teams can be drawn, but this format needs a winner of every match. "
        "Choose an odd number of boards, or a format that ranks by wins."
    )
    assert Event.objects.count() == 0


def test_no_later_stage_can_need_a_winner_where_matches_are_drawn(director):
    event = build_event(director, players=0, boards=2, format="pools", drawn=False)
    knockout = {"format": "single-elimination", "options": {"lengths": [5]}, "qualifiers": 2}
    with pytest.raises(Refusal) as refused:
        add_stage(event, **knockout, by=director, at=AT)
    assert refused.value.code == "boards_not_odd"
    update_event(event, build_terms(format="pools", boards=3), by=director, at=AT)
    add_stage(event, **knockout, by=director, at=AT)
    with pytest.raises(Refusal) as refused:
        update_event(event, build_terms(format="pools", boards=2), by=director, at=AT)
    assert refused.value.code == "boards_not_odd"
    event.refresh_from_db()
    assert event.boards == 3


def test_two_teams_that_share_the_boards_have_half_a_win_each(director):
    event = build_event(director, players=2, boards=4, format="round-robin", tiebreaks=())
    share(event, "R1-1")
    store_standings(event.pk)
    fixture = shown(event, "R1-1")
    assert (fixture.state, fixture.is_drawn, fixture.is_void) == (FixtureState.DONE, True, False)
    assert (fixture.a.points, fixture.b.points, fixture.a.is_winner, fixture.b.is_winner) == (2, 2, False, False)
    lines = take_snapshot(event.pk).stage.standings
    assert [(line.place, line.place_to, line.played, line.wins, line.draws, line.losses) for line in lines] == [
        (1, 2, 1, 0, 1, 0)
    ] * 2
    assert [(line.points_for, line.points_against) for line in lines] == [(2, 2)] * 2
    assert lines[0].why.startswith("Tied on wins (½) with ")


def test_a_match_is_drawn_only_once_every_board_is_decided(director):
    event = build_event(director, players=2, boards=2, format="round-robin")
    first, second = boards_of(event, "R1-1")
    win(first, Side.A)
    assert (shown(event, "R1-1").state, shown(event, "R1-1").is_drawn) == (FixtureState.LIVE, False)
    win(second, Side.B)
    assert shown(event, "R1-1").is_drawn
    win(second, Side.A, base=1)
    decided = shown(event, "R1-1")
    assert (decided.is_drawn, decided.a.is_winner, decided.a.points) == (False, True, 2)
    assert audit_event(Event.objects.get(pk=event.pk)) == audit_event(event)


def test_a_match_to_which_neither_team_came_is_void_and_not_drawn(director):
    event = build_event(director, players=2, boards=2, format="round-robin")
    walk_over(boards_of(event, "R1-1")[0], to=None, key="both-late", reason="both late", by=director, at=AT)
    fixture = shown(event, "R1-1")
    assert (fixture.is_void, fixture.is_drawn) == (True, False)


@pytest.mark.parametrize("format", BY_RECORD)
def test_an_event_with_drawn_matches_is_played_to_its_end_and_audited(director, format):
    event = build_event(director, players=6, boards=2, format=format, lengths=(1,), seed="")
    first = seats_of(event, open_keys(event)[0])
    share(event, open_keys(event)[0])
    play_out(event)
    finish_event(event, by=None, at=AT)
    store_standings(event.pk)
    stage = take_snapshot(event.pk).stage
    lines = {line.entry.name: line for line in stage.standings}
    assert stage.done == stage.matches
    assert all(lines[name].draws >= 1 for name in first)
    assert sum(line.wins for line in lines.values()) - byes(stage) == sum(line.losses for line in lines.values())
    assert audit_event(event) == []


def test_a_swiss_pairs_by_half_wins(director):
    event = build_event(director, players=8, boards=2, format="swiss", lengths=(1,), options={"rounds": 3})
    for key in ("S1-1", "S1-2"):
        share(event, key)
    for key in ("S1-3", "S1-4"):
        for match in boards_of(event, key):
            win(match, Side.A)
    sides = [seats_of(event, f"S1-{number}") for number in (1, 2, 3, 4)]
    drew, (won, lost) = {*sides[0], *sides[1]}, zip(*sides[2:], strict=True)
    met = [set(seats_of(event, f"S2-{number}")) for number in (1, 2, 3, 4)]
    assert (met[0], met[1] | met[2], met[3]) == (set(won), drew, set(lost))
    assert [shown(event, f"S2-{number}").why.split(";")[0] for number in (1, 2, 3, 4)] == [
        f"Both have a record of {record}" for record in ("1–0", "½–½", "½–½", "0–1")
    ]


def test_the_pages_show_drawn_matches(director):
    event = build_event(director, players=4, boards=2, format="round-robin", lengths=(1,))
    share(event, "R1-1")
    store_standings(event.pk)
    client = Client()
    pages = {
        name: " ".join(client.get(reverse(name, args=[event.tournament.slug, event.slug])).content.decode().split())
        for name in ("standings", "pairings", "bracket", "screen", "entries")
    }
    assert "W–D–L" in pages["standings"]
    assert "<strong>0–1–0</strong>" in pages["standings"]
    assert '<span class="badge">drawn</span>' in pages["pairings"]
    assert '<td class="sum">½</td>' in pages["bracket"]
    play_out(event)
    store_standings(event.pk)
    assert client.get(reverse("standings", args=[event.tournament.slug, event.slug])).status_code == 200


def test_an_event_of_odd_boards_shows_no_draws(director):
    event = build_event(director, players=4, boards=3, format="round-robin", lengths=(1,))
    store_standings(event.pk)
    page = Client().get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    assert "W–D–L" not in page
    assert "W–L" in page


def test_exports_have_the_draws_behind_the_columns_of_before(director):
    event = build_event(director, players=2, boards=2, format="round-robin", lengths=(1,))
    share(event, "R1-1")
    store_standings(event.pk)
    rows = list(csv.DictReader(io.StringIO(write_csv(make_table("standings", Subject(event=event))))))
    assert [(list(row)[-2], row["wins"], row["losses"], row["draws"]) for row in rows] == [("draws", "0", "0", "1")] * 2
    (pairing,) = csv.DictReader(io.StringIO(write_csv(make_table("pairings", Subject(event=event)))))
    assert (pairing["points1"], pairing["points2"], pairing["winner"], pairing["outcome"]) == ("1", "1", "", "played")


def open_keys(event: Event) -> list[str]:
    stage = take_snapshot(event.pk).stage
    return [fixture.key for fixture in stage.fixtures if fixture.state is FixtureState.READY]


def byes(stage) -> int:
    return sum(line.wins + line.draws + line.losses - line.played for line in stage.standings)
