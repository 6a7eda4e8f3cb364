"""Fields and whole events for the tests of the formats."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace

from tournament.formats.format import Format
from tournament.formats.options import Options, Seeding
from tournament.formats.plan import Draw, Entrant, Outcome, Pairing, Plan

LENGTHS = Options(lengths=(9, 7, 5))
SEEDED = Options(lengths=(9, 7, 5), seeding=Seeding.SEEDED)


def options_of(format: Format, **chosen: object) -> Options:
    """The options of ``format`` with the lengths 9, 7, 5 and those ``chosen``; the others have their defaults."""
    return Options.parse({"lengths": [9, 7, 5], **chosen}, format.fields)


def field(count: int, seeded: int = 0) -> tuple[Entrant, ...]:
    """``count`` entrants whose ids are not 1, 2, 3 ...; the first ``seeded`` of them have seeds 1, 2, 3 ..."""
    return tuple(
        Entrant(id=1000 - 3 * number, name=f"Player {number}", seed=number if number <= seeded else None)
        for number in range(1, count + 1)
    )


def decide(pairing: Pairing, salt: str) -> Outcome:
    """The same outcome whenever the same two meet in the same pairing."""
    a, b = pairing.a, pairing.b
    assert isinstance(a, Entrant)
    assert isinstance(b, Entrant)
    first, second = sorted((a.id, b.id))
    if zlib.crc32(f"{salt} {pairing.key} {first} {second}".encode()) % 2:
        first, second = second, first
    return Outcome(winner=first, loser=second)


def play_out(format: Format, draw: Draw, salt: str = "", fixed: Mapping[str, Outcome] | None = None) -> Draw:
    """Play ``draw`` to its end, with the outcomes in ``fixed`` where there are any."""
    outcomes = dict(draw.outcomes)
    while True:
        draw = replace(draw, outcomes=dict(outcomes), published=())
        plan = format.plan(draw)
        assert plan.stale == ()
        if plan.finished:
            return draw
        ready = undecided(plan, outcomes)
        assert ready, "the event is stuck"
        for pairing in ready:
            chosen = (fixed or {}).get(pairing.key) or decide(pairing, salt)
            outcomes[pairing.key] = chosen


def undecided(plan: Plan, outcomes: Mapping[str, Outcome]) -> list[Pairing]:
    """The pairings that can be played now."""
    return [pairing for pairing in plan.pairings if pairing.is_ready and pairing.key not in outcomes]


def assert_even(byes):
    """Check that two blocks of one size, a half, a quarter ... of the bracket, differ by at most one bye."""
    block = 1
    while block <= len(byes):
        counts = [sum(byes[start : start + block]) for start in range(0, len(byes), block)]
        assert max(counts) - min(counts) <= 1
        block *= 2


class Event:
    """A draw by seeds, which gives the best the first line, and the results entered so far."""

    def __init__(self, format, size, **options):
        self.format = format
        self.entrants = field(size, size)
        self.options = options_of(format, seeding="seeded", **options)
        self.outcomes = {}

    @property
    def plan(self):
        return self.format.plan(Draw(self.entrants, self.options, self.outcomes))

    def pairing(self, key):
        return next((pairing for pairing in self.plan.pairings if pairing.key == key), None)

    def seats(self, key):
        pairing = self.pairing(key)
        return [seat.seed if isinstance(seat, Entrant) else seat for seat in (pairing.a, pairing.b)]

    def wins(self, seed, key):
        """Let the entrant with this seed win the pairing."""
        (loser,) = self.pairing(key).entrant_ids - {self.entrants[seed - 1].id}
        self.outcomes[key] = Outcome(self.entrants[seed - 1].id, loser)
