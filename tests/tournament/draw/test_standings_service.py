import json
from fractions import Fraction

import pytest
import redis

from players.models import RankingList
from players.ratings import RATINGS
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, open_matches, play_out, win
from tests.processes import PATIENCE_SECONDS
from tournament.draw import standings
from tournament.draw.outcomes import load_fixtures, results_of
from tournament.draw.standings import stale_event_ids, stale_rating_systems, store_standings
from tournament.events.services import finish_event, reopen_event
from tournament.models import Stage, Standing
from tournament.results.enter import enter_result
from tournament.tasks import heal, recompute_standings


def stored() -> list[tuple]:
    return list(Standing.objects.values_list("order", "entry", "place", "place_to", "wins", "losses", "tiebreaks"))


def test_standings_are_those_of_the_version_they_name(director):
    event = build_event(director, players=4, format="round-robin")
    play_out(event)
    event.refresh_from_db()
    store_standings(event.pk)
    stage = Stage.objects.get()
    assert (stage.standings_version, stage.standings_matches) == (event.version, 6)
    assert [line[0] for line in stored()] == [1, 2, 3, 4]
    assert sum(line[4] for line in stored()) == 6


def test_lines_that_say_the_same_as_before_are_not_written_again(director):
    event = build_event(director, players=8, format="round-robin")
    first, second, *_rest = open_matches(event)
    win(first, Side.A, by=director)
    store_standings(event.pk)
    before = {row.pop("id"): row for row in Standing.objects.values()}
    win(second, Side.B, loser_points=3, by=director)
    store_standings(event.pk)
    after = {row.pop("id"): row for row in Standing.objects.values()}
    assert len(after) == 8
    assert all(before[kept] == after[kept] for kept in before.keys() & after.keys())
    written = {row["entry_id"]: row for pk, row in after.items() if pk not in before}
    assert written
    assert all(row not in before.values() for row in written.values())


def test_lines_that_were_kept_are_those_that_would_be_written_again(director):
    event = build_event(director, players=6, format="round-robin")
    for number, match in enumerate(open_matches(event)[:9]):
        win(match, Side.B if number % 3 else Side.A, loser_points=number % 4, by=director)
        store_standings(event.pk)
        as_kept = [{**row, "id": None} for row in Standing.objects.values()]
        Standing.objects.all().delete()
        Stage.objects.update(standings_version=0)
        store_standings(event.pk)
        assert [{**row, "id": None} for row in Standing.objects.values()] == as_kept


def test_standings_of_a_known_version_are_not_written_again(director, django_assert_num_queries):
    event = build_event(director, players=4)
    store_standings(event.pk)
    before = list(Standing.objects.values_list("pk", flat=True))
    store_standings(event.pk)
    assert list(Standing.objects.values_list("pk", flat=True)) == before


def test_running_the_task_twice_gives_the_same_standings(director):
    event = build_event(director, players=6, format="round-robin")
    play_out(event)
    recompute_standings(event.pk)
    before = stored()
    Stage.objects.update(standings_version=0)
    recompute_standings(event.pk)
    assert stored() == before


def test_a_result_that_slips_in_while_standings_are_computed_is_in_them(director, monkeypatch):
    event = build_event(director, players=4)
    first, second = open_matches(event)
    win(first, Side.A)
    load = standings.chain_now
    slips = [second]

    def load_slowly(found):
        chain = load(found)
        if slips:
            win(slips.pop(), Side.B)
        return chain

    monkeypatch.setattr(standings, "chain_now", load_slowly)
    store_standings(event.pk)
    event.refresh_from_db()
    stage = Stage.objects.get()
    assert (stage.standings_version, stage.standings_matches, stage.standings.count()) == (event.version, 2, 4)


def test_event_whose_message_was_lost_is_found_and_healed(director, eager_tasks):
    event = build_event(director, players=2)
    win(open_matches(event)[0], Side.A)
    assert stale_event_ids() == [event.pk]
    heal()
    assert stale_event_ids() == []
    assert Stage.objects.get().standings_matches == 1


def test_ranking_list_older_than_the_last_ended_event_is_found_and_healed(director, eager_tasks):
    event = build_event(director, players=2)
    win(open_matches(event)[0], Side.A)
    assert stale_rating_systems() == []
    finish_event(event, by=director, at=AT)
    assert stale_rating_systems() == sorted(RATINGS)
    heal()
    assert stale_rating_systems() == []
    assert RankingList.objects.get(system="fibs").ratings.count() == 2


@pytest.mark.django_db(transaction=True)
def test_ending_an_event_rates_its_matches(eager_tasks):
    director = build_director()
    event = build_event(director, players=2)
    win(open_matches(event)[0], Side.A)
    finish_event(event, by=director, at=AT)
    assert RankingList.objects.get(system="fibs").matches == 1


def test_standings_of_an_event_that_is_gone_are_not_written(director):
    store_standings(987654)
    assert not Standing.objects.exists()


def test_forfeit_counts_with_the_points_played_for(director):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    given_up = claim(games=(GameResult(Side.A, 2),), conclusion="forfeit", awarded_to=Side.B)
    enter_result(match, claim=given_up, by=director, at=AT)
    (result,) = results_of(load_fixtures(event.stages.get()))
    assert (result.score_a, result.score_b, result.conclusion) == (2, 0, "forfeit")
    assert result.winner == event.stages.get().fixtures.get().entry_b_id


def test_fractions_are_kept_exactly(director):
    event = build_event(director, players=4, format="round-robin", tiebreaks=["buchholz", "sonneborn-berger"])
    play_out(event)
    store_standings(event.pk)
    values = [value for line in stored() for _slug, value in line[6] if value is not None]
    assert values == [value if isinstance(value, int) else str(Fraction(value)) for value in values]


@pytest.mark.parametrize("tiebreaks", [[], ["point-difference"], ["buchholz", "head-to-head"]])
def test_standings_carry_the_events_tiebreaks_in_their_order(director, tiebreaks):
    event = build_event(director, players=4, format="round-robin", tiebreaks=tiebreaks)
    store_standings(event.pk)
    assert [[slug for slug, _value in line[6]] for line in stored()] == [tiebreaks] * 4


@pytest.mark.cluster
def test_open_pages_are_told_of_new_standings(director, redis_url, settings, django_capture_on_commit_callbacks):
    event = build_event(director, players=4)
    settings.REDIS_URL = redis_url
    with redis.Redis.from_url(redis_url, socket_timeout=PATIENCE_SECONDS) as client, client.pubsub() as messages:
        messages.subscribe(settings.LIVE_CHANNEL)
        assert next(messages.listen())["type"] == "subscribe"
        with django_capture_on_commit_callbacks(execute=True):
            store_standings(event.pk)
        told = {"topics": [str(event.pk), f"t{event.tournament_id}", "all"]}
        assert told in (json.loads(message["data"]) for message in messages.listen())


@pytest.mark.django_db(transaction=True)
def test_correcting_a_rated_match_rates_it_again(eager_tasks):
    director = build_director()
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    win(match, Side.A)
    finish_event(event, by=director, at=AT)
    reopen_event(event, by=director, at=AT)
    win(match, Side.B, base=1)
    best = RankingList.objects.get(system="fibs").ratings.select_related("player").first()
    assert best.player == match.side_b
