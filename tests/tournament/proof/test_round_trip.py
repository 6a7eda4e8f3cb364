"""An event's draws as a file: written by one installation, read and checked without a database."""

import pytest

from rules.score import Side
from tests.breadth import some
from tests.builders import AT, build_event, open_matches, play_out, win
from tournament.draw.make import cancel_draw, make_draw
from tournament.formats import FORMATS
from tournament.models import Event
from tournament.past.draw_file import draw_file_of
from tournament.proof.check import check_file
from tournament.proof.read import read_draw_file
from tournament.proof.write import write_draw_file

pytestmark = pytest.mark.django_db


def checked(event: Event):
    data = write_draw_file(draw_file_of(event))
    file = read_draw_file(data)
    assert write_draw_file(file) == data
    return check_file(file)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("players", some([5, 2, 13], 2))
def test_every_format_holds_before_play_in_play_and_at_its_end(director, format, players):
    players = max(players, FORMATS[format].min_entrants)
    event = build_event(director, players=players, format=format, seed="")
    assert checked(event).wrong == ()
    for match in open_matches(event)[:3]:
        win(match, Side.A, by=director)
    assert checked(event).wrong == ()
    play_out(event)
    report = checked(event)
    assert report.wrong == ()
    assert "pairings_agree" in {finding.code for finding in report.findings}


@pytest.mark.parametrize("format", ["single-elimination", "swiss", "jackpot"])
def test_a_draw_made_from_a_seed_holds_too_and_says_so(director, format):
    event = build_event(director, players=8, format=format)
    play_out(event)
    report = checked(event)
    assert report.wrong == ()
    assert "drawn_from_a_seed" in {finding.code for finding in report.findings}


@pytest.mark.parametrize("format", FORMATS)
def test_a_cancelled_draw_stays_in_the_file_and_holds(director, format):
    event = build_event(director, players=8, format=format, seed="")
    first = list(event.stages.get().fixtures.values_list("key", "entry_a__number", "entry_b__number"))
    cancel_draw(event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    file = draw_file_of(event)
    cancelled, standing = file.draws
    assert [(one.key, one.a, one.b) for one in cancelled.steps[0].pairings] == first
    assert cancelled.cancelled_at is not None
    assert standing.cancelled_at is None
    report = checked(event)
    assert report.wrong == ()
    assert "draw_cancelled" in {finding.code for finding in report.findings}
