"""Blocks of four, as in the Global StarCraft II League: two wins qualify, two losses do not; 2 to 512 entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.course import Course
from tournament.formats.drawing import check_draw, check_outcome_keys
from tournament.formats.groups import deal_groups, group_letters, places_of_the_field
from tournament.formats.options import PROTECT, OptionField, Seeding
from tournament.formats.plan import Bye, Draw, Entrant, LoserOf, Placing, Plan, Reason, Seat, Section, WinnerOf

BLOCK = "G"
BLOCK_SIZE = 4
BYE = Bye()


class Gsl:
    """Two openers, winners' match, losers' match and decider in each block; two of four go on."""

    slug: ClassVar[str] = "gsl"
    name: ClassVar[str] = gettext_noop("Blocks of four")
    description: ClassVar[str] = gettext_noop(
        "In each block the winners of two openers meet for the first place, the losers to stay in, and the decider "
        "gives the second place. Five matches; nobody gains by losing. A block of three has byes."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (replace(PROTECT, label=gettext_noop("Kept apart in the blocks")),)
    open_entries: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 512

    def plan(self, draw: Draw) -> Plan:
        """Five pairings for each block, advanced as far as the outcomes reach. Raises PlanError.

        Blocks differ by one entrant at most, so a field that four does not divide has blocks of three as well, where
        the first has a bye in the opener, and the loser of the other one in the losers' match. Five entrants are a
        block of three and one of two, which plays one match.
        """
        check_draw(draw, self)
        blocks, notes = deal_groups(draw, -(-len(draw.entrants) // BLOCK_SIZE), Random(draw.seed))
        course = Course(draw)
        for index, members in enumerate(blocks):
            _add_block(course, group_letters(index), members)
        check_outcome_keys(draw.outcomes, course.pairings)
        won, lost = course.records()
        sections = tuple(_section(group_letters(index), members, won, lost) for index, members in enumerate(blocks))
        return Plan(
            pairings=tuple(course.pairings.values()),
            placings=places_of_the_field(sections),
            finished=all(pairing.is_bye or key in course.winners for key, pairing in course.pairings.items()),
            stale=tuple(course.stale),
            sections=sections,
            groups=True,
            notes=tuple(notes),
        )


def _add_block(course: Course, block: str, members: Sequence[Entrant]) -> None:
    """The pairings of one block; ``members`` are its two to four entrants, in a draw by seeds the best first."""
    bracket, length = BLOCK + block, course.draw.options.length(0)
    lines: list[Seat] = [*members, *[BYE] * (BLOCK_SIZE - len(members))]
    openers = [
        course.add(bracket, 1, number, seats, length, _why_opener(course.draw, block, seats, len(members)))
        for number, seats in enumerate(((lines[0], lines[3]), (lines[1], lines[2])), start=1)
    ]
    first, second = (WinnerOf(opener.key) for opener in openers)
    winners_match = course.add(bracket, 2, 1, (first, second), length, _why(WINNERS_MATCH, block))
    losers: list[Seat] = [LoserOf(opener.key) for opener in openers if not opener.is_bye]
    survivor: Seat = BYE
    if losers:
        why = LOSERS_MATCH if len(losers) == 2 else LOSERS_BYE
        losers_match = course.add(bracket, 2, 2, (losers[0], (*losers, BYE)[1]), length, _why(why, block))
        survivor = WinnerOf(losers_match.key)
    why = DECIDER if losers else NO_DECIDER
    course.add(bracket, 3, 1, (LoserOf(winners_match.key), survivor), length, _why(why, block))


def _why(why: tuple[str, str], block: str) -> Reason:
    return Reason(*why, (("block", block),))


WINNERS_MATCH = (
    "winners_match",
    gettext_noop("Winners' match of block %(block)s: those who came through the openers meet for the first place."),
)
LOSERS_MATCH = (
    "losers_match",
    gettext_noop("Losers' match of block %(block)s: those who lost the openers meet, and who loses again is out."),
)
LOSERS_BYE = (
    "losers_bye",
    gettext_noop("Bye in the losers' match: block %(block)s has three entrants, and only one lost an opener."),
)
DECIDER = (
    "decider",
    gettext_noop(
        "Decider of block %(block)s: who lost the winners' match meets who won the losers' match for the second place."
    ),
)
NO_DECIDER = (
    "no_decider",
    gettext_noop("Bye instead of the decider: block %(block)s has two entrants, and their one match has decided."),
)


def _why_opener(draw: Draw, block: str, seats: tuple[Seat, Seat], entrants: int) -> Reason:
    if isinstance(seats[1], Bye):
        return Reason(
            "opener_bye",
            gettext_noop("Bye in the opener: block %(block)s has %(entrants)s entrants instead of four."),
            (("block", block), ("entrants", entrants)),
        )
    if draw.options.seeding is Seeding.SEEDED:
        return Reason(
            "opener_by_seeds",
            gettext_noop(
                "Opener of block %(block)s: dealt by seeds, there and back, the first meets the fourth and the second "
                "the third."
            ),
            (("block", block),),
        )
    return Reason("opener_drawn", gettext_noop("Opener of block %(block)s, drawn at random."), (("block", block),))


def _section(block: str, members: Sequence[Entrant], won: Counter[int], lost: Counter[int]) -> Section:
    title = Reason("block", gettext_noop("Block %(block)s"), (("block", block),))
    placings = []
    for entrant in members:
        place, place_to = PLACES[min(won[entrant.id], 2), lost[entrant.id]]
        place_to = min(place_to, len(members))
        said = PLACED[place] if place == place_to else STILL_IN
        why = _why(OF_TWO if said is PLACED[2] and len(members) == 2 else said, block)
        placings.append(Placing(entrant.id, place, place_to, why))
    placings.sort(key=lambda placing: (placing.place, placing.place_to, placing.entrant))
    return Section(BLOCK + block, title, tuple(entrant.id for entrant in members), tuple(placings))


PLACES = {
    (0, 0): (1, 4),
    (1, 0): (1, 3),
    (2, 0): (1, 1),
    (0, 1): (2, 4),
    (1, 1): (2, 3),
    (2, 1): (2, 2),
    (1, 2): (3, 3),
    (0, 2): (4, 4),
}
"""The places still open in a block after so many pairings come through, byes included, and so many lost."""

STILL_IN = ("still_in_block", gettext_noop("Still in block %(block)s."))
OF_TWO = ("second_of_two", gettext_noop("Second of block %(block)s: lost the only match of its two entrants."))
PLACED = {
    1: ("block_first", gettext_noop("First of block %(block)s: came through the opener and won the winners' match.")),
    2: ("block_second", gettext_noop("Second of block %(block)s: lost one match and won the decider.")),
    3: ("block_third", gettext_noop("Third of block %(block)s: lost the decider.")),
    4: ("block_fourth", gettext_noop("Fourth of block %(block)s: lost the opener and the losers' match.")),
}
