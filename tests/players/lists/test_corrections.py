"""What a list counts otherwise than the one before is among its corrections, and the corrections say what is so."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from players.lists.check import check_list
from players.lists.document import Made
from players.lists.read import ListFile
from players.lists.signing import verify
from players.lists.values import Base, Correction, Counted, Head
from tests.players.lists.publishing import HEAD, build, following, make, some_matches

JANUARY, DECEMBER = some_matches(6), some_matches(4, seed=6, month=12)
TURNED = JANUARY[2]._replace(winner=JANUARY[2].loser, loser=JANUARY[2].winner)
FIRST = replace(HEAD, matches_until="2026-01-31T00:00:00+00:00")
MADE, FILE = make(FIRST, JANUARY)
HONEST = Correction(TURNED.match, JANUARY[2], TURNED, "players_changed")
NOBODY = Base()


def next_of(head: Head, made: Made, *corrections: Correction, base: Base = NOBODY) -> Head:
    return replace(following(head, made, matches_until="2026-12-31T00:00:00+00:00", corrections=corrections), base=base)


def codes(head: Head, matches: Iterable[Counted], earlier: ListFile | None = FILE) -> list[str]:
    _made, file = make(head, sorted(matches, key=lambda one: one.place))
    return [one.code for one in check_list(file, verify=verify, build=build, earlier=earlier).findings]


def second(*corrections: Correction) -> Head:
    return next_of(FIRST, MADE, *corrections)


def with_turned() -> list[Counted]:
    return [TURNED if one.match == TURNED.match else one for one in [*JANUARY, *DECEMBER]]


def test_what_was_corrected_and_is_said_holds() -> None:
    assert codes(second(HONEST), with_turned()) == []
    moved = JANUARY[2]._replace(at="2026-11-01T00:00:00+00:00")
    rest = [one for one in with_turned() if one.match != moved.match]
    gone = Correction(moved.match, JANUARY[2], None, "played_later")
    for matches in ([*rest, moved], rest):
        for earlier in (None, FILE):
            assert codes(second(gone), matches, earlier) == []


@pytest.mark.parametrize(
    ("correction", "found"),
    [
        (HONEST, []),
        (replace(HONEST, now=None), ["correction_now_differs"]),
        (replace(HONEST, now=None, why="played_later"), ["correction_now_differs"]),
        (replace(HONEST, now=JANUARY[2], was=TURNED), ["correction_now_differs"]),
        (replace(HONEST, was=TURNED), ["correction_of_nothing"]),
        (replace(HONEST, why="because"), ["correction_why_unknown"]),
        (Correction(7777, None, TURNED._replace(match=7777), "entered_late"), ["correction_now_differs"]),
        (Correction(7777, None, None, "not_rated"), ["correction_of_nothing"]),
    ],
)
def test_a_correction_says_how_the_list_counts_the_match(correction: Correction, found: list[str]) -> None:
    assert codes(second(correction), with_turned(), None) == found


def test_a_match_is_corrected_once_and_counts_once() -> None:
    assert codes(second(HONEST, HONEST), with_turned(), None) == ["correction_twice"]
    again = JANUARY[0]._replace(at="2026-11-01T00:00:00+00:00")
    assert codes(second(HONEST), [*with_turned(), again], None) == ["match_twice"]


def test_the_first_list_and_one_that_goes_on_from_the_one_before_have_no_corrections() -> None:
    assert codes(replace(FIRST, corrections=(HONEST,)), with_turned(), None) == ["corrections_impossible"]
    base = Base(1, MADE.sha256, MADE.standings)
    late = Correction(DECEMBER[0].match, None, DECEMBER[0], "entered_late")
    assert codes(next_of(FIRST, MADE, late, base=base), DECEMBER, None) == ["corrections_impossible"]


def test_what_counts_otherwise_in_silence_is_named() -> None:
    late = JANUARY[0]._replace(match=7777)
    cases = (with_turned(), [*JANUARY[1:], *DECEMBER], [*JANUARY, late, *DECEMBER])
    for matches in cases:
        assert codes(second(), matches) == ["correction_missing"]
        assert codes(second(), matches, None) == []
    assert codes(second(), [*JANUARY, *DECEMBER]) == []


@pytest.mark.parametrize(
    ("correction", "found"),
    [
        (replace(HONEST, was=None), ["correction_was_differs"]),
        (replace(HONEST, was=JANUARY[2]._replace(length=3)), ["correction_was_differs"]),
        (Correction(DECEMBER[0].match, None, DECEMBER[0], "entered_late"), ["correction_after_cut_off"]),
        (
            Correction(DECEMBER[0].match, DECEMBER[0]._replace(length=3), DECEMBER[0], "result_changed"),
            ["correction_was_differs", "correction_after_cut_off"],
        ),
    ],
)
def test_a_correction_says_how_the_list_before_counts_the_match(correction: Correction, found: list[str]) -> None:
    said = (correction,) if correction.match == HONEST.match else (HONEST, correction)
    assert codes(second(*said), with_turned()) == found


def test_a_played_later_match_has_not_stayed_before_the_cut_off() -> None:
    moved = JANUARY[2]._replace(at="2026-01-20T00:00:00+00:00")
    rest = [one for one in with_turned() if one.match != moved.match]
    gone = Correction(moved.match, JANUARY[2], None, "played_later")
    assert codes(second(gone), [*rest, moved]) == ["correction_now_differs"]


def test_a_list_goes_on_from_where_the_one_before_did_or_from_earlier() -> None:
    base = Base(1, MADE.sha256, MADE.standings)
    head = replace(next_of(FIRST, MADE, base=base), matches_until=DECEMBER[2].at)
    made, file = make(head, DECEMBER[:3])
    late = Correction(DECEMBER[0].match, DECEMBER[0], None, "not_rated")
    third = replace(next_of(head, made, late), matches_until="2027-01-31T00:00:00+00:00")
    assert codes(replace(third, base=base), DECEMBER[1:], file) == []
    assert codes(replace(third, corrections=(), base=base), DECEMBER[1:], file) == ["correction_missing"]
    assert codes(replace(third, corrections=(HONEST, late)), with_turned()[:6] + DECEMBER[1:], file) == []
    assert codes(replace(third, corrections=(HONEST,)), with_turned()[:6] + DECEMBER[1:], file) == [
        "correction_missing"
    ]
    other = Base(1, "0" * 64, MADE.standings)
    assert codes(replace(third, base=other), DECEMBER[1:], file) == ["base_not_followed"]


def test_what_the_list_counts_that_it_goes_on_from_counts_no_second_time() -> None:
    base = Base(1, MADE.sha256, MADE.standings)
    again = JANUARY[0]._replace(at="2026-11-01T00:00:00+00:00")
    for matches in ([JANUARY[0], *DECEMBER], [again, *DECEMBER]):
        assert codes(next_of(FIRST, MADE, base=base), matches) == ["match_of_base"]
    third = replace(next_of(FIRST, MADE, HONEST, base=base), number=3)
    third = replace(third, before=replace(third.before, number=2, sha256="0" * 64))
    assert codes(third, [TURNED, *DECEMBER]) == ["match_of_base", "correction_of_base"]
