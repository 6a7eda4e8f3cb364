"""Whole events of every format with every option: 0 broken invariants in 10,000 events; --every plays each size."""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from random import Random
from statistics import mean

from tests.tournament.formats.variants import pairs, play_if_drawn, play_variant, sizes_of, some_sizes, variants
from tournament.formats import SIMULATED, parse_options
from tournament.rehearsal.simulation import simulate_event
from tournament.rehearsal.summary import PlayedEvent, summarise

SEEDS = 100
RIVAL = 704
"""The simulated tournaments in the tests of PileOfCells/backgammon-tournoi, docs/comprendre_le_moteur.md."""

LARGE = (65, 72, 95, 96, 100, 127, 128)
"""The sizes above 64 that ``--every`` plays."""

Task = tuple[str, int, int]
"""A format, the number of one of its variants (with ``--every`` pairs of options follow), and how many entrants."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench simulations", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="over all formats")
    parser.add_argument(
        "--model", type=int, default=1500, help="how many knockouts of 64 to simulate for the model's own figures"
    )
    parser.add_argument(
        "--every",
        action="store_true",
        help="instead: each option of each format in each field of 2 to 64 and some of up to 128, and pairs of options",
    )
    parser.add_argument(
        "--formats", nargs="*", choices=SIMULATED, default=list(SIMULATED), help="with --every: only these"
    )
    options = parser.parse_args()
    if options.every:
        sys.exit(not report_every(options.formats))
    holds = report_events(options.events)
    if options.model:
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            report_model(pool, options.model)
    sys.exit(not holds)


def report_events(events: int) -> bool:
    """Simulate this many events of all formats and print what was broken; True if nothing was."""
    began = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        broken, played = report_invariants(pool, events)
    took = time.perf_counter() - began
    print(
        f"{'all':20} {played:>7,} events, {broken} broken invariants, {took:.0f} s; "
        f"{played / RIVAL:.1f} x the {RIVAL} of the nearest rival's tests\n"
    )
    return not broken and played >= events


def report_invariants(pool: ProcessPoolExecutor, events: int) -> tuple[int, int]:
    """Return how many invariants were broken and how many events were simulated; print one line per format."""
    broken = played = 0
    share = -(-events // len(SIMULATED))
    for slug in SIMULATED:
        began = time.perf_counter()
        done = list(pool.map(play, tasks(slug, share), count(), chunksize=8))
        wrong = [
            (task, text) for task, event in zip(tasks(slug, share), done, strict=True) for text in event.violations
        ]
        for task, text in wrong[:5]:
            print(f"  {task}: {text}")
        print(
            f"{slug:20} {len(done):>7,} events of {min(event.players for event in done)} to "
            f"{max(event.players for event in done)} players, {mean(event.players for event in done):.0f} on average, "
            f"{len(variants(slug))} variants, {len(wrong)} broken, {time.perf_counter() - began:.0f} s",
            flush=True,
        )
        broken, played = broken + len(wrong), played + len(done)
    return broken, played


def tasks(slug: str, share: int) -> Iterator[Task]:
    number_of_variants = len(variants(slug))
    for number, size in enumerate(some_sizes(SIMULATED[slug], share, small=3)):
        yield slug, number % number_of_variants, size


def report_every(slugs: Sequence[str]) -> bool:
    """Play each option in each size, and each two options in some sizes; print what was broken, True if nothing was."""
    began = time.perf_counter()
    broken = played = refused = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for slug in slugs:
            tasks = list(every_task(slug))
            done = list(pool.map(play_every, tasks, chunksize=16))
            wrong = [(task, text) for task, found in zip(tasks, done, strict=True) for text in found or ()]
            for task, text in wrong[:5]:
                print(f"  {task}: {text}")
            refusals = done.count(None)
            options = f"{len(variants(slug)):>3} variants and {len(pairs(slug)):>3} pairs"
            print(
                f"{slug:20} {len(done) - refusals:>7,} events, {refusals:>5,} refused, {options}, {len(wrong)} broken, "
                f"{time.perf_counter() - began:.0f} s",
                flush=True,
            )
            broken, played, refused = broken + len(wrong), played + len(done) - refusals, refused + refusals
    print(f"{'all':20} {played:>7,} events, {refused:>5,} refused, {broken} broken invariants")
    return not broken


def every_task(slug: str) -> Iterator[Task]:
    """Iterate over each option in each size, and then over each two options in three sizes of their own."""
    sizes = [size for size in (*range(2, 65), *LARGE) if size in sizes_of(SIMULATED[slug])]
    for number in range(len(variants(slug))):
        yield from ((slug, number, size) for size in sizes)
    first = len(variants(slug))
    for number in range(len(pairs(slug))):
        chance = Random(f"{slug} {number}")
        yield from ((slug, first + number, size) for size in chance.sample(sizes[:32], min(3, len(sizes))))


def play_every(task: Task) -> tuple[str, ...] | None:
    """Return what was broken; None if the options are refused for a field of this size."""
    slug, number, size = task
    event = play_if_drawn(slug, (variants(slug) + pairs(slug))[number], size, f"{slug} {number} {size}")
    return event.violations if event else None


def play(task: Task, number: int) -> PlayedEvent:
    slug, variant, size = task
    return play_variant(slug, variants(slug)[variant], size, f"{slug} {number % SEEDS}")


def report_model(pool: ProcessPoolExecutor, events: int) -> None:
    """Compare a knockout of 64 to 7 points with the 1,500 in PileOfCells/backgammon-tournoi, docs/etude_formats.md."""
    summary = summarise(list(pool.map(play_knockout, range(events), chunksize=16)))
    print(f"single elimination of 64 to 7 points, {events:,} events: ours, and 1,500 events of a rival's study")
    print(f"best player wins   {100 * summary.p_best_wins:5.1f} %      3.8 %")
    print(f"over after         {summary.hours_median:5.2f} h      7.00 h")


def play_knockout(number: int) -> PlayedEvent:
    knockout = SIMULATED["single-elimination"]
    return simulate_event(knockout, parse_options(knockout.slug, {"lengths": [7]}), 64, f"model {number}")


if __name__ == "__main__":
    main()
