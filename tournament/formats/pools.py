"""Pools: groups in which everyone meets everyone, and from which the best qualify; 2 to 512 entrants."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.chance import chance_in
from tournament.formats.drawing import check_draw
from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.groups import deal_by_hand, deal_groups, group_letters
from tournament.formats.hand import with_reasons
from tournament.formats.lots import DRAW
from tournament.formats.options import PROTECT, OptionField, OptionKind, Options, Seeding
from tournament.formats.plan import Bye, Draw, Pairing, Plan, Reason, Section
from tournament.formats.rate_points import RATE_POINT
from tournament.formats.round_robin import Seats, berger_rounds, check_outcomes, pair_rounds

POOL = "G"
MAX_POOL = 32


class Pools(Format):
    """All play all within each pool; each pool is ranked by wins and the event's tie-breaks."""

    slug: ClassVar[str] = "pools"
    name: ClassVar[str] = gettext_noop("Groups")
    description: ClassVar[str] = gettext_noop(
        "The field is divided into groups, at random or by seed. In each group everyone meets everyone; the best go on."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (
        OptionField(
            name="pool_size",
            kind=OptionKind.NUMBER,
            label=gettext_noop("Entrants per group"),
            help=gettext_noop(
                "The maximum, exceeded only if somebody would otherwise be alone in a group. Groups "
                "differ by at most one entrant."
            ),
            default=4,
            least=2,
            most=MAX_POOL,
        ),
        OptionField(
            name="pools",
            kind=OptionKind.NUMBER,
            label=gettext_noop("Groups"),
            help=gettext_noop("0 makes as many groups as the number of entrants per group requires."),
            default=0,
            least=0,
            most=256,
        ),
        replace(PROTECT, label=gettext_noop("Kept apart in the groups")),
        RATE_POINT,
    )
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = True
    has_final: ClassVar[bool] = False
    makes_groups: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 512

    def group_count(self, options: Options, entrants: int) -> int:
        """Return how many pools there are. Raises PlanError if they cannot be filled or would be too large."""
        return pool_count(options, entrants)

    def plan(self, draw: Draw) -> Plan:
        """Plan all rounds of all pools, pool by pool, with free rounds as pairings with a bye. Raises PlanError."""
        check_draw(draw, self)
        dealt = deal_groups(draw, self.group_count(draw.options, len(draw.entrants)), chance_in(draw, DRAW))
        pools, notes, hand = deal_by_hand(draw, *dealt)
        is_seeded = draw.options.seeding is Seeding.SEEDED
        pairings: dict[str, Pairing] = {}
        sections = []
        for index, members in enumerate(pools):
            letters = group_letters(index)
            rounds = berger_rounds(members)
            why = partial(_why, pool=letters, entrants=len(members), rounds=len(rounds), is_seeded=is_seeded)
            bracket = POOL + letters
            pairings |= pair_rounds(rounds, bracket=bracket, length=draw.options.length(0), why=why)
            title = Reason("group", gettext_noop("Group %(name)s"), (("name", letters),))
            sections.append(Section(bracket, title, tuple(entrant.id for entrant in members), None))
        finished = check_outcomes(draw, pairings)
        return Plan(
            pairings=with_reasons(pairings.values(), hand.causes),
            placings=None,
            finished=finished,
            sections=tuple(sections),
            groups=True,
            scheduled=True,
            notes=tuple(notes),
        )


def pool_count(options: Options, entrants: int) -> int:
    """Return how many pools the field makes. Raises PlanError if they cannot be filled or would be too large."""
    chosen = options.number("pools")
    if chosen * 2 > entrants:
        raise PlanError(
            "pools_too_many",
            gettext_noop("%(entrants)s entrants cannot fill %(pools)s groups: each needs at least two."),
            entrants=entrants,
            pools=chosen,
        )
    if chosen * MAX_POOL < entrants and chosen:
        raise PlanError(
            "pools_too_few",
            gettext_noop("%(entrants)s entrants are too many for %(pools)s groups: each takes at most %(most)s."),
            entrants=entrants,
            pools=chosen,
            most=MAX_POOL,
        )
    size = options.number("pool_size")
    return chosen or min(-(-entrants // size), entrants // 2)


def _why(round: int, seats: Seats, *, pool: str, entrants: int, rounds: int, is_seeded: bool) -> Reason:
    if isinstance(seats[1], Bye):
        return Reason(
            "free_in_group",
            gettext_noop(
                "Free in round %(round)s: group %(group)s has %(entrants)s entrants, an odd number; each is free once."
            ),
            (("round", round), ("entrants", entrants), ("group", pool)),
        )
    params = (("group", pool), ("round", round), ("rounds", rounds))
    if is_seeded:
        return Reason(
            "group_by_seeds",
            gettext_noop(
                "The field was dealt by seed in snake order, these two into group %(group)s; everyone in it "
                "meets everyone, these two in round %(round)s of %(rounds)s."
            ),
            params,
        )
    return Reason(
        "group_drawn",
        gettext_noop(
            "Both were drawn into group %(group)s; everyone in it meets everyone, these two in round %(round)s of "
            "%(rounds)s."
        ),
        params,
    )
