"""An event's draws as a file: written by one installation, read and checked without a database."""

import pytest

from rules.score import Side
from tests.builders import build_event, open_matches, play_out, win
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
@pytest.mark.parametrize("players", [2, 5, 13])
def test_every_format_holds_before_play_in_play_and_at_its_end(director, format, players):
    event = build_event(director, players=players, format=format)
    assert checked(event).wrong == ()
    for match in open_matches(event)[:3]:
        win(match, Side.A, by=director)
    assert checked(event).wrong == ()
    play_out(event)
    report = checked(event)
    assert report.wrong == ()
    assert "pairings_agree" in {finding.code for finding in report.findings}
