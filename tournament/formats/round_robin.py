"""Round robin: everyone meets everyone once, by Berger tables; 2 to 64 entrants."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.drawing import check_draw, check_outcome_keys, drawn_order, settle
from tournament.formats.options import OptionField
from tournament.formats.plan import (
    Bye,
    Draw,
    Entrant,
    Pairing,
    Plan,
    Reason,
    feed_of,
)

ROUND_ROBIN = "R"


def berger_table(numbers: int) -> list[list[tuple[int, int]]]:
    """The rounds of a Berger table for an even count of ``numbers``: in each, who meets whom, side A first.

    Numbers i and j below the last meet in the round i + j - 1, counted modulo the rounds, and the last number meets i
    where i would have met himself. Side A is the lower of two numbers with an odd sum, the higher with an even sum;
    against the last number the lower half has side A. So nobody's sides differ by more than one.
    """
    last = numbers
    rounds = numbers - 1
    table: list[list[tuple[int, int]]] = [[] for _ in range(rounds)]
    for i in range(1, last):
        table[(2 * i - 2) % rounds].append((i, last) if 2 * i <= last else (last, i))
    for i in range(1, last):
        for j in range(i + 1, last):
            table[(i + j - 2) % rounds].append((i, j) if (i + j) % 2 else (j, i))
    return table


class RoundRobin:
    """All play all, once; ranked by wins and the event's tie-breaks."""

    slug: ClassVar[str] = "round-robin"
    name: ClassVar[str] = gettext_noop("Round robin")
    description: ClassVar[str] = gettext_noop(
        "Everyone meets everyone once. With an odd number of entrants one is free in each round."
    )
    fields: ClassVar[tuple[OptionField, ...]] = ()
    open_entries: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 64

    def plan(self, draw: Draw) -> Plan:
        """All rounds, with everyone's free round in an odd field as a pairing with a bye. Raises PlanError."""
        check_draw(draw, self)
        order = drawn_order(draw, Random(draw.seed))
        pairings: dict[str, Pairing] = {}
        for round, meetings in enumerate(berger_table(len(order) + len(order) % 2), start=1):
            free = [meeting for meeting in meetings if max(meeting) > len(order)]
            played = [meeting for meeting in meetings if max(meeting) <= len(order)]
            for number, (a, b) in enumerate(played, start=1):
                _add(pairings, draw, round, number, order[a - 1], order[b - 1])
            for meeting in free:
                _add(pairings, draw, round, len(played) + 1, order[min(meeting) - 1], Bye())
        check_outcome_keys(draw.outcomes, pairings)
        for key, outcome in draw.outcomes.items():
            settle(pairings[key], outcome)
        finished = all(pairing.is_bye or pairing.key in draw.outcomes for pairing in pairings.values())
        return Plan(pairings=tuple(pairings.values()), placings=None, finished=finished)


def _add(pairings: dict[str, Pairing], draw: Draw, round: int, number: int, a: Entrant, b: Entrant | Bye) -> None:
    key = f"{ROUND_ROBIN}{round}-{number}"
    pairings[key] = Pairing(
        key=key,
        bracket=ROUND_ROBIN,
        round=round,
        number=number,
        a=a,
        b=b,
        length=draw.options.length(0),
        feed_a=feed_of(a),
        feed_b=feed_of(b),
        why=_why(b, len(draw.entrants), round),
    )


def _why(b: Entrant | Bye, entrants: int, round: int) -> Reason:
    rounds = entrants - 1 + entrants % 2
    if isinstance(b, Bye):
        return Reason(
            "free_round",
            gettext_noop("Free in round %(round)s: %(entrants)s entrants are an odd number, so everyone is free once."),
            (("round", round), ("entrants", entrants)),
        )
    return Reason(
        "all_meet_all",
        gettext_noop("Everyone meets everyone once; this meeting falls in round %(round)s of %(rounds)s."),
        (("round", round), ("rounds", rounds)),
    )
