"""Round robin by Berger tables: everyone meets everyone once, or only the first rounds are played; 2 to 64 entrants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.chance import chance_in
from tournament.formats.drawing import check_draw, check_outcome_keys, check_persons, drawn_order, settle
from tournament.formats.format import Format
from tournament.formats.hand import shares_person, swap_seats, with_reasons
from tournament.formats.lots import DRAW
from tournament.formats.options import OptionField, OptionKind, Options
from tournament.formats.plan import Bye, Draw, Entrant, Pairing, Plan, Reason, feed_of
from tournament.formats.rate_points import RATE_POINT

ROUND_ROBIN = "R"
MAX_ENTRANTS = 64

Seats = tuple[Entrant, Entrant | Bye]


def berger_table(numbers: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a Berger table for an even number of ``numbers``: who meets whom in each, side A first.

    Numbers i and j below the last meet in the round i + j - 1, counted modulo the rounds, and the last number meets i
    where i would have met itself. Side A is the lower of two numbers with an odd sum, the higher with an even sum;
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


def berger_rounds(order: Sequence[Entrant]) -> list[list[Seats]]:
    """Return the rounds in which all of ``order`` meet, side A first; in an odd field, the free entrant comes last."""
    rounds: list[list[Seats]] = []
    for meetings in berger_table(len(order) + len(order) % 2):
        played: list[Seats] = [(order[a - 1], order[b - 1]) for a, b in meetings if max(a, b) <= len(order)]
        free: list[Seats] = [(order[min(a, b) - 1], Bye()) for a, b in meetings if max(a, b) > len(order)]
        rounds.append(played + free)
    return rounds


def rounds_to_meet(count: int) -> int:
    """Return how many rounds it takes for everyone to meet everyone."""
    return count - 1 + count % 2


def pair_rounds(
    rounds: Sequence[Sequence[Seats]], *, bracket: str, length: int, why: Callable[[int, Seats], Reason]
) -> dict[str, Pairing]:
    """Return the pairings of all ``rounds``, counted from 1, by key; ``why(round, seats)`` gives each one's reason."""
    pairings = [
        Pairing(
            key=f"{bracket}{round}-{number}",
            bracket=bracket,
            round=round,
            number=number,
            a=seats[0],
            b=seats[1],
            length=length,
            feed_a=feed_of(seats[0]),
            feed_b=feed_of(seats[1]),
            why=why(round, seats),
        )
        for round, meetings in enumerate(rounds, start=1)
        for number, seats in enumerate(meetings, start=1)
    ]
    return {pairing.key: pairing for pairing in pairings}


def check_outcomes(draw: Draw, pairings: Mapping[str, Pairing]) -> bool:
    """Whether every match in ``pairings``, whose seats the draw itself has filled, is decided.

    Raises PlanError for an outcome that does not belong to its pairing.
    """
    check_outcome_keys(draw.outcomes, pairings)
    for key, outcome in draw.outcomes.items():
        settle(pairings[key], outcome)
    return all(pairing.is_bye or pairing.key in draw.outcomes for pairing in pairings.values())


class RoundRobin(Format):
    """All play all, once; ranked by wins and the event's tie-breaks."""

    slug: ClassVar[str] = "round-robin"
    name: ClassVar[str] = gettext_noop("Round robin")
    description: ClassVar[str] = gettext_noop(
        "Everyone meets everyone once. With an odd number of entrants, one is free in each round."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (
        OptionField(
            name="rounds",
            kind=OptionKind.NUMBER,
            label=gettext_noop("Rounds"),
            help=gettext_noop("0 means all rounds. If fewer are played, a free round counts as a win."),
            default=0,
            least=0,
            most=MAX_ENTRANTS - 1,
        ),
        RATE_POINT,
    )
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = True
    has_final: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = MAX_ENTRANTS

    def planned_rounds(self, options: Options, entrants: Sequence[Entrant]) -> int:
        table = rounds_to_meet(len(entrants))
        return min(options.number("rounds") or table, table)

    def plan(self, draw: Draw) -> Plan:
        """Plan all rounds; in an odd field, everyone's free round is a pairing with a bye. Raises PlanError.

        When only the first rounds are played not everyone is free equally often, so a free round counts as a win, from
        the moment at which its round is over. Otherwise it counts as nothing.
        """
        check_draw(draw, self)
        played = draw.options.number("rounds") or None
        order = drawn_order(draw, chance_in(draw, DRAW))
        hand = swap_seats(order, draw.moves, partial(_meets_itself, played=played))
        table = berger_rounds([entrant for entrant in hand.seats if entrant])
        rounds = table[:played]
        is_cut = len(rounds) < len(table)
        why = partial(_why_cut, rounds=len(rounds)) if is_cut else _why
        why = partial(why, entrants=len(draw.entrants), table=len(table))
        pairings = pair_rounds(rounds, bracket=ROUND_ROBIN, length=draw.options.length(0), why=why)
        for meeting in pairings.values():
            check_persons([seat for seat in (meeting.a, meeting.b) if isinstance(seat, Entrant)])
        finished = check_outcomes(draw, pairings)
        return Plan(
            pairings=with_reasons(pairings.values(), hand.causes),
            placings=None,
            finished=finished,
            free_wins=_free_wins(draw, pairings) if is_cut else {},
            scheduled=True,
            notes=hand.notes,
        )


def _meets_itself(seats: Sequence[Entrant | None], *, played: int | None) -> bool:
    """Whether two who share a person meet in the rounds that are played."""
    rounds = berger_rounds([entrant for entrant in seats if entrant])[:played]
    return any(isinstance(b, Entrant) and shares_person(a, b) for meetings in rounds for a, b in meetings)


def _free_wins(draw: Draw, pairings: Mapping[str, Pairing]) -> dict[int, int]:
    """Return one win for each entrant whose free round is over, all its matches being decided."""
    going_on = {pairing.round for pairing in pairings.values() if pairing.is_ready and pairing.key not in draw.outcomes}
    byes = [pairing for pairing in pairings.values() if pairing.is_bye and pairing.round not in going_on]
    return {entrant: 1 for pairing in byes for entrant in pairing.entrant_ids}


def _why(round: int, seats: Seats, *, entrants: int, table: int) -> Reason:
    if isinstance(seats[1], Bye):
        return Reason(
            "free_round",
            gettext_noop(
                "Free in round %(round)s: the number of entrants (%(entrants)s) is odd, so everyone is free once."
            ),
            (("round", round), ("entrants", entrants)),
        )
    return Reason(
        "all_meet_all",
        gettext_noop("Everyone meets everyone once; these two meet in round %(round)s of %(rounds)s."),
        (("round", round), ("rounds", table)),
    )


def _why_cut(round: int, seats: Seats, *, entrants: int, rounds: int, table: int) -> Reason:
    if isinstance(seats[1], Bye):
        return Reason(
            "free_round_counts",
            gettext_noop(
                "Free in round %(round)s: the number of entrants (%(entrants)s) is odd. As only %(rounds)s of "
                "%(all)s rounds are played, not everyone is free once, so a free round counts as a win."
            ),
            (("round", round), ("entrants", entrants), ("rounds", rounds), ("all", table)),
        )
    return Reason(
        "some_meet",
        gettext_noop(
            "Round %(round)s of the Berger table for %(entrants)s entrants; %(rounds)s of its %(all)s rounds are "
            "played."
        ),
        (("round", round), ("entrants", entrants), ("rounds", rounds), ("all", table)),
    )
