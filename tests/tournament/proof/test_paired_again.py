"""Rounds paired again after their lots could be read: an invented result, undone, and the one that suits better."""

from datetime import datetime, timedelta

import pytest

from rules.score import Side
from tests.builders import AT, build_event, claim, open_matches
from tournament.corrections.undo import undo_step
from tournament.draw.make import make_draw
from tournament.formats import FORMATS
from tournament.models import Event
from tournament.past.draw_file import draw_file_of
from tournament.proof.check import check_file
from tournament.proof.findings import Finding, Verdict
from tournament.proof.read import read_draw_file
from tournament.proof.write import write_draw_file
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db

SEEN = ("link_opened_early", "link_without_pairings")


def seen(event: Event) -> list[Finding]:
    report = check_file(read_draw_file(write_draw_file(draw_file_of(event))))
    assert report.wrong == ()
    return [finding for finding in report.findings if finding.code in SEEN]


def say(event: Event, winner: Side, at: datetime) -> None:
    match = open_matches(event)[0]
    final = (match.length, 0) if winner is Side.A else (0, match.length)
    enter_result(match, claim=claim(final=final), by=None, at=at)


@pytest.mark.parametrize("format", ["swiss", "swiss-lives"])
def test_an_invented_result_that_opens_the_next_round_is_seen_when_it_is_taken_back(director, format):
    event = build_event(director, players=4, format=format, seed="")
    say(event, Side.A, AT + timedelta(minutes=1))
    say(event, Side.A, AT + timedelta(minutes=2))
    assert seen(event) == []
    undo_step(event.log.order_by("-id")[0], by=director, at=AT + timedelta(minutes=3))
    (told,) = seen(event)
    assert (told.code, told.verdict, told.params["number"]) == ("link_without_pairings", Verdict.NOTE, 2)
    say(event, Side.B, AT + timedelta(minutes=4))
    (told,) = seen(event)
    assert (told.code, told.verdict) == ("link_opened_early", Verdict.NOTE)
    assert told.params == {"number": 2, "opened": "2026-03-06T19:02:00Z", "at": "2026-03-06T19:04:00Z"}


@pytest.mark.parametrize("format", FORMATS)
def test_an_event_played_without_corrections_has_no_such_note(director, format):
    event = build_event(director, players=max(9, FORMATS[format].min_entrants), format=format, seed="", drawn=False)
    make_draw(event, by=director, at=AT)
    minutes = 0
    while open_matches(event):
        minutes += 1
        say(event, Side.A if minutes % 3 else Side.B, AT + timedelta(minutes=minutes))
        if minutes % 7 == 0:
            assert seen(event) == []
    assert seen(event) == []
