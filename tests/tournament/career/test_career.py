"""What a player has done: counted from the score sheets that are final, however these say it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.claims import claim_of, score_of
from matches.models import Conclusion, Match
from matches.rulings import RulingRequest
from matches.services import matches_of, prefetch_open_sheets, prefetched_sheet
from players.models import Player
from rules.rulings import RulingKind
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_tournament, claim, fixture_of, play_out, win
from tournament.career.career import Balance, career_of
from tournament.career.results import results_of
from tournament.career.versus import versus_of
from tournament.career.winners import last_winners
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.events.deletion import delete_event
from tournament.events.services import finish_event
from tournament.events.stages import add_stage
from tournament.models import Departure, Entry, Standing
from tournament.results.enter import enter_result
from tournament.results.rulings import rule_match


def end(event, director):
    play_out(event, by=director)
    store_standings(event.pk)
    finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    event.refresh_from_db()


def by_the_rules(player):
    """The results as the rules engine counts each sheet."""
    found = {}
    for match in matches_of(player).prefetch_related(prefetch_open_sheets()):
        sheet = prefetched_sheet(match)
        claimed = claim_of(sheet)
        score = score_of(match.terms, claimed.games, claimed.final, claimed.awarded_to)
        own = Side.A if player.pk in (match.side_a_id, match.partner_a_id) else Side.B
        found[match.pk] = (score.of(own), score.of(own.other), score.winner is own)
    return found


@pytest.mark.parametrize("terms", [{}, {"format": "round-robin"}, {"boards": 3}])
def test_results_are_those_of_the_rules_engine(director, terms):
    event = build_event(director, players=4, lengths=(7,), **terms)
    play_out(event, by=director)
    for player in Player.objects.all():
        results = results_of(player)
        assert {one.match_id: (one.own, one.theirs, one.won) for one in results} == by_the_rules(player)
        assert {one.event for one in results} <= {event.pk}


def test_penalty_points_in_the_middle_of_a_match_count_as_in_the_rules(director):
    event = build_event(director, players=4, lengths=(7,))
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=(GameResult(Side.A, 2),)), by=director, at=AT)
    request = RulingRequest(kind=RulingKind.PENALTY_POINTS, key="r", reason="Late.", penalty_points=(0, 3), base=1)
    rule_match(match, request=request, by=director, at=AT)
    match.refresh_from_db()
    games = (GameResult(Side.A, 2), GameResult(Side.A, 2))
    enter_result(match, claim=claim(games=games, base=2), by=director, at=AT)
    (result,) = results_of(match.side_a)
    assert {result.match_id: (result.own, result.theirs, result.won)} == by_the_rules(match.side_a)
    assert result.own == 7


def test_a_career_counts_matches_points_places_and_titles(director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A, loser_points=3)
    win(fixture_of(event, "M1-2").match, Side.A, loser_points=1)
    final = fixture_of(event, "M2-1").match
    win(final, Side.A, loser_points=4)
    end(event, director)
    career = career_of(final.side_a)
    assert (career.balance.matches, career.balance.wins, career.balance.losses) == (2, 2, 0)
    assert (career.balance.points_for, career.balance.per_cent) == (10, 100)
    assert (career.titles, career.finals, career.streak) == (1, 1, 2)
    (line,) = career.events
    assert (line.place, line.place_to, line.entrants, line.is_title) == (1, 1, 4, True)
    beaten = career_of(final.side_b)
    assert (beaten.titles, beaten.finals, beaten.streak) == (0, 1, -1)
    assert [result.own for result in beaten.results] == [4, 5]
    assert beaten.form[0].opponent == final.side_a.name


def test_a_walkover_is_listed_but_not_counted(director):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    walkover = claim(conclusion=Conclusion.WALKOVER, awarded_to=Side.B)
    enter_result(match, claim=walkover, by=director, at=AT)
    career = career_of(match.side_b)
    (result,) = career.results
    assert (result.won, result.is_award, result.own) == (True, True, match.length)
    assert (career.balance, career.form, career.streak) == (Balance(), (), 0)
    assert career.opponents == ()


def test_a_match_in_play_is_no_result(director):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=(GameResult(Side.A),)), by=director, at=AT)
    assert career_of(match.side_a).results == ()


def test_a_deleted_event_is_no_part_of_a_career(director):
    event = build_event(director, players=4)
    end(event, director)
    player = event.entries.first().player
    assert career_of(player).results
    delete_event(event, typed=event.name, by=director, at=AT)
    assert (career_of(player).results, career_of(player).events) == ((), ())


def test_a_career_of_any_length_takes_the_same_queries(director):
    tournament = build_tournament(director)
    end(build_event(director, players=4, format="round-robin", tournament=tournament), director)
    player = Player.objects.order_by("pk").first()
    with CaptureQueriesContext(
        connection,
    ) as few:
        career_of(player)
    for number in range(3):
        event = build_event(director, players=8, format="round-robin", tournament=tournament, name=f"More {number}")
        end(event, director)
    with CaptureQueriesContext(connection) as many:
        career_of(player)
    assert len(many) == len(few) <= 6
    assert Match.objects.count() > 80


def test_two_players_across_the_board(director):
    event = build_event(director, players=4, format="round-robin", lengths=(5,))
    first, second, third = (entry.player for entry in event.entries.order_by("number")[:3])
    for match in matches_of(first):
        if second in (match.side_a, match.side_b):
            win(match, Side.A if match.side_a == first else Side.B, loser_points=2)
        elif third in (match.side_a, match.side_b):
            win(match, Side.B if match.side_a == first else Side.A)
    seen = versus_of(first, second)
    assert (seen.balance.matches, seen.balance.wins, seen.balance.points_against) == (1, 1, 2)
    assert (seen.longest_win, seen.longest_loss) == (5, 0)
    mirrored = versus_of(second, first)
    assert (mirrored.balance.wins, mirrored.results[0].own, mirrored.longest_loss) == (0, 2, 5)
    assert versus_of(third, second).results == ()


def test_the_last_winners_are_the_latest_first_and_one_for_each_event(director):
    tournament = build_tournament(director)
    for number in range(3):
        end(build_event(director, players=4, tournament=tournament, name=f"Event {number}"), director)
    build_event(director, players=4, tournament=tournament, name="Still open")
    winners = last_winners(2)
    assert [winner.event for winner in winners] == sorted((one.event for one in winners), reverse=True)
    assert len(winners) == 2
    assert all(winner.player is not None and winner.name == winner.player.name for winner in winners)


def with_a_final(director, **terms):
    """An event of groups whose first two go on to a final stage, which is drawn."""
    event = build_event(director, format="round-robin", **terms)
    add_stage(event, format="single-elimination", options={"lengths": [5]}, qualifiers=2, by=director, at=AT)
    play_out(event, by=director)
    store_standings(event.pk)
    return event


def test_a_winner_of_a_qualification_who_left_before_the_final_has_won_nothing(director):
    event = with_a_final(director, players=4)
    best, *others = event.stages.get(number=1).standings.order_by("place")
    leave_event(best.entry, kind=Departure.WITHDRAWN, reason="", by=director, at=AT)
    make_draw(event, by=director, at=AT)
    end(event, director)
    career = career_of(best.entry.player)
    assert [(line.place, line.is_title) for line in career.events] == [(None, False)]
    assert (career.titles, career.finals) == (0, 0)
    assert [line.place for line in career_of(others[-1].entry.player).events] == [others[-1].place]
    (winner,) = last_winners(3)
    assert winner.player == event.stages.get(number=2).standings.get(place=1).entry.player


def test_an_event_whose_last_stage_is_shared_has_no_winner_from_an_earlier_one(director):
    event = with_a_final(director, players=4)
    make_draw(event, by=director, at=AT)
    end(event, director)
    event.stages.get(number=2).standings.update(place=1, place_to=2)
    assert last_winners(3) == []


def test_a_place_shared_by_many_is_no_final(director):
    event = build_event(director, players=4)
    end(event, director)
    entry = event.entries.first()
    entry.standings.update(place=1, place_to=4)
    assert career_of(entry.player).finals == 0


def test_players_who_entered_again_have_the_best_of_their_places(director):
    event = build_event(director, players=4)
    end(event, director)
    first = event.stages.get().standings.get(place=1).entry
    again = Entry.objects.create(event=event, player=first.player, reentry=1, number=9)
    Standing.objects.create(
        stage=event.stages.get(), entry=again, place=3, place_to=4, order=9, played=1, wins=0, losses=1,
        points_for=0, points_against=5,
    )  # fmt: skip
    (line,) = career_of(first.player).events
    assert (line.place, line.place_to, line.entry) == (1, 1, again.pk)


def test_an_event_that_a_player_left_before_the_draw_is_no_part_of_a_career(director):
    event = build_event(director, players=5, drawn=False)
    entry = event.entries.first()
    leave_event(entry, kind=Departure.WITHDRAWN, reason="", by=director, at=AT)
    make_draw(event, by=director, at=AT)
    assert career_of(entry.player).events == ()
