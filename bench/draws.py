"""Expected repeats in consolation draws, compared with other systems' rules; time to plan; 10,000 events."""

import argparse
import os
import platform
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from bench.simulations import report_events
from tests.tournament.formats.events import field, options_of, play_out, undecided
from tournament.formats import FORMATS
from tournament.formats.chance import SeededChance
from tournament.formats.consolation_graph import Order, Shape, build_graph, knockout_graph
from tournament.formats.first_round import draw_lines
from tournament.formats.format import Format
from tournament.formats.knockout import FINAL
from tournament.formats.lots import SeededLots
from tournament.formats.main_bracket import round_count, spread_byes
from tournament.formats.plan import Draw, Outcome
from tournament.formats.repeats import expected_repeats

PUBLISHED = {
    "double elimination": {16: 0.75, 32: 0.73, 64: 0.70, 128: 0.72},
    "progressive consolation": {16: 0.41, 32: 0.40, 64: 0.37, 128: 0.38},
}
"""The best that static orders of the kinds in use are known to give, for full fields."""

PROVEN = {"double elimination": (5,), "progressive consolation": (9, 10, 11)}
"""Fields in which every order of every round was tried, with the byes where they are spread."""


def natural(losers: Sequence[int], round: int, entrants: int) -> list[int]:
    return list(losers)


def reverse(losers: Sequence[int], round: int, entrants: int) -> list[int]:
    return list(losers) if round == 1 else list(losers[::-1])


def alternate(losers: Sequence[int], round: int, entrants: int) -> list[int]:
    return list(losers[::-1]) if round % 2 == 0 else list(losers)


def half_shift(losers: Sequence[int]) -> list[int]:
    half = len(losers) // 2
    return [*losers[half:], *losers[:half]]


def reverse_half_shift(losers: Sequence[int]) -> list[int]:
    half = len(losers) // 2
    return [*losers[:half][::-1], *losers[half:][::-1]]


def pair_flip(losers: Sequence[int]) -> list[int]:
    return [losers[number ^ 1] for number in range(len(losers))] if len(losers) > 1 else list(losers)


DEFAULTS: dict[int, tuple[Callable[[Sequence[int]], list[int]], ...]] = {
    8: (lambda losers: list(losers[::-1]),),
    16: (reverse_half_shift, lambda losers: list(losers[::-1])),
    32: (lambda losers: list(losers[::-1]), half_shift),
    64: (lambda losers: list(losers[::-1]), half_shift, lambda losers: list(losers[::-1])),
    128: (lambda losers: list(losers[::-1]), half_shift, pair_flip, pair_flip, pair_flip),
}


def brackets_manager(losers: Sequence[int], round: int, entrants: int) -> list[int]:
    """Return the losers in the default order of brackets-manager.js for the next power of two, from round 2 onwards."""
    steps = DEFAULTS.get(2 ** round_count(entrants), ())
    return steps[round - 2](losers) if 2 <= round < len(steps) + 2 else list(losers)


