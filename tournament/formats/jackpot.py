"""Jackpot: small knockouts that are drawn as soon as enough have entered, all evening long; 1 to 512 entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.course import Course
from tournament.formats.drawing import check_draw, check_outcome_keys, shuffle
from tournament.formats.groups import group_letters, places_of_the_field
from tournament.formats.main_bracket import round_count
from tournament.formats.options import OptionField, OptionKind
from tournament.formats.plan import Draw, Entrant, Placing, Plan, Reason, Seat, Section, WinnerOf

JACKPOT = "J"


class Jackpot:
    """Entrants fill brackets in the order in which they entered; who is out may enter again."""

    slug: ClassVar[str] = "jackpot"
    name: ClassVar[str] = gettext_noop("Jackpot")
    description: ClassVar[str] = gettext_noop(
        "Knockouts of 4, 8 or 16. Each is drawn at random as soon as enough have entered, and a new one opens. "
        "Who enters again never meets himself."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (
        OptionField(
            name="size",
            kind=OptionKind.CHOICE,
            label=gettext_noop("Entrants in a jackpot"),
            default="8",
            choices=(("4", "4"), ("8", "8"), ("16", "16")),
        ),
    )
    open_entries: ClassVar[bool] = True
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = True
    ranks_by_record: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 1
    max_entrants: ClassVar[int] = 512

    def plan(self, draw: Draw) -> Plan:
        """All full brackets, advanced as far as the outcomes reach. Raises PlanError.

        A bracket that is full never changes, whoever enters later. Those who wait for theirs to fill come last, and do
        not keep the others from being finished.
        """
        check_draw(draw, self)
        size = int(draw.options.choice("size"))
        brackets = fill_brackets(draw.entrants, size)
        course = Course(draw)
        for index, members in enumerate(brackets):
            if len(members) == size:
                bracket = JACKPOT + group_letters(index)
                lines = list(members)
                shuffle(lines, Random(f"{draw.seed}:{bracket}"))
                add_knockout(course, bracket, lines)
        check_outcome_keys(draw.outcomes, course.pairings)
        won, lost = course.records()
        sections = tuple(
            _section(group_letters(index), members, won, lost)
            if len(members) == size
            else _waiting(group_letters(index), members, size)
            for index, members in enumerate(brackets)
        )
        return Plan(
            pairings=tuple(course.pairings.values()),
            placings=_placings(sections, size),
            finished=course.winners.keys() == course.pairings.keys(),
            stale=tuple(course.stale),
            sections=sections,
        )


def fill_brackets(entrants: Sequence[Entrant], size: int) -> list[list[Entrant]]:
    """The entrants in brackets of ``size`` in the order of their ids; any but the full ones wait for more.

    Each goes into the first that has room and nobody of his persons, so nobody who comes later changes what is filled.
    """
    brackets: list[list[Entrant]] = []
    persons: list[set[int]] = []
    first_open = 0
    for entrant in sorted(entrants, key=lambda entrant: entrant.id):
        while first_open < len(brackets) and len(brackets[first_open]) == size:
            first_open += 1
        index = first_open
        while index < len(brackets) and (len(brackets[index]) == size or entrant.persons & persons[index]):
            index += 1
        if index == len(brackets):
            brackets.append([])
            persons.append(set())
        brackets[index].append(entrant)
        persons[index] |= entrant.persons
    return brackets


def add_knockout(course: Course, bracket: str, lines: Sequence[Entrant]) -> None:
    """The pairings of a knockout whose ``lines``, a power of two of them, are all taken, neighbours in round 1."""
    rounds = round_count(len(lines))
    seats: list[Seat] = list(lines)
    for round in range(1, rounds + 1):
        length = course.draw.options.length(rounds - round)
        pairings = [
            course.add(bracket, round, number, pair, length, _why(pair, number, len(lines)))
            for number, pair in enumerate(zip(seats[::2], seats[1::2], strict=True), start=1)
        ]
        seats = [WinnerOf(pairing.key) for pairing in pairings]


def _why(seats: tuple[Seat, Seat], number: int, lines: int) -> Reason:
    a, b = seats
    if isinstance(a, WinnerOf) and isinstance(b, WinnerOf):
        return Reason(
            "winners_meet",
            gettext_noop("The winner of %(upper)s meets the winner of %(lower)s."),
            (("upper", a.key), ("lower", b.key)),
        )
    return Reason(
        "drawn",
        gettext_noop("Drawn at random: lines %(line)s and %(next)s of %(lines)s."),
        (("line", 2 * number - 1), ("next", 2 * number), ("lines", lines)),
    )


def _section(letters: str, members: Sequence[Entrant], won: Counter[int], lost: Counter[int]) -> Section:
    """A full bracket with its places: those who lost in the same round share them."""
    rounds = round_count(len(members))
    placings = []
    for entrant in members:
        wins, is_out = won[entrant.id], entrant.id in lost
        best = 2 ** (rounds - wins - 1) + 1 if is_out else 1
        why = _why_placed(letters, wins, rounds, is_out=is_out)
        placings.append(Placing(entrant.id, best, 2 ** (rounds - wins), why))
    return _titled(letters, members, placings)


def _why_placed(letters: str, wins: int, rounds: int, *, is_out: bool) -> Reason:
    jackpot = ("jackpot", letters)
    if wins == rounds:
        return Reason("jackpot_won", gettext_noop("Won jackpot %(jackpot)s."), (jackpot,))
    round = (("round", wins + 1), ("rounds", rounds))
    if is_out:
        return Reason(
            "jackpot_lost",
            gettext_noop("Lost in round %(round)s of %(rounds)s of jackpot %(jackpot)s."),
            (*round, jackpot),
        )
    return Reason(
        "jackpot_still_in",
        gettext_noop("Still in jackpot %(jackpot)s: plays in round %(round)s of %(rounds)s."),
        (jackpot, *round),
    )


def _waiting(letters: str, members: Sequence[Entrant], size: int) -> Section:
    """A bracket that is not full: every place in it is open."""
    why = Reason(
        "jackpot_waits",
        gettext_noop("Waits for jackpot %(jackpot)s to fill: %(entrants)s of %(size)s are there."),
        (("jackpot", letters), ("entrants", len(members)), ("size", size)),
    )
    return _titled(letters, members, [Placing(entrant.id, 1, size, why) for entrant in members])


def _titled(letters: str, members: Sequence[Entrant], placings: Sequence[Placing]) -> Section:
    title = Reason("jackpot", gettext_noop("Jackpot %(name)s"), (("name", letters),))
    ordered = sorted(placings, key=lambda placing: (placing.place, placing.place_to, placing.entrant))
    return Section(JACKPOT + letters, title, tuple(entrant.id for entrant in members), tuple(ordered))


def _placings(sections: Sequence[Section], size: int) -> tuple[Placing, ...]:
    """The places in the whole field: those of the full brackets, and behind them all who wait."""
    full = [section for section in sections if len(section.entrants) == size]
    placed = places_of_the_field(full)
    waiting = [placing for section in sections if section not in full for placing in section.placings or ()]
    last = len(placed) + len(waiting)
    return (*placed, *(replace(placing, place=len(placed) + 1, place_to=last) for placing in waiting))
