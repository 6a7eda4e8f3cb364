"""The parts of a draw that a projector shows: each can be read from the back of the hall."""

import re
from itertools import permutations

import pytest
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tournament.draw.standings import store_standings
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.pictures.screen import MOST_MATCHES, MOST_PARTS, ROUNDS, SLOTS, rounds_on_wall, screen_parts
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def parts_of(event):
    return screen_parts(take_snapshot(event.pk))


def rounds_of(picture) -> list[int]:
    return sorted({fixture.round for fixture in picture.fixtures})


def play_round(event, number: int) -> None:
    for match in open_matches(event):
        if match.fixture.round == number:
            win(match, Side.A)


def test_a_large_bracket_is_shown_in_eighths_until_a_player_has_come_further(director):
    event = build_event(director, players=64)
    assert [[rounds_of(picture) for picture in part.pictures] for part in parts_of(event)] == [[[1, 2, 3]]] * 8
    shown = [fixture.key for part in parts_of(event) for fixture in part.pictures[0].fixtures if fixture.round == 1]
    assert shown == [f"M1-{number}" for number in range(1, 33)]


def test_rounds_that_are_over_leave_the_screen_while_later_ones_need_it(director):
    event = build_event(director, players=16)
    play_round(event, 1)
    assert [rounds_of(part.pictures[0]) for part in parts_of(event)] == [[2, 3, 4]]


def test_a_bracket_in_many_parts_shows_those_in_which_something_is_played(director):
    event = build_event(director, players=128)
    for match in open_matches(event)[:60]:
        win(match, Side.A)
    for match in [match for match in open_matches(event) if match.fixture.round == 2][4:]:
        win(match, Side.A)
    for match in [match for match in open_matches(event) if match.fixture.round == 3]:
        win(match, Side.A)
    parts = parts_of(event)
    assert 0 < len(parts) <= MOST_PARTS
    shown = {fixture.key for part in parts for fixture in part.pictures[0].fixtures}
    assert {match.fixture.key for match in open_matches(event)} <= shown


