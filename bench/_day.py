"""What is printed of a day: how long each kind of act took, and how many pages a second, beside the goals."""

from bench._figures import at, figures_of
from bench._visitor import Times

DESK = ("desk page: ", "API: ", "director: ")
ANCHORS = (("Tabbycat, its draw page of 44 debates", 35), ("evroon/bracket, its stages of 15 matches", 206))
"""Uncached requests per second of two workers on the same kind of machine, with PostgreSQL."""

PAGES_GOAL = 200
KIND_MS = 100
"""The goal for p99 of each kind of act."""

CALM = 5
"""Acts a second of a weekend of 128 players; when there are more, only the goal for the busy day counts."""

CALM_MS = {50: 10, 99: 50}
BUSY_MS = {99: 250}


def at_the_desk(times: Times) -> dict[str, list[float]]:
    """Return the seconds that each kind of act at the desk took."""
    return {name: took for name, took in times.seconds.items() if name.startswith(DESK)}


def report_acts(times: Times, rate: float) -> None:
    """Print each kind of act, slowest first, all those at the desk together, and which goals they meet."""
    print(f"{'':44}{'count':>7}{'p50':>9}{'p99':>9}{'max':>9}   ms; 409")
    for action in sorted(times.seconds, key=lambda name: -at(times.seconds[name], 99)):
        print(figures_of(action, times.seconds[action], times.conflicts[action]))
    kinds = at_the_desk(times)
    desk = [seconds for took in kinds.values() for seconds in took]
    print(figures_of("all at the desk", desk, 0) + "\n")
    for percent, goal in (CALM_MS if rate <= CALM else BUSY_MS).items():
        print(f"Goal: p{percent} under {goal} ms: {held(at(desk, percent) < goal)} ({at(desk, percent):.0f} ms)")
    slow = {name: at(took, 99) for name, took in kinds.items() if at(took, 99) >= KIND_MS}
    over = ", ".join(f"{name} {slow[name]:.0f}" for name in sorted(slow, key=lambda name: -slow[name]))
    print(f"Goal: each kind of act p99 under {KIND_MS} ms: {held(not slow)}{f' ({over})' if over else ''}")


def report_pages(pages: dict[str, float]) -> None:
    """Print the pages a second beside the goal and the anchors."""
    print(f"\nPages per second in a full hall, from a cache only for phones (goal: over {PAGES_GOAL} each):")
    for name, rate in pages.items():
        ratios = "; ".join(f"{rate / anchor:.1f} x {other} ({anchor})" for other, anchor in ANCHORS)
        print(f"  {name:17}{rate:7.0f}   {ratios}")


def held(is_held: bool) -> str:
    return "held" if is_held else "missed"
