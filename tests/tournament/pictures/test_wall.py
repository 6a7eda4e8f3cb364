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
from tournament.pictures.names import names_of
from tournament.pictures.prizes import prizes_of_event, prizes_of_events
from tournament.pictures.screen import rounds_on_wall, standings_on_wall
from tournament.pictures.wall import LINES, blocks_of, clocks_of, hall_blocks, read_starts
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
    assert all(len(block.rows) <= (LINES if block.kind == "names" else LINES // 2 - 1) for block in found)
    assert sum(len(rows) for rows in blocks(desk_of(event), "next")) == 10


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
    assert {line.instead for line in lines if line.table is None} == {"waits for a table"}


def test_those_who_wait_for_a_match_stand_from_a_to_z_with_what_they_wait_for(director):
    event = build_event(director, players=6)
    add_tables(event.tournament, first=1, last=1, by=director, at=AT)
    bye, other = (fixture for fixture in event.stages.get().fixtures.filter(round=2).order_by("number"))
    called = next(match for match in open_matches(event) if match.fixture.number == 2)
    call_match(called, table=1, by=director, at=AT)
    snapshot = take_snapshot(event.pk)
    lines = {line.name: line for line in names_of(desk_of(event), [snapshot])}
    assert len(lines) == 6
    assert (bye.entry_a.name, lines[bye.entry_a.name].instead) == (bye.entry_a.name, "after table 1")
    assert lines[other.entry_b.name].instead == "no opponent yet"
    win(called, Side.A, by=director)
    lines = names_of(desk_of(event), [take_snapshot(event.pk)])
    assert str(called.side_b) not in {line.name for line in lines}
    assert len(lines) == 5


def test_those_who_have_played_their_round_stand_from_a_to_z_until_the_last_one(director):
    event = build_event(director, players=4, format="swiss", options={"rounds": 2})
    won = open_matches(event)[0]
    win(won, Side.A, by=director)
    lines = {line.name: line.instead for line in names_of(desk_of(event), [take_snapshot(event.pk)])}
    assert len(lines) == 4
    assert lines[str(won.side_a)] == lines[str(won.side_b)] == "in the next round"
    for _match in range(3):
        win(open_matches(event)[0], Side.A, by=director)
    assert names_of(desk_of(event), [take_snapshot(event.pk)]) == []


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


def test_a_round_that_is_late_comes_soon_and_has_no_time(director, client):
    event = build_event(director, players=4, format="swiss", name="Open")
    call_ready(event.tournament, by=director, at=AT)
    (clock,) = clocks_of(desk_of(event), [])
    assert not clock.is_soon
    for late in (clock.at, clock.at + timedelta(hours=1)):
        (found,) = clocks_of(desk_of(event, at=late), [])
        assert (found.label, found.is_soon) == ("Open, round 2", True)
    text = client.get(reverse("hall-screen", args=[event.tournament.slug])).content.decode()
    assert "<strong>soon</strong>" in text
    assert "about" not in text


def test_an_event_begins_no_more_once_play_has_begun(director):
    event = build_event(director, players=4, name="Open")
    event.starts_at = AT + timedelta(minutes=10)
    event.save()
    first, _second = open_matches(event)
    assert read_starts(event.tournament) == [("Open", event.starts_at)]
    call_match(first, by=director, at=AT)
    assert len(read_starts(event.tournament)) == 1
    start_match(first, by=director, at=AT)
    assert read_starts(event.tournament) == []
    other = build_event(director, players=2, tournament=event.tournament, name="Side")
    other.starts_at = AT + timedelta(minutes=10)
    other.save()
    assert len(read_starts(event.tournament)) == 1
    win(open_matches(other)[0], Side.A, by=director)
    assert read_starts(event.tournament) == []


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
        parts = [part for block in found for part in block.rows]
        lines = [line[:2] for part in parts for line in part.lines]
        return lines, [account.place for part in parts for account in part.winners]

    assert shown() == ([(1, 1), (2, 2), (3, 4)], [])
    for _round in range(2):
        for match in open_matches(event):
            win(match, Side.A)
    assert shown() == ([(1, 1), (2, 2)], [3, 3])
    win(open_matches(event)[0], Side.A)
    assert shown() == ([], [1, 2, 3, 3])


def test_the_prizes_of_several_events_share_a_block_of_at_most_twelve_lines(director):
    first = build_event(director, players=8, name="Open")
    others = [build_event(director, players=8, tournament=first.tournament, name=f"Side {n}") for n in (1, 2, 3)]
    table = PrizeTable("percent", values=(4000, 3000, 2000, 1000))
    for event in (first, *others):
        set_money(event, build_money_terms(payouts=PayoutPlan((Share("", 10_000, table),))), by=director, at=AT)
        store_standings(event.pk)
    blocks = prizes_of_events([take_snapshot(event.pk) for event in (first, *others)])
    assert [[part.event for part in block.rows] for block in blocks] == [["Open", "Side 1"], ["Side 2", "Side 3"]]


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
