import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Conclusion, GameLine, Match, Scoresheet, SheetState
from matches.ratings import rate_matches
from players.errors import Conflict
from players.services import create_player
from rules.score import Side
from tests.breadth import some
from tests.builders import AT, build_event, claim, fixture_of, open_matches, play_out, random_games, win
from tournament.audit import VALIDATIONS, audit_event, audit_everything
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.events.services import finish_event
from tournament.formats import FORMATS
from tournament.models import Entry, Event, Fixture, LogEntry, Stage, Standing
from tournament.results.enter import enter_result, void_result

pytestmark = [pytest.mark.django_db, pytest.mark.long]

A, B = Side.A, Side.B


def found(event: Event) -> list[tuple[str, str, str]]:
    return [(d.check, d.place.removeprefix("friday-club/main").strip(), d.what) for d in audit_event(event)]


def play_with_corrections(event: Event, rng: random.Random) -> None:
    """Random results of every kind, some taken back and some corrected, as far as the draw allows."""
    entered: list[Match] = []
    for _step in range(60):
        matches = open_matches(event)
        if entered and rng.random() < 0.3:
            match = rng.choice(entered)
            base = match.sheets.filter(state__in=Scoresheet.CURRENT).first()
            if base is None:
                continue
            try:
                if rng.random() < 0.5:
                    void_result(match, base=base.number, reason="wrong table", by=None, at=AT)
                else:
                    again = claim(games=random_games(match.length, rng), base=base.number, confirmed=True)
                    enter_result(match, claim=again, by=None, at=AT)
            except Conflict:
                pass
        elif matches:
            match = rng.choice(matches)
            sheet = match.sheets.filter(state__in=Scoresheet.CURRENT).first()
            games = random_games(match.length, rng)
            said = rng.choice(
                [
                    {"games": games},
                    {"games": games[: rng.randint(1, len(games))]},
                    {"final": (match.length, 0)},
                    {"conclusion": Conclusion.FORFEIT, "awarded_to": rng.choice([A, B])},
                    {"conclusion": Conclusion.WALKOVER, "awarded_to": rng.choice([A, B])},
                ]
            )
            enter_result(
                match, claim=claim(base=sheet.number if sheet else 0, confirmed=True, **said), by=None, at=AT
            )  # fmt: skip
            entered.append(match)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("players", "seed"), some([(5, 1), (2, 1), (8, 1), (5, 2), (2, 2), (8, 2)], 2))
def test_audit_is_empty_after_any_run_with_corrections_and_voids(director, format, players, seed):
    players = max(players, FORMATS[format].min_entrants)
    event = build_event(director, players=players, format=format, lengths=(7, 3))
    play_with_corrections(event, random.Random(seed))
    store_standings(event.pk)
    assert list(audit_everything(records=True)) == []
    play_out_the_rest(event)
    finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    rate_matches("fibs", at=AT)
    assert list(audit_everything(records=True)) == []


def play_out_the_rest(event: Event) -> None:
    while matches := open_matches(event):
        for match in matches:
            sheet = match.sheets.filter(state__in=Scoresheet.CURRENT).first()
            said = claim(final=(0, match.length), base=sheet.number if sheet else 0, confirmed=True)
            enter_result(match, claim=said, by=None, at=AT)


def test_audit_is_empty_before_anything_happens(director):
    assert list(audit_everything(records=True)) == []
    event = build_event(director, drawn=False)
    assert audit_event(event) == []
    store_standings(event.pk)
    assert audit_event(event) == []


def test_audit_of_the_event_is_empty(event):
    assert audit_event(event) == []


# --- each validation finds what a hand in the database did, and nothing else ---------------------------------------


def test_sheets_names_a_game_that_the_rules_refuse(event):
    GameLine.objects.filter(sheet__match__fixture__key="M1-2", number=2).update(cube=3)
    (difference,) = audit_event(event)
    assert str(difference) == (
        "friday-club/main M1-2 sheet 1: the rules: stored live, computed refused: "
        "Game 2: the cube must be a power of two (1, 2, 4, 8 and so on), not 3."
    )


def test_sheets_names_a_wrong_game_in_a_sheet_of_the_past(event):
    GameLine.objects.filter(sheet__match__fixture__key="M1-1", sheet__number=1).update(cube=6)
    assert found(event) == [("sheets", "M1-1 sheet 1", "the rules")]


