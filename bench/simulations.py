"""Whole events of every format with every option: 0 broken invariants in 10,000 events."""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from statistics import mean

from tests.tournament.formats.variants import play_variant, some_sizes, variants
from tournament.formats import FORMATS, parse_options
from tournament.rehearsal.simulation import simulate_event
from tournament.rehearsal.summary import PlayedEvent, summarise

SEEDS = 100
RIVAL = 704
"""The simulated tournaments in the tests of PileOfCells/backgammon-tournoi, docs/comprendre_le_moteur.md."""

Task = tuple[str, int, int]
"""A format, the number of one of its variants, and how many entrants."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench simulations", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="over all formats")
    parser.add_argument(
        "--model", type=int, default=1500, help="how many knockouts of 64 to simulate for the model's own figures"
    )
    options = parser.parse_args()
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
    share = -(-events // len(FORMATS))
    for slug in FORMATS:
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
    for number, size in enumerate(some_sizes(FORMATS[slug], share, small=3)):
        yield slug, number % number_of_variants, size


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
    knockout = FORMATS["single-elimination"]
    return simulate_event(knockout, parse_options(knockout.slug, {"lengths": [7]}), 64, f"model {number}")


if __name__ == "__main__":
    main()
