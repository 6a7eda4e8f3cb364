"""The count of the rated matches: what it reads again, what it throws away, and what several processes do at once."""

from collections.abc import Callable
from datetime import datetime, timedelta
from math import ceil

import pytest
from celery import Celery
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.celery import HealedTask
from matches import counting as counting_module
from matches.checkpoints import last_tally, superfluous
from matches.counted import Checkpoint, CountedMatch, Counting, Recount
from matches.counting import count_some, find_counting, has_uncounted, start_again
from matches.import_records import import_record
from matches.models import Match, Scoresheet, SheetSource
from matches.ratings import count_on, rate_matches, rate_some, rated_matches, replay_ratings
from matches.services import submit_sheet, void_sheet
from matches.tasks import count_matches, rate
from players.models import Player, RankingList, Rating
from players.ratings import RATINGS
from players.ratings.packed import line_of
from players.services import create_player
from tests.builders import AT, claim
from tests.matches.test_import_records import WHOLE
from tournament.tasks import heal

pytestmark = pytest.mark.django_db

LATER = AT + timedelta(days=1)


@pytest.fixture
def players() -> list[Player]:
    return [create_player(name=name, at=AT) for name in ("Ann", "Bo", "Cy", "Di")]


def play(one: Player, other: Player, *, minutes: int = 0, length: int = 5) -> Match:
    match = Match.objects.create(side_a=one, side_b=other, length=length, created_at=AT)
    said = claim(final=(length, 0), confirmed=True)
    submit_sheet(match, claim=said, source=SheetSource.DESK, by=None, at=AT + timedelta(minutes=minutes))
    return match


def stored() -> list[tuple]:
    return list(Rating.objects.order_by("player_id").values_list("player_id", "value", "matches", "wins"))


def whole() -> list[tuple]:
    return [(line.player_id, line.value, line.matches, line.wins) for line in replay_ratings("fibs")[0]]


