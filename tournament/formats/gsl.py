"""Groups of four, as in the Global StarCraft II League: two wins qualify, two losses do not; 2 to 512 entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.advance import Run, advance
from tournament.formats.chance import chance_in
from tournament.formats.drawing import check_draw
from tournament.formats.format import Format
from tournament.formats.groups import deal_by_hand, deal_groups, group_letters, places_of_the_field, wins_and_losses
from tournament.formats.hand import with_reasons
from tournament.formats.knockout import NOBODY, Feed, FeedKind, Graph
from tournament.formats.lots import DRAW
from tournament.formats.options import PROTECT, OptionField, Options, Seeding
from tournament.formats.plan import Draw, Entrant, Placing, Plan, Reason, Section
from tournament.formats.void import close_up, neither_came, voided

GROUP = "G"
GROUP_SIZE = 4


class Gsl(Format):
    """Two openers, a winners' match, a losers' match and a decider in each group; two of four go on."""

    slug: ClassVar[str] = "gsl"
    name: ClassVar[str] = gettext_noop("Groups of four")
    description: ClassVar[str] = gettext_noop(
        "In each group the winners of two openers play for first place, the losers play to stay in, and a decider "
        "settles second place. Five matches; nobody gains by losing. A group of three has byes."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (replace(PROTECT, label=gettext_noop("Kept apart in the groups")),)
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = False
    makes_groups: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 512

    def group_count(self, options: Options, entrants: int) -> int:
        """Return how many groups of at most four there are."""
        return -(-entrants // GROUP_SIZE)

    def plan(self, draw: Draw) -> Plan:
        """Plan five pairings for each group, advanced as far as the outcomes allow. Raises PlanError.

        Groups differ by at most one entrant, so a field that four does not divide has groups of three as well, where
        the first has a bye in the opener, and the loser of the other opener a bye in the losers' match. Five entrants
        are a group of three and one of two, which plays one match.
        """
        check_draw(draw, self)
        dealt = deal_groups(draw, self.group_count(draw.options, len(draw.entrants)), chance_in(draw, DRAW))
        groups, notes, hand = deal_by_hand(draw, *dealt)
        graph = Graph()
        lines: list[Entrant] = []
        is_seeded = draw.options.seeding is Seeding.SEEDED
        for index, members in enumerate(groups):
            _add_group(graph, group_letters(index), len(lines), members, is_seeded=is_seeded)
            lines += members
        run = advance(graph, lines, (), draw)
        won, lost = wins_and_losses(run)
        sections = tuple(
            _section(group_letters(index), members, run, won, lost) for index, members in enumerate(groups)
        )
        return Plan(
            pairings=with_reasons(run.pairings, hand.causes),
            placings=close_up(run, run.tracks.keys(), places_of_the_field(sections)),
            finished=run.finished,
            stale=tuple(run.stale),
            sections=sections,
            groups=True,
            notes=tuple(notes),
        )


def _add_group(graph: Graph, group: str, first: int, members: Sequence[Entrant], *, is_seeded: bool) -> None:
    """Add the pairings of one group to the graph; its two to four ``members`` occupy the lines from ``first`` on.

    In a draw by seeds they are in the order of these, the best first.
    """
    lines = [Feed(FeedKind.LINE, first + row) if row < len(members) else NOBODY for row in range(GROUP_SIZE)]
    openers = []
    for number, seats in enumerate(((lines[0], lines[3]), (lines[1], lines[2])), start=1):
        why = _why_opener(group, len(members), is_bye=seats[1] is NOBODY, is_seeded=is_seeded)
        openers.append(graph.add(GROUP + group, (1, number), seats, why, to_final=0))
    winners = (Feed(FeedKind.WINNER, openers[0]), Feed(FeedKind.WINNER, openers[1]))
    winners_match = graph.add(GROUP + group, (2, 1), winners, _why(WINNERS_MATCH, group), to_final=0)
    losers = [Feed(FeedKind.LOSER, opener) for opener in openers if not graph.nodes[opener].is_bye]
    survivor = NOBODY
    if losers:
        other, reason = (losers[1], LOSERS_MATCH) if len(losers) == 2 else (NOBODY, LOSERS_BYE)
        losers_match = graph.add(GROUP + group, (2, 2), (losers[0], other), _why(reason, group), to_final=0)
        survivor = Feed(FeedKind.WINNER, losers_match)
    reason = DECIDER if losers else NO_DECIDER
    graph.add(GROUP + group, (3, 1), (Feed(FeedKind.LOSER, winners_match), survivor), _why(reason, group), to_final=0)


def _why(reason: tuple[str, str], group: str) -> Reason:
    return Reason(*reason, (("group", group),))


WINNERS_MATCH = (
    "winners_match",
    gettext_noop("Winners' match of group %(group)s: those who came through the openers play for first place."),
)
LOSERS_MATCH = (
    "losers_match",
    gettext_noop(
        "Losers' match of group %(group)s: the losers of the openers meet, and a second loss puts a player out."
    ),
)
LOSERS_BYE = (
    "losers_bye",
    gettext_noop("Bye in the losers' match: group %(group)s has three entrants, and only one lost an opener."),
)
DECIDER = (
    "decider",
    gettext_noop(
        "Decider of group %(group)s: the loser of the winners' match meets the winner of the losers' "
        "match for second place."
    ),
)
NO_DECIDER = (
    "no_decider",
    gettext_noop(
        "Bye instead of the decider: group %(group)s has two entrants, and their only match has decided the places."
    ),
)


def _why_opener(group: str, entrants: int, *, is_bye: bool, is_seeded: bool) -> Reason:
    if is_bye:
        return Reason(
            "opener_bye",
            gettext_noop("Bye in the opener: group %(group)s has %(entrants)s entrants instead of four."),
            (("group", group), ("entrants", entrants)),
        )
    if is_seeded:
        return Reason(
            "opener_by_seeds",
            gettext_noop(
                "Opener of group %(group)s: dealt by seed in snake order; first meets fourth, and second meets third."
            ),
            (("group", group),),
        )
    return Reason("opener_drawn", gettext_noop("Opener of group %(group)s, drawn at random."), (("group", group),))


def _section(group: str, members: Sequence[Entrant], run: Run, won: Counter[int], lost: Counter[int]) -> Section:
    title = Reason("group", gettext_noop("Group %(name)s"), (("name", group),))
    void = voided(run)
    placings = []
    for entrant in members:
        if entrant.id in void:
            place = min(PLACES[won[entrant.id], 2][0], len(members))
            placings.append(Placing(entrant.id, place, place, neither_came(void[entrant.id])))
            continue
        place, place_to = PLACES[min(won[entrant.id], 2), lost[entrant.id]]
        place_to = min(place_to, len(members))
        reason = PLACED[place] if place == place_to else STILL_IN
        why = _why(OF_TWO if reason is PLACED[2] and len(members) == 2 else reason, group)
        placings.append(Placing(entrant.id, place, place_to, why))
    closed = close_up(run, (GROUP + group,), placings)
    return Section(GROUP + group, title, tuple(entrant.id for entrant in members), closed)


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
"""The places still open in a group after this many pairings come through, byes included, and this many lost."""

STILL_IN = ("still_in_group", gettext_noop("Still in group %(group)s."))
OF_TWO = ("second_of_two", gettext_noop("Second in group %(group)s: lost the only match between its two entrants."))
PLACED = {
    1: ("group_first", gettext_noop("First in group %(group)s: came through the opener and won the winners' match.")),
    2: ("group_second", gettext_noop("Second in group %(group)s: lost one match and won the decider.")),
    3: ("group_third", gettext_noop("Third in group %(group)s: lost the decider.")),
    4: ("group_fourth", gettext_noop("Fourth in group %(group)s: lost the opener and the losers' match.")),
}
