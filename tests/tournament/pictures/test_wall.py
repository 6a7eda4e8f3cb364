"""The walls of a hall: blocks of at most twelve names, everybody from A to Z, and what comes next with its time."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from rules.score import Side
from tests.builders import AT, build_event, build_money_terms, claim, open_matches, win
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.announcements import announce
from tournament.hall.calling import call_match, call_ready, start_match
from tournament.hall.desk import Desk, take_desk
from tournament.hall.tables import add_break, add_tables
from tournament.money.services import set_money
from tournament.pictures.prizes import prizes_of_event
from tournament.pictures.screen import rounds_on_wall, standings_on_wall
from tournament.pictures.wall import LINES, blocks_of, clocks_of, hall_blocks, names_of
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.results.reports import report_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def desk_of(event, at=AT) -> Desk:
    return take_desk(event.tournament, at=at)


def blocks(desk, kind):
    return [block.rows for block in hall_blocks(desk) if block.kind == kind]


def test_rows_are_cut_into_the_fewest_equal_blocks():
    assert blocks_of("names", [], 12) == []
    assert [block.rows for block in blocks_of("names", [1, 2, 3], 12)] == [(1, 2, 3)]
    assert [len(block.rows) for block in blocks_of("names", range(13), 12)] == [6, 7]


def test_calls_stand_by_table_and_no_block_has_more_than_twelve_names(director):
    event = build_event(director, players=64)
    add_tables(event.tournament, first=1, last=20, by=director, at=AT)
    call_ready(event.tournament, by=director, at=AT)
    found = hall_blocks(desk_of(event))
    called = [row.table for block in found if block.kind == "called" for row in block.rows]
    assert called == list(range(1, 21))
    assert all(len(block.rows) <= (LINES if block.kind == "names" else LINES // 2) for block in found)
    assert sum(len(rows) for rows in blocks(desk_of(event), "next")) == 12


def test_everybody_is_listed_once_from_a_to_z_with_the_table(director):
    event = build_event(director, players=4)
    add_tables(event.tournament, first=7, last=7, by=director, at=AT)
    called = open_matches(event)[0]
    call_match(called, table=None, by=director, at=AT)
    other = build_event(director, players=0, drawn=False, tournament=event.tournament, name="Side")
    assert other.tournament_id == event.tournament_id
    lines = names_of(desk_of(event))
    assert [line.name for line in lines] == ["Player 1", "Player 2", "Player 3", "Player 4"]
    seated = {str(called.side_a), str(called.side_b)}
    assert {line.name for line in lines if line.table == 7} == seated
    assert {line.doing for line in lines if line.table is None} == {"ready"}


def test_a_disputed_match_is_called_disputed_and_has_no_score(director, client):
    event = build_event(director, players=2)
    add_tables(event.tournament, first=1, last=1, by=director, at=AT)
    (match,) = open_matches(event)
    call_match(match, table=None, by=director, at=AT)
    start_match(match, by=director, at=AT)
    page = reverse("hall-screen", args=[event.tournament.slug])
    for side, final in ((Side.A, (5, 3)), (Side.B, (2, 5))):
        report_result(match, claim=claim(final=final), side=side, by=None, at=AT)
    for address in (page, reverse("screen", args=[event.tournament.slug, event.slug])):
        text = client.get(address).content.decode()
        assert "disputed</span>" in text
        assert "<b>" not in text


def test_the_score_of_a_match_in_play_stands_beside_its_names(director, client):
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    call_match(match, table=None, by=director, at=AT)
    report_result(match, claim=claim(final=(5, 3)), side=Side.A, by=None, at=AT)
    text = client.get(reverse("hall-screen", args=[event.tournament.slug])).content.decode()
    assert text.count("<b>5</b>") == text.count("<b>3</b>") == 1


def test_what_comes_next_has_its_time_the_soonest_first(director):
    event = build_event(director, players=4, format="swiss", name="Open")
    tournament = event.tournament
    hour = timedelta(hours=1)
    add_break(tournament, name="Lunch", starts_at=AT + 2 * hour, ends_at=AT + 3 * hour, by=director, at=AT)
    desk = desk_of(event)
    starts = [("Side", AT + hour), ("Long ago", AT - hour), ("Next week", AT + 200 * hour)]
    assert [(clock.label, clock.at - AT) for clock in clocks_of(desk, starts)] == [
        ("Side begins", hour),
        ("Lunch", 2 * hour),
    ]
    call_ready(tournament, by=director, at=AT)
    (first, *_rest) = clocks_of(desk_of(event), [])
    assert (first.label, first.is_about) == ("Open, round 2", True)
    assert first.at > AT
    during = [clock.label for clock in clocks_of(desk_of(event, at=AT + 2 * hour), [])]
    assert "Lunch until" in during


def test_the_code_to_follow_is_there_if_phones_can_open_it(director, client):
    event = build_event(director, players=2)
    page = reverse("hall-screen", args=[event.tournament.slug])
    assert "wall-code" not in client.get(page, headers={"host": "localhost"}).content.decode()
    event.tournament.site_address = "https://play.example.org"
    event.tournament.save()
    assert "play.example.org/t/friday-club/" in client.get(page + "?new").content.decode()


def test_what_is_announced_stands_on_the_walls(director, client):
    event = build_event(director, players=2)
    other = build_event(director, players=2, tournament=event.tournament, name="Side")
    announce(event.tournament, text="Dinner is at eight.", by=director, at=AT)
    announce(event.tournament, text="Round 2 is late.", event=other, by=director, at=AT)
    hall = client.get(reverse("hall-screen", args=[event.tournament.slug])).content.decode()
    assert hall.count("wall-message") == 2
    own = client.get(reverse("screen", args=[event.tournament.slug, event.slug])).content.decode()
    assert "Dinner is at eight." in own
    assert "Round 2 is late." not in own


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["Åse", "Bo", "Østen", "Zoe"]),
        ("de", ["Åse", "Bo", "Østen", "Zoe"]),
        ("da", ["Bo", "Zoe", "Østen", "Åse"]),
        ("sv", ["Bo", "Zoe", "Åse", "Østen"]),
    ],
)
def test_names_stand_where_readers_of_the_language_look_for_them(director, language, names):
    event = build_event(director, players=0, drawn=False)
    lines = [EntryLine(name=name, line=line) for line, name in enumerate(("Zoe", "Åse", "Bo", "Østen"), start=1)]
    add_entries(event, lines=lines, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    with translation.override(language):
        assert [line.name for line in names_of(desk_of(event))] == names


def test_prizes_stand_on_the_walls_with_who_has_won_them(director, client):
    event = build_event(director, players=4)
    walls = [reverse("hall-screen", args=[event.tournament.slug])]
    walls.append(reverse("screen", args=[event.tournament.slug, event.slug]))
    for wall in walls:
        assert 'data-kind="prizes"' not in client.get(wall).content.decode()
    set_money(event, build_money_terms(), by=director, at=AT)
    for wall in walls:
        text = client.get(wall).content.decode()
        assert text.count('data-kind="prizes"') == 1
        assert "200.00\u00a0EUR" in text


def test_prizes_that_nobody_has_won_yet_stay_beside_those_that_are_won(director):
    event = build_event(director, players=8)
    table = PrizeTable("percent", values=(4000, 3000, 1500, 1500))
    set_money(event, build_money_terms(payouts=PayoutPlan((Share("", 10_000, table),))), by=director, at=AT)

    def shown() -> tuple[list[tuple[int, int]], list[int]]:
        store_standings(event.pk)
        found = prizes_of_event(take_snapshot(event.pk))
        lines = [line[:2] for block in found for line in block.lines]
        return lines, [account.place for block in found for account in block.winners]

    assert shown() == ([(1, 1), (2, 2), (3, 4)], [])
    for _round in range(2):
        for match in open_matches(event):
            win(match, Side.A)
    assert shown() == ([(1, 1), (2, 2)], [3, 3])
    win(open_matches(event)[0], Side.A)
    assert shown() == ([], [1, 2, 3, 3])


def test_a_wall_of_an_event_names_its_rounds_and_cuts_its_standings(director):
    event = build_event(director, players=16)
    for match in open_matches(event):
        win(match, Side.A)
    store_standings(event.pk)
    snapshot = take_snapshot(event.pk)
    assert [(block.title, len(block.fixtures)) for block in rounds_on_wall(snapshot)] == [("Quarterfinals", 4)]
    assert [len(block.rows) for block in standings_on_wall(snapshot.stage.standings)] == [8, 8]


def test_the_hall_takes_as_many_queries_for_many_players_as_for_few(director, client, django_assert_max_num_queries):
    event = build_event(director, players=64)
    add_tables(event.tournament, first=1, last=20, by=director, at=AT)
    call_ready(event.tournament, by=director, at=timezone.now())
    with django_assert_max_num_queries(18):
        client.get(reverse("hall-screen", args=[event.tournament.slug]))
