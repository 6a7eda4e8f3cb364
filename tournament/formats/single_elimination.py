"""Single elimination: who loses is out; any field from 2 to 512, with byes in the first round."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.drawing import check_draw, check_outcome_keys, drawn_order, settle, sole_entrant
from tournament.formats.options import OptionField, Seeding
from tournament.formats.plan import Bye, Draw, Entrant, Pairing, Placing, Plan, Reason, Seat, WinnerOf, feed_of

MAIN = "M"
BYE = Bye()


def pairing_key(round: int, number: int) -> str:
    """The key of a main bracket pairing, ``M2-1`` for the first of round 2."""
    return f"{MAIN}{round}-{number}"


def round_count(entrants: int) -> int:
    """How many rounds a field of two or more needs."""
    return (entrants - 1).bit_length()


def round_title(round: int, rounds: int) -> Reason:
    """What players call round ``round`` of ``rounds``: the final, the semifinals, the quarterfinals, or its number."""
    titles = (
        Reason("final", gettext_noop("Final")),
        Reason("semifinals", gettext_noop("Semifinals")),
        Reason("quarterfinals", gettext_noop("Quarterfinals")),
    )
    to_final = rounds - round
    if to_final < len(titles):
        return titles[to_final]
    return Reason("round", gettext_noop("Round %(round)s"), (("round", round),))


def seeding_order(lines: int) -> list[int]:
    """The seed for each line of a bracket, top to bottom: 1 8 4 5 2 7 3 6 for eight lines (a power of two).

    Each seed is followed by the one that adds up with it to one more than the lines, so that the best two can only
    meet in the final, the best four in the semifinals, and so on.
    """
    order = [1]
    while len(order) < lines:
        total = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, total - better)]
    return order


def spread_byes(pairings: int, byes: int, rng: Random) -> list[int]:
    """How many byes (0 or 1) each first-round pairing has, top to bottom.

    Any two halves, quarters, eighths ... of the bracket differ by one bye at most; which of two halves has the odd
    one is drawn. ``pairings`` is a power of two and not less than ``byes``.
    """
    if pairings == 1:
        return [byes]
    upper = lower = byes // 2
    if byes % 2:
        if rng.random() < 0.5:
            upper += 1
        else:
            lower += 1
    return spread_byes(pairings // 2, upper, rng) + spread_byes(pairings // 2, lower, rng)


class SingleElimination:
    """A knockout drawn at random or by seeds."""

    slug: ClassVar[str] = "single-elimination"
    name: ClassVar[str] = gettext_noop("Single elimination")
    description: ClassVar[str] = gettext_noop(
        "Who loses a match is out. Any field; byes in the first round fill it up to a power of two."
    )
    fields: ClassVar[tuple[OptionField, ...]] = ()
    open_entries: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 512

    def plan(self, draw: Draw) -> Plan:
        """The whole bracket, advanced as far as the outcomes reach. Raises PlanError."""
        check_draw(draw, self)
        rounds = round_count(len(draw.entrants))
        bracket = _Bracket(draw, rounds)
        for number, (a, b, why) in enumerate(_first_round(draw, rounds), start=1):
            bracket.add(1, number, (a, b), ("", feed_of(b)), why)
        for round in range(2, rounds + 1):
            for number in range(1, 2 ** (rounds - round) + 1):
                bracket.add_fed(round, number)
        check_outcome_keys(draw.outcomes, bracket.pairings)
        return Plan(
            pairings=tuple(bracket.pairings.values()),
            placings=_placings(draw.entrants, rounds, bracket),
            finished=pairing_key(rounds, 1) in bracket.winners,
            stale=tuple(bracket.stale),
        )


class _Bracket:
    """The pairings so far, and who came through them."""

    def __init__(self, draw: Draw, rounds: int) -> None:
        self.draw = draw
        self.rounds = rounds
        self.pairings: dict[str, Pairing] = {}
        self.winners: dict[str, Entrant] = {}
        self.losers: dict[str, Entrant] = {}
        self.stale: list[str] = []

    def add(self, round: int, number: int, seats: tuple[Seat, Seat], feeds: tuple[str, str], why: Reason) -> None:
        key = pairing_key(round, number)
        length = self.draw.options.length(self.rounds - round)
        pairing = Pairing(key, MAIN, round, number, *seats, length, *feeds, why)
        self.pairings[key] = pairing
        outcome = self.draw.outcomes.get(key)
        settled = settle(pairing, outcome)
        free = sole_entrant(pairing)
        if settled:
            self.winners[key], self.losers[key] = settled
        elif free:
            self.winners[key] = free
        elif outcome:
            self.stale.append(key)

    def add_fed(self, round: int, number: int) -> None:
        upper, lower = (self.pairings[pairing_key(round - 1, source)] for source in (2 * number - 1, 2 * number))
        seats = (self._winner(upper.key), self._winner(lower.key))
        feeds = (feed_of(WinnerOf(upper.key)), feed_of(WinnerOf(lower.key)))
        self.add(round, number, seats, feeds, _why_fed(upper, lower))

    def _winner(self, key: str) -> Seat:
        return self.winners.get(key) or WinnerOf(key)


def _first_round(draw: Draw, rounds: int) -> list[tuple[Entrant, Entrant | Bye, Reason]]:
    rng = Random(draw.seed)
    order = drawn_order(draw, rng)
    lines = 2**rounds
    if draw.options.seeding is Seeding.SEEDED:
        return _seeded_round(order, lines)
    byes = spread_byes(lines // 2, lines - len(order), rng)
    waiting = iter(order)
    return [
        _random_pairing(next(waiting), BYE if bye else next(waiting), number, len(order), lines)
        for number, bye in enumerate(byes, start=1)
    ]


def _random_pairing(
    a: Entrant, b: Entrant | Bye, number: int, entrants: int, lines: int
) -> tuple[Entrant, Entrant | Bye, Reason]:
    line = 2 * number - 1
    if isinstance(b, Bye):
        why = Reason(
            "bye_drawn",
            gettext_noop(
                "Bye, drawn at random (line %(line)s of %(lines)s): %(entrants)s entrants do not fill all lines, and "
                "the empty ones are spread evenly."
            ),
            (("line", line), ("lines", lines), ("entrants", entrants)),
        )
    else:
        why = Reason(
            "drawn",
            gettext_noop("Drawn at random: lines %(line)s and %(next)s of %(lines)s."),
            (("line", line), ("next", line + 1), ("lines", lines)),
        )
    return a, b, why


def _seeded_round(order: Sequence[Entrant], lines: int) -> list[tuple[Entrant, Entrant | Bye, Reason]]:
    ranks = seeding_order(lines)
    first_round: list[tuple[Entrant, Entrant | Bye, Reason]] = []
    for rank, other in zip(ranks[::2], ranks[1::2], strict=True):
        a = order[rank - 1]
        b = order[other - 1] if other <= len(order) else BYE
        first_round.append((a, b, _why_seeded(a, b, len(order), lines)))
    return first_round


def _why_seeded(a: Entrant, b: Entrant | Bye, entrants: int, lines: int) -> Reason:
    field = (("entrants", entrants), ("lines", lines))
    if isinstance(b, Bye):
        if a.seed is None:
            return Reason(
                "bye_drawn_behind_seeds",
                gettext_noop(
                    "Bye, drawn at random among those without a seed: %(entrants)s entrants on %(lines)s lines leave "
                    "more byes than there are seeds."
                ),
                field,
            )
        return Reason(
            "bye_seeded",
            gettext_noop("Bye for seed %(seed)s: %(entrants)s entrants on %(lines)s lines; the best seeds go free."),
            (("seed", a.seed), *field),
        )
    if a.seed is None:
        return Reason("drawn_behind_seeds", gettext_noop("Neither is seeded: both were drawn at random."))
    if b.seed is None:
        return Reason(
            "seed_meets_unseeded",
            gettext_noop("Seed %(seed)s meets an opponent drawn at random among those without a seed."),
            (("seed", a.seed),),
        )
    return Reason(
        "seed_meets_seed",
        gettext_noop(
            "Seed %(seed)s meets seed %(other)s: the best seeds meet the last, so that they meet each other late."
        ),
        (("seed", a.seed), ("other", b.seed)),
    )


def _why_fed(upper: Pairing, lower: Pairing) -> Reason:
    if upper.is_bye and lower.is_bye:
        return Reason("after_byes", gettext_noop("Both had a bye in round 1, on neighbouring lines of the draw."))
    if upper.is_bye or lower.is_bye:
        return Reason(
            "after_bye",
            gettext_noop("After a bye in round 1, against the winner of %(key)s, the next lines of the draw."),
            (("key", lower.key if upper.is_bye else upper.key),),
        )
    return Reason(
        "winners_meet",
        gettext_noop("The winner of %(upper)s meets the winner of %(lower)s."),
        (("upper", upper.key), ("lower", lower.key)),
    )


def _placings(entrants: Sequence[Entrant], rounds: int, bracket: _Bracket) -> tuple[Placing, ...]:
    """Losers of the same round share its places; those still in share all places that they can still take."""
    reached = {entrant.id: 1 for entrant in entrants}
    lost: set[int] = set()
    for pairing in bracket.pairings.values():
        if winner := bracket.winners.get(pairing.key):
            reached[winner.id] = pairing.round + 1
        if loser := bracket.losers.get(pairing.key):
            lost.add(loser.id)
    placings = []
    for entrant_id, round in reached.items():
        worst = min(2 ** (rounds - round + 1), len(entrants)) if round <= rounds else 1
        best = 2 ** (rounds - round) + 1 if entrant_id in lost else 1
        placings.append(Placing(entrant_id, best, worst))
    return tuple(sorted(placings, key=lambda placing: (placing.place, placing.place_to, placing.entrant)))