@pytest.fixture
def unchecked(db):
    """A database whose check constraints do not hold, as another program might leave it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        yield
        cursor.execute("PRAGMA ignore_check_constraints = OFF")


@pytest.mark.parametrize("ending", ["", "won"])
def test_sheets_names_a_game_that_cannot_be_read(event, unchecked, ending):
    GameLine.objects.filter(sheet__match__fixture__key="M1-1", sheet__number=1).update(ending=ending)
    assert found(event) == [("sheets", "M1-1 sheet 1", "the rules")]


def test_audit_goes_on_where_a_confirmed_sheet_cannot_be_read(event, unchecked):
    GameLine.objects.filter(sheet__match__fixture__key="M1-1", sheet__number=3, number=1).update(ending="won")
    differences = found(event)
    assert differences[0] == ("sheets", "M1-1 sheet 3", "the rules")
    checks = ("plan", "matches", "standings", "money")
    assert differences[1:] == [(check, "", f"check of {check}") for check in checks]


def test_sheets_names_a_live_sheet_of_a_match_that_is_over(event):
    Scoresheet.objects.filter(match__fixture__key="M1-2").update(state=SheetState.CONFIRMED)
    assert ("sheets", "M1-2 sheet 1", "state") in found(event)


def test_sheets_names_two_current_sheets_and_a_gap(event):
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX scoresheet_one_current_per_match")
    Scoresheet.objects.filter(match__fixture__key="M1-1", number=2).update(state=SheetState.CONFIRMED)
    assert found(event)[0] == ("sheets", "M1-1", "current sheets")
    Scoresheet.objects.filter(match__fixture__key="M1-1", number=2).update(state=SheetState.SUPERSEDED, number=7)
    assert ("sheets", "M1-1", "numbers of the sheets") in found(event)


def test_sheets_names_a_gap_in_the_games(event):
    GameLine.objects.filter(sheet__match__fixture__key="M1-2", number=2).update(number=3)
    assert found(event) == [("sheets", "M1-2 sheet 1", "numbers of the games")]


def test_log_names_a_game_that_was_changed_within_the_rules(event):
    GameLine.objects.filter(sheet__match__fixture__key="M1-2", number=2).update(cube=1)
    (difference,) = audit_event(event)
    assert str(difference) == "friday-club/main M1-2 sheet 1: score: stored 2-1, computed 1-1"


def test_log_names_a_sheet_that_nobody_entered(event):
    LogEntry.objects.filter(detail__fixture="M1-3").delete()
    assert found(event) == [("log", "M1-3 sheet 1", "score")]


def test_log_knows_the_sheets_of_a_match_that_began_again(event, director):
    m1_3 = fixture_of(event, "M1-3").match
    second = fixture_of(event, "M2-2").match
    win(second, A)
    void_result(second, base=1, reason="", by=director, at=AT)
    enter_result(m1_3, claim=claim(final=(1, 5), base=1), by=director, at=AT)
    new = fixture_of(event, "M2-2").match
    win(new, B, loser_points=4)
    store_standings(event.pk)
    assert new.pk != second.pk
    assert list(audit_everything()) == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"length": 3}, "length"),
        ({"feed_a": "winner:M1-1"}, "feed A"),
        ({"feed_b": "bye"}, "feed B"),
        ({"number": 5}, "place in the draw"),
        ({"why": {}}, "reason"),
    ],
)
def test_plan_names_what_was_changed_in_a_fixture(event, change, what):
    Fixture.objects.filter(key="M2-2").update(**change)
    assert found(event) == [("plan", "M2-2", what)]


def test_plan_names_a_player_in_the_wrong_seat(event):
    loser = fixture_of(event, "M1-1").entry_b
    Fixture.objects.filter(key="M2-1").update(entry_a=loser)
    (difference,) = audit_event(event)
    assert (difference.place, difference.what) == ("friday-club/main M2-1", "side A")
    assert difference.stored == f"{loser.player.name} (entry {loser.pk})"


def test_plan_names_a_result_whose_winner_was_swapped(event):
    Scoresheet.objects.filter(match__fixture__key="M1-3").update(final_a=2, final_b=5)
    checks = {(check, place) for check, place, _ in found(event)}
    assert {("log", "M1-3 sheet 1"), ("plan", "M2-2"), ("matches", "M2-2")} <= checks


def test_plan_names_a_later_result_that_no_longer_belongs(event):
    win(fixture_of(event, "M2-2").match, A)
    store_standings(event.pk)
    Scoresheet.objects.filter(match__fixture__key="M1-3").update(final_a=2, final_b=5)
    assert ("plan", "M2-2", "result") in found(event)


def test_plan_names_a_missing_and_an_unplanned_fixture(event):
    fixture = Fixture.objects.get(key="M3-1")
    Fixture.objects.filter(pk=fixture.pk).update(key="M9-9")
    assert found(event) == [("plan", "M9-9", "fixture"), ("plan", "M3-1", "fixture")]


def test_plan_names_a_draw_that_its_seed_does_not_give(event):
    Stage.objects.update(seed="another")
    checks = {check for check, _, _ in found(event)}
    assert checks >= {"plan"}
    assert checks <= {"plan", "matches", "standings"}


def test_plan_names_fixtures_before_the_draw(event):
    Stage.objects.update(drawn_at=None, edition=0)
    differences = found(event)
    assert [place for check, place, _ in differences if check == "plan"] == list(
        Fixture.objects.order_by("bracket", "round", "number").values_list("key", flat=True)
    )
    assert [what for check, _, what in differences if check == "standings"] == ["lines"]


def test_matches_names_terms_that_are_not_the_events(event):
    Match.objects.filter(fixture__key="M2-2").update(length=9, profile="dbf", crawford=False)
    assert found(event) == [
        ("matches", "M2-2", "length of the match"),
        ("matches", "M2-2", "rules"),
        ("matches", "M2-2", "Crawford rule"),
    ]


def test_matches_names_other_players(event):
    other = create_player(name="Eve", at=AT)
    Match.objects.filter(fixture__key="M2-2").update(side_a=other)
    (difference,) = audit_event(event)
    assert (difference.check, difference.what) == ("matches", "players")
    assert difference.stored.startswith("Eve – ")


def test_matches_names_a_match_that_is_missing_and_the_one_left_over(event):
    Fixture.objects.filter(key="M2-2").update(match=None)
    assert found(event) == [("matches", "M2-2", "match")]
    assert [(d.check, d.what) for d in audit_everything()][1:] == [("matches", "a match of no draw and no record")]


def test_matches_names_one_that_came_too_early(event):
    live = fixture_of(event, "M1-2")
    early = Match.objects.create(side_a=live.match.side_a, side_b=live.match.side_b, length=5, created_at=AT)
    Fixture.objects.filter(key="M2-1").update(entry_b=live.entry_a, match=early)
    assert found(event) == [("plan", "M2-1", "side B"), ("matches", "M2-1", "match")]


def test_people_names_a_match_that_is_waiting_for_a_player_who_left(event):
    match = open_matches(event)[-1]
    entry = match.fixture.entry_a
    gone = {"left_at": AT, "left_kind": "no-show", "left_stage": 2}
    Entry.objects.filter(pk=entry.pk).update(**gone)
    key = match.fixture.key
    assert ("people", key, "result") in found(event)


def test_people_names_a_walkover_over_a_player_who_is_there(event):
    match = open_matches(event)[-1]
    leave_event(match.fixture.entry_a, kind="no-show", by=None, at=AT)
    store_standings(event.pk)
    assert found(event) == []
    Entry.objects.filter(event=event).update(left_at=None, left_kind="", left_stage=None)
    assert found(event) == [("people", match.fixture.key, "walkover")]


def test_finished_names_the_open_matches(event):
    Event.objects.update(finished_at=AT)
    (difference,) = audit_event(event)
    assert (difference.check, difference.computed) == ("finished", "open matches: M1-2, M2-1, M2-2, M3-1")


def test_finished_names_an_event_that_ended_undrawn(director):
    event = build_event(director, drawn=False)
    Event.objects.update(finished_at=AT)
    assert found(event) == [("finished", "", "event")]


def test_standings_names_what_was_changed_in_a_line(event):
    line = Standing.objects.first()
    for change in ({"wins": 5}, {"points_for": 99}, {"decided_by": "x"}, {"tiebreaks": []}, {"place_to": 8}):
        before = {field: getattr(line, field) for field in change}
        Standing.objects.filter(pk=line.pk).update(**change)
        ((check, place, what),) = found(event)
        assert (check, place, what) == ("standings", f"standings {line.entry.player.name}", *change)
        Standing.objects.filter(pk=line.pk).update(**before)


def test_standings_names_a_missing_line_and_a_wrong_count(event):
    Standing.objects.first().delete()
    Stage.objects.update(standings_matches=7)
    assert found(event) == [("standings", "standings", "matches included"), ("standings", "standings", "order")]


def test_standings_that_are_behind_are_named_once(event):
    Event.objects.update(version=99)
    Standing.objects.update(wins=5)
    assert found(event) == [("standings", "standings", "version")]


def test_audit_names_an_entry_that_came_after_the_draw(event):
    Entry.objects.create(event=event, player=create_player(name="Eve", at=AT), number=99)
    checks = ("plan", "matches", "standings")
    assert found(event) == [(check, "", f"check of {check}") for check in checks]


# --- the whole ----------------------------------------------------------------------------------------------------


def test_every_validation_says_what_it_checks():
    assert len({check.__name__ for check in VALIDATIONS}) == len(VALIDATIONS) == 18
    assert all(check.__doc__ for check in VALIDATIONS)


def test_queries_do_not_grow_with_the_players(director):
    def queries(players: int) -> int:
        event = build_event(director, players=players)
        play_out(event)
        store_standings(event.pk)
        with CaptureQueriesContext(connection) as captured:
            assert audit_event(event) == []
        return len(captured)

    assert queries(2) == queries(12)
