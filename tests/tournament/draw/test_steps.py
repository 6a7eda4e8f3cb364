"""The row in the log is worded by one function, no matter who enters the result."""

import pytest

from players.errors import Conflict
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, win
from tournament.corrections.undo import undo_step, undoable
from tournament.entries.attendance import leave_event, undo_leaving
from tournament.models import Event, LogEntry
from tournament.results.enter import enter_result

ROW = {"fixture", "players", "match", "sheet", "score", "conclusion", "claim", "reason", "base", "absent"}


@pytest.fixture(params=[1, 3], ids=["players", "teams"])
def event(request, director) -> Event:
    return build_event(director, players=4, boards=request.param)


def entered(event: Event) -> list[LogEntry]:
    return list(event.log.filter(verb="enter_result").order_by("id"))


def leave(event: Event, key: str) -> None:
    leave_event(fixture_of(event, key).entry_a, kind="withdrawn", by=None, at=AT)


def desk(event: Event) -> None:
    win(next(iter(fixture_of(event, "M1-1").matches.values())), Side.A)


def walkover(event: Event) -> None:
    leave(event, "M1-1")


def forfeit(event: Event) -> None:
    for match in fixture_of(event, "M1-1").matches.values():
        enter_result(match, claim=claim(games=(GameResult(Side.A),)), by=None, at=AT)
    event.log.filter(verb="enter_result").delete()
    leave(event, "M1-1")


def played_on(event: Event) -> None:
    forfeit(event)
    event.log.filter(verb="enter_result").delete()
    undo_leaving(fixture_of(event, "M1-1").entry_a, by=None, at=AT)


@pytest.mark.parametrize("author", [desk, walkover, forfeit, played_on])
def test_every_author_of_a_result_writes_the_same_keys(event, author):
    author(event)
    rows = entered(event)
    expected = ROW | {"board"} if event.has_teams else ROW
    assert [row.detail.keys() for row in rows] == [expected] * len(rows)
    assert rows


@pytest.mark.parametrize("author", [walkover, forfeit])
def test_the_row_of_an_absence_names_its_match_who_sits_there_and_who_is_absent(event, author):
    author(event)
    fixture = fixture_of(event, "M1-1")
    names = {
        number: [match.name_a, match.name_b] if number else [fixture.entry_a.name, fixture.entry_b.name]
        for number, match in fixture.matches.items()
    }
    told = [(row.detail["match"], row.detail.get("board", 0), row.detail["players"]) for row in entered(event)]
    assert told == [(match.pk, number, names[number]) for number, match in fixture.matches.items()]
    assert {tuple(row.detail["absent"]) for row in entered(event)} == {(fixture.entry_a.name,)}


@pytest.mark.parametrize(
    ("author", "code"),
    [(walkover, "walkover_of_absence"), (forfeit, "undo_depends"), (played_on, "undo_depends")],
)
def test_what_followed_from_a_departure_is_not_undone_by_itself(event, author, code):
    author(event)
    row = entered(event)[-1]
    assert row.pk not in undoable(list(event.log.all()))
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == code
