"""What a departure brings is told before it happens, stores nothing, and is what then happens."""

import pytest

from players.errors import Conflict, Refusal
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, win
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event, set_door
from tournament.entries.consequences import (
    Departing,
    Gain,
    confirm_absent,
    confirm_departure,
    confirm_removal,
    preview_absent,
    preview_departure,
    preview_removal,
)
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.models import LogEntry
from tournament.results.enter import enter_result

WHO = {"by": None, "at": AT}
NO_SHOW, WITHDRAWN = Departing("no-show"), Departing("withdrawn")


def test_walkovers_are_told_by_who_gets_them_and_nothing_is_stored(director):
    event = build_event(director, players=4)
    fixture = fixture_of(event, "M1-1")
    rows = LogEntry.objects.count()
    following = preview_departure(fixture.entry_a, NO_SHOW, at=AT)
    assert following.leaving == (fixture.entry_a.name,)
    assert (following.gains, following.later) == ((Gain(1, "M1-1", fixture.entry_b.name, False),), True)
    assert (LogEntry.objects.count(), event.entries.filter(left_at__isnull=False).count()) == (rows, 0)
    confirm_departure(fixture.entry_a, NO_SHOW, digest=following.digest, **WHO)
    assert fixture_of(event, "M2-1").entry_a == fixture.entry_b
    store_standings(event.pk)
    assert audit_event(event) == []


def test_match_that_has_begun_is_told_as_such(director):
    event = build_event(director, players=4)
    fixture = fixture_of(event, "M1-1")
    enter_result(fixture.match, claim=claim(games=(GameResult(Side.A, 1),)), **WHO)
    following = preview_departure(fixture.entry_a, WITHDRAWN, at=AT)
    assert following.gains == (Gain(1, "M1-1", fixture.entry_b.name, True),)
    with pytest.raises(Conflict) as refused:
        preview_departure(fixture.entry_a, NO_SHOW, at=AT)
    assert refused.value.code == "no_show_has_begun"


def test_round_robin_gives_every_opponent_a_walkover(director):
    event = build_event(director, players=4, format="round-robin")
    entry = event.entries.get(number=1)
    others = {other.name for other in event.entries.exclude(pk=entry.pk).select_related("player")}
    following = preview_departure(entry, WITHDRAWN, at=AT)
    assert {gain.winner for gain in following.gains} == others
    assert (len(following.gains), following.later) == (3, False)


def test_absent_opponent_gains_nothing(director):
    event = build_event(director, players=4)
    fixture = fixture_of(event, "M1-1")
    leave_event(fixture.entry_b, kind="no-show", **WHO)
    assert fixture_of(event, "M2-1").entry_a == fixture.entry_a
    win(fixture_of(event, "M1-2").match, Side.A)
    following = preview_departure(fixture.entry_a, WITHDRAWN, at=AT)
    assert following.gains == (), "the match that nobody began is void, so the other finalist has a bye"


def test_match_of_teams_is_told_once(director):
    event = build_event(director, players=4, boards=3)
    fixture = fixture_of(event, "M1-1")
    following = preview_departure(fixture.entry_a, NO_SHOW, at=AT)
    assert [(gain.key, gain.winner) for gain in following.gains] == [("M1-1", fixture.entry_b.name)]


def test_who_moves_up_is_told(director):
    event = build_event(director, players=4, drawn=False)
    set_door(event, max_entries=4, check_in=True, late_minutes=None, **WHO)
    add_entries(event, lines=[EntryLine(name="Five"), EntryLine(name="Six", line=2)], **WHO)
    following = preview_departure(event.entries.get(number=1), WITHDRAWN, at=AT)
    assert (following.gains, following.moved_up) == ((), ("Five",))
    absent = preview_absent(event, at=AT)
    assert (absent.leaving, absent.moved_up) == (tuple(f"Player {n}" for n in range(1, 5)), ("Five", "Six"))
    removal = preview_removal(event, [event.entries.get(number=n).pk for n in (2, 3)], at=AT)
    assert (removal.leaving, removal.moved_up) == (("Player 2", "Player 3"), ("Five", "Six"))


def test_departure_is_confirmed_only_as_it_was_asked(director):
    event = build_event(director, players=4)
    fixture = fixture_of(event, "M1-1")
    asked = preview_departure(fixture.entry_a, WITHDRAWN, at=AT)
    enter_result(fixture.match, claim=claim(games=(GameResult(Side.A, 1),)), **WHO)
    with pytest.raises(Conflict) as refused:
        confirm_departure(fixture.entry_a, WITHDRAWN, digest=asked.digest, **WHO)
    assert refused.value.code == "consequences_changed"
    with pytest.raises(Conflict) as refused:
        confirm_departure(fixture.entry_a, Departing("withdrawn", plays_on=True), digest=asked.digest, **WHO)
    assert refused.value.code == "consequences_changed"
    assert not event.entries.filter(left_at__isnull=False).exists()


def test_absent_entries_and_removals_are_confirmed_only_as_they_were_asked(director):
    event = build_event(director, players=4, drawn=False)
    absent, ids = preview_absent(event, at=AT), [event.entries.get(number=n).pk for n in (1, 2)]
    removal = preview_removal(event, ids, at=AT)
    add_entries(event, lines=[EntryLine(name="Five")], **WHO)
    with pytest.raises(Conflict) as refused:
        confirm_absent(event, digest=absent.digest, **WHO)
    assert refused.value.code == "consequences_changed"
    with pytest.raises(Conflict) as refused:
        confirm_removal(event, ids[:1], digest=removal.digest, **WHO)
    assert refused.value.code == "consequences_changed"
    assert confirm_removal(event, ids, digest=removal.digest, **WHO) == ["Player 1", "Player 2"]


def test_single_entry_may_be_removed_from_its_bye_after_the_draw(director):
    event = build_event(director, players=6)
    (late,) = add_entries(event, lines=[EntryLine(name="Late")], **WHO)
    following = preview_removal(event, [late.pk], at=AT)
    assert confirm_removal(event, [late.pk], digest=following.digest, **WHO) == ["Late"]
    with pytest.raises(Refusal) as refused:
        preview_removal(event, [entry.pk for entry in event.entries.all()[:2]], at=AT)
    assert refused.value.code == "event_drawn"
