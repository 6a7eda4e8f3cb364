import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, play_out, win
from tournament.draw.kept import forget_events
from tournament.draw.make import cancel_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.results.enter import enter_result
from tournament.snapshot import FixtureState, take_snapshot
from tournament.snapshot.now import forget_snapshots


@pytest.mark.parametrize("players", [8, 64])
def test_a_snapshot_takes_as_many_queries_as_have_changed_whatever_the_size(director, players):
    """At first all is read, then only what changed, and when nothing did the versions alone."""
    event = build_event(director, players=players)
    first, *others = open_matches(event)[: players // 4]
    for match in others:
        enter_result(match, claim=claim(games=(GameResult(Side.A, 2),)), by=director, at=AT)
    store_standings(event.pk)
    forget_events()

    def result() -> None:
        enter_result(first, claim=claim(games=(GameResult(Side.A, 2),)), by=director, at=AT)

    counts = []
    for change in (lambda: None, lambda: None, result, lambda: store_standings(event.pk)):
        change()
        with CaptureQueriesContext(connection) as queries:
            take_snapshot(event.pk)
        counts.append(len(queries))
    assert counts == [13, 2, 7, 3]


def test_an_entry_made_while_an_event_is_read_is_in_all_of_it_or_left_out_of_its_standings(director):
    event = build_event(director, players=7)
    store_standings(event.pk)
    lines = []
    for query in range(1, 14):
        seen = iter(range(1, query + 1))

        def come_before(execute, sql, params, many, context, seen=seen, query=query):
            if next(seen, None) == query:
                add_entries(event, lines=[EntryLine(name="Late", line=1)], by=director, at=AT)
                store_standings(event.pk)
            return execute(sql, params, many, context)

        before = transaction.savepoint()
        with connection.execute_wrapper(come_before):
            snapshot = take_snapshot(event.pk)
        lines.append((len(snapshot.entries), len(snapshot.stage.standings)))
        transaction.savepoint_rollback(before)
        forget_events()
        forget_snapshots()
    assert set(lines) == {(8, 8), (7, 7)}


@pytest.mark.parametrize("teams", [4, 16])
def test_the_snapshot_of_teams_takes_twelve_queries_whatever_the_size(director, teams):
    event = build_event(director, players=teams, boards=3)
    for match in open_matches(event)[:teams]:
        enter_result(match, claim=claim(games=(GameResult(Side.A, 2),)), by=director, at=AT)
    store_standings(event.pk)
    with CaptureQueriesContext(connection) as queries:
        take_snapshot(event.pk)
    assert len(queries) == 12


def test_the_snapshot_of_an_event_before_its_draw_reads_no_matches(director, django_assert_num_queries):
    event = build_event(director, drawn=False)
    with django_assert_num_queries(7):
        take_snapshot(event.pk)


def test_a_draw_that_is_taken_back_leaves_no_standings(director):
    event = build_event(director, players=4)
    store_standings(event.pk)
    assert len(take_snapshot(event.pk).stage.standings) == 4
    cancel_draw(event, by=director, at=AT)
    assert take_snapshot(event.pk).stage.standings == ()


def test_fixtures_say_what_they_are_waiting_for_and_their_state(director):
    event = build_event(director, players=5, lengths=(5,))
    live = open_matches(event)[0]
    enter_result(live, claim=claim(games=(GameResult(Side.A, 4),)), by=director, at=AT)
    stage = take_snapshot(event.pk).stage
    states = sorted(fixture.state for fixture in stage.fixtures)
    assert states == ["bye", "bye", "bye", "live", "ready", "waiting", "waiting"]
    (view,) = stage.in_state(FixtureState.LIVE)
    assert (view.a.points, view.b.points, view.is_crawford) == (4, 0, True)
    final = stage.rounds[-1][1][0]
    assert (final.a.label, final.b.label) == ("Winner of M2-1", "Winner of M2-2")
    assert (stage.matches, stage.done) == (4, 0)


def test_sheet_shows_the_score_after_every_game(director):
    event = build_event(director, players=2)
    games = (GameResult(Side.A, 2), GameResult(Side.B), GameResult(Side.A, 4))
    enter_result(open_matches(event)[0], claim=claim(games=games), by=director, at=AT)
    sheet = take_snapshot(event.pk).stage.fixtures[0].sheet
    assert [(score.a, score.b) for score in sheet.scores] == [(0, 0), (2, 0), (2, 1), (5, 1)]
    assert (sheet.score.winner, sheet.by) == (Side.A, "director")


def test_standings_say_whether_they_are_current(director):
    event = build_event(director, players=4)
    store_standings(event.pk)
    assert take_snapshot(event.pk).standings_are_current
    win(fixture_of(event, "M1-1").match, Side.A)
    assert not take_snapshot(event.pk).standings_are_current


def test_finished_event_has_only_decided_fixtures(director):
    event = build_event(director, players=9)
    play_out(event)
    states = {fixture.state for fixture in take_snapshot(event.pk).stage.fixtures}
    assert states == {FixtureState.DONE, FixtureState.BYE}


def test_award_decides_the_match_but_gives_no_points(director):
    event = build_event(director, players=4)
    first, second = fixture_of(event, "M1-1").match, fixture_of(event, "M1-2").match
    given_up = claim(games=(GameResult(Side.A, 2),), conclusion="forfeit", awarded_to=Side.B)
    enter_result(first, claim=given_up, by=director, at=AT)
    enter_result(second, claim=claim(conclusion="walkover", awarded_to=Side.A), by=director, at=AT)
    forfeit, walkover = (take_snapshot(event.pk).fixture_of(match.pk) for match in (first, second))
    assert [(seat.points, seat.is_winner) for seat in (forfeit.a, forfeit.b)] == [(2, False), (0, True)]
    assert [(seat.points, seat.is_winner) for seat in (walkover.a, walkover.b)] == [(None, True), (None, False)]


def test_group_aa_comes_after_group_z(director):
    event = build_event(director, players=81, format="pools", options={"pools": 27})
    for match in open_matches(event):
        win(match, Side.A, by=director)
    store_standings(event.pk)
    stage = take_snapshot(event.pk).stage
    letters = [f"G{chr(65 + number)}" for number in range(26)] + ["GAA"]
    assert (list(dict.fromkeys(f.bracket for f in stage.fixtures)), list(stage.sections)) == (letters, letters)


def test_an_entrant_with_lives_left_is_still_in_and_one_who_shares_a_final_place_is_not(director):
    event = build_event(director, players=4, format="swiss-lives", options={"lives": 2})
    for match in open_matches(event):
        win(match, Side.A, by=director)
    store_standings(event.pk)
    assert [(line.losses, line.is_still_in) for line in take_snapshot(event.pk).stage.standings] == [
        (0, True),
        (0, True),
        (1, True),
        (1, True),
    ]
    knockout = build_event(director, players=8, tournament=event.tournament)
    for match in open_matches(knockout):
        win(match, Side.A, by=director)
    store_standings(knockout.pk)
    lines = take_snapshot(knockout.pk).stage.standings
    assert [(line.losses, line.is_still_in) for line in lines] == [(0, True)] * 4 + [(1, False)] * 4


def test_reasons_are_in_the_language_of_the_reader(director):
    event = build_event(director, players=4)
    told = []
    for language in ("en", "da", "en"):
        with translation.override(language):
            told.append([fixture.why for fixture in take_snapshot(event.pk).stage.fixtures])
    assert told[0] == told[2]
    assert all(told[0])
    assert set(told[0]).isdisjoint(told[1])


def test_an_entry_that_slips_in_while_an_event_is_read_breaks_nothing(director):
    event = build_event(director, players=4, format="swiss")
    store_standings(event.pk)
    slipped = []

    def slip_in(execute, sql, params, many, context):
        if 'FROM "tournament_standing"' in sql and not slipped:
            slipped.append(add_entries(event, lines=[EntryLine(name="Late")], by=None, at=AT))
            store_standings(event.pk)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(slip_in):
        lines = take_snapshot(event.pk).stage.standings
    assert (len(lines), len(take_snapshot(event.pk).stage.standings)) == (4, 5)