def reads_of(table: type, act: Callable[[], object]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        act()
    name = f'FROM "{table._meta.db_table}"'
    return [query["sql"] for query in captured if name in query["sql"]]


def test_a_new_match_is_the_only_one_that_is_read_again(players, monkeypatch):
    ann, bo, cy, di = players
    for minutes in range(6):
        play(ann, bo, minutes=minutes)
    rate_matches("fibs", at=LATER)
    read: list[int] = []
    monkeypatch.setattr(
        counting_module,
        "rated_matches",
        lambda sheets: [match for match in rated_matches(sheets) if not read.append(match.match_id)],
    )
    new = play(cy, di, minutes=7)
    rate_matches("fibs", at=LATER)
    assert read == [new.pk]
    assert stored() == whole()


def test_a_list_whose_lines_stay_is_not_written_again(players):
    ann, bo, cy, di = players
    play(ann, bo)
    rate_matches("fibs", at=LATER)
    lines = dict(Rating.objects.values_list("player_id", "pk"))
    play(cy, di, minutes=1)
    with CaptureQueriesContext(connection) as captured:
        rate_matches("fibs", at=LATER)
    written = [query["sql"] for query in captured if query["sql"].startswith('INSERT INTO "players_rating"')]
    assert len(written) == 1
    assert written[0].count(f", {cy.pk}, ") + written[0].count(f", {di.pk}, ") == 2
    assert not any(f", {one.pk}, '1" in written[0] for one in (ann, bo))
    assert {player: pk for player, pk in Rating.objects.values_list("player_id", "pk") if player in lines} == lines


def test_a_line_changed_by_hand_is_mended_by_the_next_list(players):
    play(players[0], players[1])
    rate_matches("fibs", at=LATER)
    before = stored()
    Rating.objects.filter(player=players[0]).update(value=1)
    Rating.objects.filter(player=players[1]).delete()
    rate_matches("fibs", at=LATER)
    assert stored() == before


def test_what_was_counted_by_other_rules_is_thrown_away(players, monkeypatch):
    play(players[0], players[1])
    rate_matches("fibs", at=LATER)
    CountedMatch.objects.update(length=9)
    rate_matches("fibs", at=LATER)
    monkeypatch.setattr(counting_module, "VERSION", counting_module.VERSION + 1)
    assert has_uncounted()
    rate_matches("fibs", at=LATER)
    assert stored() == whole()
    assert not has_uncounted()


def test_the_command_begins_with_the_score_sheets(players, capsys):
    play(players[0], players[1])
    call_command("rate", "fibs")
    Scoresheet.objects.update(final_a=0, final_b=5)  # by hand, so nobody has asked for a recount
    rate_matches("fibs", at=datetime.now(AT.tzinfo))
    assert stored() != whole()
    call_command("rate", "fibs")
    assert stored() == whole()


def test_a_record_counts_from_its_import_on_whenever_it_was_played(players):
    play(players[0], players[1])
    imported = AT + timedelta(hours=2)
    import_record(WHOLE.encode(), name="old", at=imported)
    rate_matches("fibs", at=AT + timedelta(hours=1))
    assert RankingList.objects.get().matches == 1
    rate_matches("fibs", at=imported)
    assert RankingList.objects.get().matches == 2
    assert stored() == whole()


def test_a_list_of_an_earlier_moment_than_the_count_is_computed_whole(players):
    play(players[0], players[1], minutes=1)
    play(players[0], players[1], minutes=90)
    while not count_on(at=LATER):
        pass
    rate_matches("fibs", at=AT + timedelta(hours=1))
    assert RankingList.objects.get().matches == 1


def test_a_result_of_a_later_moment_waits_for_its_list(players):
    play(players[0], players[1], minutes=1)
    late = play(players[0], players[1], minutes=90)
    rate_matches("fibs", at=AT + timedelta(hours=1))
    assert (RankingList.objects.get().matches, set(Recount.objects.values_list("match", flat=True))) == (1, {late.pk})
    rate_matches("fibs", at=LATER)
    assert (RankingList.objects.get().matches, Recount.objects.count()) == (2, 0)


def test_what_was_read_before_another_process_stored_is_not_stored(players, monkeypatch):
    """Between the reading and the storing another process counts the match as it is by then."""
    match = play(players[0], players[1])
    rate_matches("fibs", at=LATER)
    play(players[0], players[2], minutes=1)

    def read_and_be_overtaken(sheets):
        found = list(rated_matches(sheets))
        monkeypatch.setattr(counting_module, "rated_matches", rated_matches)
        void_sheet(match, base=1, by=None, at=AT)
        count_some(find_counting(), at=LATER)
        return found

    monkeypatch.setattr(counting_module, "rated_matches", read_and_be_overtaken)
    rate_matches("fibs", at=LATER)
    assert stored() == whole()
    assert [row.match for row in CountedMatch.objects.all()] == [match.match_id for match in rated_matches()]


def test_a_checkpoint_of_matches_that_have_changed_meanwhile_is_not_stored(players, monkeypatch):
    match = play(players[0], players[1])
    start_again(at=LATER)
    assert rate_some("fibs", at=LATER) is None  # counted
    stale = find_counting()
    void_sheet(match, base=1, by=None, at=AT)
    count_some(stale, at=LATER)
    monkeypatch.setattr("matches.ratings.find_counting", lambda: stale)
    assert rate_some("fibs", at=LATER) is None
    assert not Checkpoint.objects.exists()
    assert not RankingList.objects.exists()


def test_a_checkpoint_keeps_every_bit(players):
    for minutes in range(4):
        play(*players[minutes % 2 :: 2], minutes=minutes, length=7)
    rate_matches("fibs", at=LATER)
    assert last_tally("fibs").ratings == RATINGS["fibs"].rate(match.result for match in rated_matches())
    assert line_of(RATINGS["fibs"]).size == 28


@pytest.mark.parametrize("spacing", [1, 7, 100])
def test_checkpoints_are_few_and_close_before_every_match(spacing, monkeypatch):
    monkeypatch.setattr("matches.checkpoints.SPACING", spacing)
    kept: list[int] = []
    for end in range(spacing, 3000, spacing):
        kept = sorted({*kept, end} - set(superfluous([*kept, end])))
        assert kept[-1] == end
        for older, newer in zip([0, *kept], kept, strict=False):
            assert newer - older <= max(2 * spacing, (end - older) // 2 + spacing)
    assert len(kept) <= 30


def test_counting_goes_on_between_lists_and_asks_for_none(players):
    play(players[0], players[1])
    assert has_uncounted()
    while not count_on(at=LATER):
        pass
    assert not has_uncounted()
    assert not RankingList.objects.exists()
    assert Counting.objects.get().goal == Match.objects.get().pk


# Asked for once however often.


@pytest.fixture
def asked() -> tuple[HealedTask, list[str]]:
    """A task that is asked for once, and the messages that wait for it."""
    waiting: list[str] = []
    app = Celery("alone", broker="memory://localhost", task_cls=HealedTask, set_as_current=False)

    @app.task(once=True)
    def once(name: str) -> None:
        if name == "asks again":
            once.delay(name)

    app.amqp.send_task_message = lambda producer, task, message, **options: waiting.append(message.headers["argsrepr"])
    return once, waiting


def test_a_task_waits_once_for_the_same_arguments(asked):
    once, waiting = asked
    for _each in range(5):
        once.delay("fibs")
    once.delay("elo")
    assert waiting == ["('fibs',)", "('elo',)"]


def test_who_asks_once_a_run_has_begun_is_heard_by_one_more(asked):
    once, waiting = asked
    once.delay("asks again")
    once("asks again")
    for _each in range(5):
        once.delay("asks again")
    assert len(waiting) == 2


def test_a_task_that_could_not_be_queued_can_be_asked_for_at_once(asked):
    once, waiting = asked
    send = once.app.amqp.send_task_message

    def fail(*_given: object, **_options: object) -> None:
        raise OSError("disk full")

    once.app.amqp.send_task_message = fail
    assert once.delay("fibs") is None
    once.app.amqp.send_task_message = send
    once.delay("fibs")
    assert len(waiting) == 1


def test_a_rating_comes_in_parts_each_of_which_asks_for_the_next(players, monkeypatch):
    """Between two parts a worker has time for standings."""
    for minutes in range(7):
        last = play(players[0], players[1 + minutes % 3], minutes=minutes)
    monkeypatch.setattr("matches.counting.AT_ONCE", 2)
    monkeypatch.setattr("matches.checkpoints.SPACING", 3)
    parts: list[str] = ["fibs"]
    monkeypatch.setattr(rate, "delay", lambda system, _covers: parts.append(system))
    done = 0
    while done < len(parts):
        assert not RankingList.objects.exists()
        rate(parts[done])
        done += 1
    assert len(parts) == 1 + ceil(last.pk / 2) + 2  # a start, the numbers of the matches by twos, two checkpoints
    assert stored() == whole()


def test_the_clock_asks_for_a_count_where_something_waits(players, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(count_matches, "delay", lambda: asked.append("count"))
    while not count_on(at=LATER):
        pass
    heal()
    assert asked == []
    play(players[0], players[1])
    heal()
    assert asked == ["count"]


def test_a_clock_that_was_put_back_has_nothing_computed_again(players):
    play(players[0], players[1])
    rate_matches("fibs", at=LATER)
    assert reads_of(Scoresheet, lambda: rate_matches("fibs", at=AT)) == []
    assert RankingList.objects.get().computed_at == LATER
