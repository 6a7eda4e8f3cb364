"""Files of events in which everything happened: corrections, late entries, departures, teams, stages."""

import random
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from matches.models import Match
from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, open_matches, play_out, win
from tests.tournament.entries.test_attendance import late, leave
from tests.tournament.ladders import at_rung
from tests.tournament.replay.test_random_events import current_number, random_claim
from tournament.draw.challenges import challenge
from tournament.draw.make import make_draw
from tournament.entries.services import return_entry, withdraw_entry
from tournament.events.stages import add_stage
from tournament.formats import FORMATS
from tournament.models import Carry, Event
from tournament.past.draw_file import draw_file_of
from tournament.proof.check import Report, check_file
from tournament.proof.read import read_draw_file
from tournament.proof.write import write_draw_file
from tournament.results.enter import enter_result, void_result

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def checked(event: Event) -> Report:
    return check_file(read_draw_file(write_draw_file(draw_file_of(event))))


@pytest.mark.parametrize("format", FORMATS)
def test_after_random_changes_and_at_its_end(director, format):
    rng = random.Random(format)
    event = build_event(director, players=max(9, FORMATS[format].min_entrants), format=format, seed="")
    if FORMATS[format].pairs_on_challenge():
        challenge_somebody(event, rng, director)
    for minutes in range(20):
        change_something_at(event, rng, AT + timedelta(minutes=minutes))
    assert checked(event).wrong == ()
    finish(event, rng, AT + timedelta(hours=1))
    report = checked(event)
    assert report.wrong == ()
    assert "pairings_agree" in {finding.code for finding in report.findings}


def challenge_somebody(event: Event, rng: random.Random, director) -> None:
    """Some challenges, each of the rung above, and all of them played."""
    for _number in range(4):
        rung = rng.randrange(2, 9)
        challenge(event, challenger=at_rung(event, rung), challenged=at_rung(event, rung - 1), by=director, at=AT)
        play_out(event)


def finish(event: Event, rng: random.Random, at: datetime) -> None:
    """Play all matches to their end, also those with a score already."""
    while matches := open_matches(event):
        for match in matches:
            final = rng.choice([(match.length, 0), (0, match.length)])
            said = claim(final=final, base=current_number(match))
            enter_result(match, claim=said, may_repair=True, by=None, at=at)


def change_something_at(event: Event, rng: random.Random, at: datetime) -> None:
    """Enter, correct or take back the result of some match."""
    matches = list(Match.objects.filter(fixture__stage__event=event).order_by("pk"))
    if not matches:
        return
    match = rng.choice(open_matches(event) or matches) if rng.random() < 0.7 else rng.choice(matches)
    base = current_number(match)
    who = {"may_repair": True, "by": None, "at": at}
    with suppress(Conflict):  # a later match has begun: that is an answer too
        if base and rng.random() < 0.2:
            void_result(match, base=base, reason="as chance has it", **who)
        else:
            said = replace(random_claim(match, rng, base), reason="misread" if base else "")
            enter_result(match, claim=said, **who)


@pytest.mark.parametrize("format", ["swiss", "monrad", "swiss-lives"])
def test_a_corrected_result_counts_from_when_it_was_known(director, format):
    event = build_event(director, players=8, format=format, seed="")
    at = AT
    for _round in (1, 2):
        for match in open_matches(event):
            at += timedelta(minutes=5)
            enter_result(match, claim=claim(final=(match.length, 0)), by=director, at=at)
    first = fixture_of(event, "S1-1").match
    misread = claim(final=(0, first.length), base=1, reason="misread")
    enter_result(first, claim=misread, may_repair=True, by=director, at=at + timedelta(hours=1))
    assert checked(event).wrong == ()


@pytest.mark.parametrize("format", ["single-elimination", "consolation", "swiss", "swiss-lives", "jackpot"])
def test_late_entries_and_departures(director, format):
    event = build_event(director, players=9, format=format, seed="")
    try:
        late(event, "Late")
    except (Refusal, Conflict):
        assert format == "jackpot"
    win(open_matches(event)[0], Side.A, by=director)
    if FORMATS[format].pairs_by_round:
        withdraw_entry(event.entries.get(number=3), by=director, at=AT)
        play_out_round(event, director)
        return_entry(event.entries.get(number=3), by=director, at=AT)
        late(event, "Later")
    else:
        leave(event.entries.get(number=3))
    play_out(event)
    assert checked(event).wrong == ()


def play_out_round(event: Event, director) -> None:
    for match in open_matches(event):
        win(match, Side.B, by=director)


@pytest.mark.parametrize("format", ["swiss", "single-elimination"])
def test_teams(director, format):
    event = build_event(director, players=5, format=format, boards=3, seed="")
    play_out(event)
    assert checked(event).wrong == ()


@pytest.mark.parametrize("carry", list(Carry))
@pytest.mark.parametrize(("first", "second"), [("pools", "single-elimination"), ("round-robin", "swiss")])
def test_a_stage_after_another(director, first, second, carry):
    event = build_event(director, players=8, format=first, seed="", drawn=False)
    options = {"lengths": [3]}
    add_stage(event, format=second, options=options, qualifiers=4, carry=carry, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    play_out(event)
    make_draw(event, by=director, at=AT)
    play_out(event)
    report = checked(event)
    assert report.wrong == ()
    assert {finding.place.stage for finding in report.findings} >= {1, 2}
