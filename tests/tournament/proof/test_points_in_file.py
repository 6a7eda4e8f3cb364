"""Draw files of events in which a match can be drawn, or has a second win for the lower error rate."""

from datetime import timedelta
from itertools import count

import pytest

from matches.models import Match
from rules.score import Side
from tests.builders import AT, build_event, claim, open_matches
from tests.tournament.proof.test_round_trip import checked
from tournament.draw.make import make_draw
from tournament.events.stages import add_stage
from tournament.models import Carry, Event
from tournament.past.draw_file import draw_file_of
from tournament.results.enter import enter_result, void_result
from tournament.results.error_rates import set_error_rates

pytestmark = pytest.mark.django_db

RATES = {"rate_point": True}


def win(match: Match, winner: Side, minute: int) -> None:
    final = (match.length, 0) if winner is Side.A else (0, match.length)
    enter_result(match, claim=claim(final=final), by=None, at=AT + timedelta(minutes=minute))


def rate(match: Match, rates: tuple[int, int], minute: int) -> None:
    set_error_rates(match, rates=rates, by=None, at=AT + timedelta(minutes=minute))


def play(event: Event, *, rated: bool = False, minute: int = 1) -> None:
    """Decide all matches: every third for side B, and the lower rate for side B of every other."""
    minutes = count(minute)
    while matches := open_matches(event):
        for number, match in enumerate(matches):
            minute = next(minutes)
            win(match, Side.A if number % 3 else Side.B, minute)
            if rated:
                rate(match, (5000, 4000 + 2000 * (number % 2)), minute)


@pytest.mark.parametrize("format", ["swiss", "monrad"])
def test_rounds_drawn_after_shared_boards_hold(director, format):
    event = build_event(director, players=9, boards=2, format=format, lengths=(1,), options={"rounds": 5}, seed="")
    play(event)
    (draw,) = draw_file_of(event).draws
    assert any(result.is_drawn for step in draw.steps for result in step.results)
    assert checked(event).wrong == ()


@pytest.mark.parametrize("format", ["swiss", "monrad"])
def test_rounds_drawn_after_wins_by_error_rate_hold(director, format):
    event = build_event(director, players=9, format=format, lengths=(1,), options={"rounds": 5, **RATES}, seed="")
    play(event, rated=True)
    assert Match.objects.filter(rate_a__isnull=False).count() == 20
    assert checked(event).wrong == ()


def test_a_rate_that_comes_after_the_next_round_counts_from_the_round_after_it(director):
    event = build_event(director, players=8, format="swiss", lengths=(1,), options={"rounds": 3, **RATES}, seed="")
    first, *others = open_matches(event)
    for match in (first, *others):
        win(match, Side.A, 1)
    second = open_matches(event)
    win(second[0], Side.A, 2)
    rate(first, (5000, 4000), 3)
    assert checked(event).wrong == ()
    for match in second[1:]:
        win(match, Side.A, 4)
    assert checked(event).wrong == ()


def test_rates_of_a_result_that_was_taken_back_count_no_more(director):
    event = build_event(director, players=4, format="swiss", lengths=(1,), options={"rounds": 3, **RATES}, seed="")
    first, second = open_matches(event)
    win(first, Side.A, 1)
    rate(first, (5000, 4000), 2)
    void_result(first, base=1, reason="played again", may_repair=True, by=None, at=AT + timedelta(minutes=3))
    win(first, Side.A, 4)
    win(second, Side.A, 5)
    for match in open_matches(event):
        win(match, Side.A, 6)
    assert checked(event).wrong == ()


@pytest.mark.parametrize("carry", [Carry.MET, Carry.ALL])
@pytest.mark.parametrize(("boards", "options"), [(2, {}), (1, RATES)])
def test_a_later_stage_counts_draws_and_rates_of_the_stage_before(director, carry, boards, options):
    event = build_event(
        director,
        players=8,
        boards=boards,
        format="pools",
        lengths=(1,),
        options={"pool_size": 4, **options},
        seed="",
        drawn=False,
    )
    add_stage(
        event,
        format="swiss",
        options={"lengths": [1], "rounds": 2, **options},
        qualifiers=3,
        carry=carry,
        by=None,
        at=AT,
    )
    make_draw(event, by=None, at=AT)
    play(event, rated=bool(options))
    make_draw(event, by=None, at=AT + timedelta(hours=2))
    play(event, minute=121)
    assert len(draw_file_of(event).draws) == 2
    report = checked(event)
    assert report.wrong == ()
    assert "qualifiers_changed" not in {finding.code for finding in report.findings}