@pytest.mark.parametrize(("players", "pages"), [(64, 8 + 3), (128, 11), (300, 12)])
def test_a_wall_turns_at_most_a_dozen_pages_and_lists_what_is_too_large_to_draw(director, client, players, pages):
    event = build_event(director, players=players)
    store_standings(event.pk)
    page = client.get(reverse("screen", args=[event.tournament.slug, event.slug])).content.decode()
    blocks = re.findall(r'<section class="block" data-kind="(\w+)"([^>]*)>', page)
    width = sum(2 if 'data-width="2"' in more else 1 for _kind, more in blocks if 'data-only="tall"' not in more)
    assert -(-width // 2) == pages
    assert ("draw" in dict(blocks)) is (players == 64)
    listed = page.count('<li class="wall-match')
    left_out = re.findall(r'<p class="wall-more">and (\d+) more', page)
    assert listed + sum(map(int, left_out)) == len(open_matches(event))


def test_a_match_that_is_called_is_not_left_out(director):
    event = build_event(director, players=300)
    add_tables(event.tournament, first=1, last=1, by=director, at=AT)
    *_others, called = open_matches(event)
    call_match(called, table=None, by=director, at=AT)
    groups = rounds_on_wall(take_snapshot(event.pk))
    shown = [fixture.key for group in groups for fixture in group.fixtures]
    assert called.fixture.key in shown
    assert len(shown) == MOST_MATCHES
    assert [group.more for group in groups if group.more] == [len(open_matches(event)) - MOST_MATCHES]


def test_no_code_of_a_match_stands_for_a_player_who_is_not_known_yet(director):
    event = build_event(director, players=4)
    (picture,) = parts_of(event)[0].pictures
    assert "<title>Winner of M1-1</title>" in picture.svg
    assert ">Winner of M1-1</text>" not in picture.svg


def test_the_last_rounds_stay_when_all_is_over(director):
    event = build_event(director, players=16)
    for number in range(1, 5):
        play_round(event, number)
    assert [rounds_of(part.pictures[0]) for part in parts_of(event)] == [[2, 3, 4]]


@pytest.mark.parametrize(
    ("format", "players"),
    [("consolation", 48), ("double-elimination", 33), ("lives-bracket", 20), ("gsl", 16), ("jackpot", 16)],
)
def test_every_format_fits_and_each_match_with_a_player_is_shown(director, format, players):
    event = build_event(director, players=players, format=format)
    for _round in range(3):
        pictures = [picture for part in parts_of(event) for picture in part.pictures]
        for picture in pictures:
            rounds = rounds_of(picture)
            assert len(rounds) <= ROUNDS
            assert sum(fixture.round == rounds[0] for fixture in picture.fixtures) <= SLOTS
        shown = {fixture.key for picture in pictures for fixture in picture.fixtures}
        assert {match.fixture.key for match in open_matches(event)} <= shown
        for match in open_matches(event):
            win(match, Side.A)


def test_a_long_table_is_shown_a_few_rows_at_a_time(director):
    event = build_event(director, players=40, format="swiss")
    rows = [[row.number for row in part.pictures[0].rounds] for part in parts_of(event)]
    assert rows == [list(range(1, 13)), list(range(13, 25)), list(range(25, 37)), list(range(37, 41))]


@pytest.mark.parametrize(
    ("players", "rows", "columns"),
    [(12, [12], [12]), (13, [6, 7], [6, 7]), (20, [10, 10], [10, 10]), (36, [12, 12, 12], [12, 12, 12])],
)
def test_a_large_crosstable_is_shown_in_blocks_with_all_names_and_sums(director, client, players, rows, columns):
    event = build_event(director, players=players, format="round-robin")
    won = open_matches(event)[:4]
    for match in won:
        win(match, Side.A, loser_points=3)
    totals = {str(match.side_a): ("1", "5", "3") for match in won} | {
        str(match.side_b): ("0", "3", "5") for match in won
    }
    parts = parts_of(event)
    assert [(part.share, len(part.pictures)) for part in parts] == [(4, 1)] * len(rows) * len(columns)
    blocks = [part.pictures[0] for part in parts]
    shown = [(len(block.crosstable), len(block.columns)) for block in blocks]
    assert shown == [(height, width) for height in rows for width in columns]
    page = client.get(reverse("screen", args=[event.tournament.slug, event.slug])).content.decode()
    tables = page.split("<table")[1:]
    matches = [line for table in tables for line in re.findall(r'title="([^"]+ – [^"]+)"', table)]
    everybody = [entry.name for entry in take_snapshot(event.pk).entries]
    assert sorted(matches) == sorted(f"{one} – {other}" for one, other in permutations(everybody, 2))
    for block, table in zip(blocks, tables, strict=True):
        heads = re.findall(r'<abbr title="([^"]+)">(\d+)</abbr>', table)
        assert heads == [(entry.name, str(everybody.index(entry.name) + 1)) for entry in block.columns]
        names = re.findall(r'<th scope="row" class="name">([^<]+)</th>', table)
        assert names == [row.entry.name for row in block.crosstable]
        sums = re.findall(r'<td class="sum">(\d+)</td><td class="sum">(\d+)–(\d+)</td>', table)
        assert sums == [totals.get(name, ("0", "0", "0")) for name in names]


def test_small_groups_share_the_screen_and_a_single_one_has_it_to_itself(director):
    event = build_event(director, players=20, format="pools", options={"pools": 5})
    assert [(part.share, [picture.title for picture in part.pictures]) for part in parts_of(event)] == [
        (1, ["Group A", "Group B", "Group C", "Group D"]),
        (4, ["Group E"]),
    ]


def test_each_id_on_the_page_is_there_once(director, client):
    event = build_event(director, players=64)
    page = client.get(reverse("screen", args=[event.tournament.slug, event.slug])).content.decode()
    ids = [piece.split('"')[0] for piece in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids)) > 8


def test_nothing_is_shown_before_the_draw(director):
    assert parts_of(build_event(director, drawn=False)) == ()