RULES: Mapping[str, Order | None] = {
    "sixprime": None,
    "natural": natural,
    "reverse": reverse,
    "alternate": alternate,
    "br.-manager": brackets_manager,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench draws", description=__doc__)
    parser.add_argument("--largest", type=int, default=128, help="fields from 4 to this one are computed")
    parser.add_argument("--rounds", type=int, default=15, help="times that each plan is timed")
    parser.add_argument("--events", type=int, default=10_000, help="that are simulated, over all formats")
    parser.add_argument("--placed", type=int, default=400, help="events of each size in which losers are placed")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, {sys.platform}\n")
    for name, shape_of in (
        ("double elimination", lambda rounds: Shape(rounds, reunite="grand-final", recharge=True)),
        ("progressive consolation", lambda rounds: Shape(rounds - 1)),
        ("shifted consolation", lambda rounds: Shape(rounds - 1, shifted=True)),
        (
            "shifted double elimination",
            lambda rounds: Shape(rounds, shifted=True, reunite="grand-final", recharge=True),
        ),
        ("consolation and full last chance", lambda rounds: Shape(rounds - 1, last_chance="full")),
    ):
        report_repeats(name, shape_of, options.largest)
    report_placed(options.placed, options.largest)
    holds = report_times(options.rounds)
    if options.events:
        holds = report_events(options.events) and holds
    sys.exit(not holds)


def report_repeats(name: str, shape_of: Callable[[int], Shape], largest: int) -> None:
    """Print our expected repeats beside the other rules', and where ours exceed those of the next power of two."""
    print(f"Expected repeats, all matches even: {name}")
    print(f"{'field':>5} " + " ".join(f"{rule:>11}" for rule in RULES) + "  published")
    ours: dict[int, float] = {}
    worse = []
    for entrants in range(4, largest + 1):
        rounds = round_count(entrants)
        byes = spread_byes(2 ** (rounds - 1), 2**rounds - entrants, SeededChance(entrants))
        found = [float(expected_repeats(build_graph(byes, shape_of(rounds), order))) for order in RULES.values()]
        ours[entrants] = found[0]
        if found[0] > min(found):
            worse.append(str(entrants))
        published = PUBLISHED.get(name, {}).get(entrants, "")
        print(f"{entrants:>5} " + " ".join(f"{repeats:>11.4f}" for repeats in found) + f"  {published:>9}")
    print(f"More than another rule: {', '.join(worse) or 'none'}")
    above = {
        entrants: repeats
        for entrants, repeats in ours.items()
        if repeats > ours.get(2 ** round_count(entrants), repeats)
    }
    listed = ", ".join(f"{entrants}: {repeats:.4f}" for entrants, repeats in above.items())
    print(f"More than the next larger power of two: {listed or 'none'}")
    if name in PROVEN:
        print(f"All orders of all rounds give no less: {', '.join(map(str, PROVEN[name]))}")
    print()


def report_placed(events: int, largest: int) -> None:
    """Print the rematches of played events in which losers are placed, and those to expect in the fixed order."""
    print(f"Rematches an event, all matches even: losers placed when a round is over, {events} events of each size")
    print(f"{'':24} {'field':>5} {'fixed order':>11} {'placed':>9} {'std error':>9}")
    for name, slug, shape_of in (
        ("progressive consolation", "consolation", lambda rounds: Shape(rounds - 1)),
        ("double elimination", "double-elimination", lambda rounds: Shape(rounds, reunite="grand-final")),
    ):
        format = FORMATS[slug]
        for entrants in [size for size in (16, 32, 64, 128) if size <= largest]:
            rounds = round_count(entrants)
            fixed = float(expected_repeats(build_graph([0] * (entrants // 2), shape_of(rounds))))
            found = [rematches_played(format, entrants, str(number)) for number in range(events)]
            error = statistics.stdev(found) / events**0.5
            print(f"{name:24} {entrants:>5} {fixed:>11.4f} {statistics.mean(found):>9.4f} {error:>9.4f}")
    print()


def rematches_played(format: Format, entrants: int, seed: str) -> int:
    """Return the rematches in an event with even matches and placed losers, leaving out grand finals."""
    rng = Random(seed)
    draw = Draw(field(entrants), options_of(format, placed=True), {}, seed)
    while not (plan := format.plan(draw)).finished:
        draw = replace(
            draw,
            outcomes={
                **draw.outcomes,
                **{
                    pairing.key: Outcome(*rng.sample(sorted(pairing.entrant_ids), 2))
                    for pairing in undecided(plan, draw.outcomes)
                },
            },
        )
    met = Counter(pairing.entrant_ids for pairing in plan.pairings if pairing.bracket != FINAL and pairing.is_ready)
    return sum(times - 1 for times in met.values())


def report_times(rounds: int) -> bool:
    """Time plans made from scratch, and again after half of the results, against those of a single elimination of 512.

    Whether each takes no more times the anchor's time than it may.
    """
    knockout, consolation, double = (
        FORMATS[slug] for slug in ("single-elimination", "consolation", "double-elimination")
    )
    chance = options_of(consolation, last_chance="full")
    cases: dict[str, tuple[Format, Draw, float]] = {
        "single elimination of 512": (knockout, Draw(field(512), options_of(knockout), seed="bench"), 1),
        "single elimination of 1024": (knockout, Draw(field(1024), options_of(knockout), seed="bench"), 3),
        "main, consolation, last chance": (consolation, Draw(field(512), chance, seed="bench"), 5),
        "the same, drawn by lots": (consolation, Draw(field(512), chance, lots=SeededLots("bench")), 5),
        "double elimination of 512": (double, Draw(field(512), options_of(double), seed="bench"), 3),
        "main ... last chance, placed": (
            consolation,
            Draw(field(512), options_of(consolation, last_chance="full", placed=True), seed="bench"),
            6,
        ),
        "double elimination, placed": (double, Draw(field(512), options_of(double, placed=True), seed="bench"), 4),
    }
    print(f"{'medians of ' + str(rounds):34} {'new ms':>8} {'x':>6} {'again ms':>9} {'x':>6} {'most x':>6}")
    anchors, slow = None, []
    for name, (format, draw, most) in cases.items():
        new = statistics.median(timed(format, draw, forget=True) for _ in range(rounds))
        played = play_out(format, draw)
        half = replace(draw, outcomes=dict(list(played.outcomes.items())[: len(played.outcomes) // 2]))
        again = statistics.median(timed(format, half, forget=False) for _ in range(rounds))
        anchors = anchors or (new, again)
        ratios = new / anchors[0], again / anchors[1]
        print(f"{name:34} {new:>8.1f} {ratios[0]:>6.2f} {again:>9.1f} {ratios[1]:>6.2f} {most:>6}")
        if max(ratios) > most:
            slow.append(name)
    print(f"Slower than they may be: {', '.join(slow) or 'none'}\n")
    return not slow


def timed(format: Format, draw: Draw, *, forget: bool) -> float:
    """Return a plan's milliseconds of processor time; with ``forget``, the lines and the graph are made again."""
    if forget:
        knockout_graph.cache_clear()
        draw_lines.cache_clear()
    began = time.process_time()
    format.plan(draw)
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    main()
