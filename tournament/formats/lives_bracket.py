"""Lives bracket: a knockout in which having two lives left from an earlier stage is worth a first-round win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.advance import advance
from tournament.formats.chance import Chance, chance_in
from tournament.formats.consolation_graph import Shape, knockout_graph
from tournament.formats.drawing import check_draw, drawn_order
from tournament.formats.errors import PlanError
from tournament.formats.first_round import FirstRound, pair_by_rank, swap_by_hand, why_drawn, why_seeded
from tournament.formats.format import Format
from tournament.formats.knockout_options import with_defaults
from tournament.formats.knockout_places import main_placings
from tournament.formats.lots import DRAW, pairing_name
from tournament.formats.main_bracket import round_count, seeding_order, spread_byes
from tournament.formats.options import PROTECT, OptionField, Seeding
from tournament.formats.plan import Draw, Entrant, Plan, Reason
from tournament.formats.protection import Match, keep_apart


class LivesBracket(Format):
    """A knockout that concludes a Swiss with lives: two lives are worth a whole pair of lines."""

    slug: ClassVar[str] = "lives-bracket"
    name: ClassVar[str] = gettext_noop("Lives bracket")
    description: ClassVar[str] = gettext_noop(
        "A knockout after a Swiss with lives: players with two lives left have a bye in round 1, those with one play."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (PROTECT,)
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 1024

    def plan(self, draw: Draw) -> Plan:
        """Plan the whole bracket, advanced as far as the outcomes allow. Raises PlanError."""
        check_draw(draw, self)
        _check_lives(draw.entrants)
        first = _draw_first_round(draw, with_defaults(draw.options, self.fields).choice("protect"))
        run = advance(knockout_graph(first.byes, Shape()), first.lines, first.reasons, draw)
        return Plan(
            pairings=tuple(run.pairings),
            placings=main_placings(run),
            finished=run.finished,
            stale=tuple(run.stale),
            notes=first.notes,
        )


def _check_lives(entrants: Sequence[Entrant]) -> None:
    for entrant in entrants:
        if entrant.lives < 1:
            raise PlanError("no_life_left", gettext_noop("%(name)s has no lives left."), name=entrant.name)


def _draw_first_round(draw: Draw, protect: str) -> FirstRound:
    """Give every entrant a line: two lives take both lines of a pair, and byes fill the rest of a power of two.

    More than two lives are worth no more than two. If that left nobody to play in round 1, the round is left out, and
    entrants with two lives are only the first to have a bye.
    """
    chance = chance_in(draw, DRAW)
    order = drawn_order(draw, chance)
    two = [entrant for entrant in order if entrant.lives > 1]
    one = [entrant for entrant in order if entrant.lives == 1]
    pairings = 2 ** (round_count(len(order) + len(two)) - 1)
    if len(order) <= pairings:
        pairings //= 2
    seeded = draw.options.seeding is Seeding.SEEDED
    if seeded:
        ranks = seeding_order(2 * pairings)[::2]
        byes = [int(2 * pairings + 1 - rank > len(order)) for rank in ranks]
        drawn = pair_by_rank([*two, *one], ranks, byes)
    else:
        drawn = _pair_at_random(two, one, pairings, chance)
    apart = keep_apart(drawn, protect, _lives, chance)
    reasons = [
        apart.reasons.get(number - 1)
        or (
            _why_free(a)
            if b is None and a.lives > 1
            else why_seeded(a, b, len(order), 2 * pairings)
            if seeded
            else why_drawn(b, number, len(order), 2 * pairings)
        )
        for number, (a, b) in enumerate(apart.matches, start=1)
    ]
    lines = tuple(line for match in apart.matches for line in match)
    first = FirstRound(lines, tuple(int(b is None) for _, b in apart.matches), tuple(reasons), apart.notes)
    return swap_by_hand(first, draw, protect)


def _pair_at_random(two: Sequence[Entrant], one: Sequence[Entrant], pairings: int, chance: Chance) -> list[Match]:
    """Pair at random: entrants with two lives get byes, spread evenly; further byes go where there are fewest."""
    byes = 2 * pairings - len(two) - len(one)
    free = _spread_over_even(pairings, min(len(two), byes), chance)
    holders = dict(zip(free, two, strict=False))
    waiting = iter([*two[len(free) :], *one])
    others = [number for number in range(pairings) if number not in free]
    chance.shuffle(others, lambda number: pairing_name(number + 1))
    while len(holders) < byes:
        number = min(others, key=lambda number: number ^ 1 in holders)
        others.remove(number)
        holders[number] = next(waiting)
    return [
        (holders[number], None) if number in holders else (next(waiting), next(waiting)) for number in range(pairings)
    ]


def _spread_over_even(pairings: int, count: int, chance: Chance) -> list[int]:
    """Choose ``count`` pairings, counted from 0: the lower of every two neighbours, spread out, then the upper."""
    if pairings == 1:
        return [0] * count
    couples = pairings // 2
    even = spread_byes(couples, min(count, couples), chance, width=2)
    odd = spread_byes(couples, max(count - couples, 0), chance, width=2)
    return [2 * number + 1 for number in range(couples) if even[number]] + [
        2 * number for number in range(couples) if odd[number]
    ]


def _lives(entrant: Entrant) -> int:
    return min(entrant.lives, 2)


def _why_free(entrant: Entrant) -> Reason:
    return Reason(
        "bye_lives",
        gettext_noop("Bye in round 1: %(lives)s lives are left, and two are worth a win in the first match."),
        (("lives", entrant.lives),),
    )
