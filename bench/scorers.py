"""Fifty scorers on one event, on the real server: results a second, and how soon the standings follow a result."""

import argparse
import sys
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from statistics import median

from bench._crew import Day
from bench._figures import at
from bench._servers import bench_site
from bench._slips import Slips, Watch
from bench._terms import EVENTS
from bench._visitor import Times, Visitor
from tests.processes import Site

GOALS = {False: 100, True: 60}
"""Results a second at least, on SQLite and on PostgreSQL."""

MOST_MS = 500
STANDINGS_MS = 100
MAKE = """
from players.models import User
from tests.builders import AT, build_director, build_event, build_key, build_tournament
from tournament.models import Appointment, Role
director = User.objects.filter(username="director").first() or build_director()
tournament = build_tournament(director, "Hall {number}")
event = build_event(director, players={players}, seed="", tournament=tournament, **{terms})
print(event.pk)
for number in range({scorers}):
    scorer, _ = User.objects.get_or_create(username=f"scorer-{{number}}")
    Appointment.objects.create(tournament=tournament, user=scorer, role=Role.SCORER, since=AT)
    print(build_key(scorer))
"""


@dataclass
class Played:
    """What was measured while an event was played."""

    times: Times
    lags: list[float]
    results: int = 0
    took: float = 0
    troubles: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return self.results / self.took

    @property
    def answers(self) -> list[float]:
        return self.times.seconds["result"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench scorers", description=__doc__)
    parser.add_argument("--players", type=int, default=128)
    parser.add_argument("--scorers", type=int, default=50)
    parser.add_argument("--processes", type=int, default=4, help="that serve pages")
    parser.add_argument(
        "--runs", type=int, default=3, help="events, one after another, of which the medians are printed"
    )
    parser.add_argument("--results", type=int, default=10**6, help="that are entered at most in each")
    parser.add_argument("--paced", type=int, default=150, help="results at 5 a second, whose standings are waited for")
    parser.add_argument("--postgres", action="store_true", help="on a real PostgreSQL instead of a file of SQLite")
    options = parser.parse_args()
    sys.setswitchinterval(0.0005)  # or one scorer would wait for another one's Python
    wrong: list[str] = []
    with bench_site(postgres=options.postgres, PAGE_PROCESSES=options.processes) as running:
        full = [play(running, number, options, rate=0, most=options.results) for number in range(options.runs)]
        paced = [play(running, options.runs, options, rate=5, most=options.paced)] if options.paced else []
        for played in (*full, *paced):
            wrong += [*played.times.faults, *played.troubles]
        printed = running.manage("audit").strip()
    if printed != "No differences.":
        wrong.append(printed[:2000])
    report(full, paced, options)
    print("\n".join(["", "INCONSISTENT", *wrong[:20]]) if wrong else "\nNo inconsistencies.")
    sys.exit(1 if wrong else 0)


def play(site: Site, number: int, options: argparse.Namespace, *, rate: float, most: int) -> Played:
    """Make an event on the site and let scorers play it, all together at ``rate`` results a second, 0 for no pause."""
    terms = EVENTS["Championship"]
    code = MAKE.format(number=number, players=options.players, scorers=options.scorers, terms=terms)
    event, *tokens = site.python(code).split()
    slips, watch = Slips(site, int(event)), Watch(site, int(event), pause=0.001 if rate else 0.01)
    played, day = Played(Times(), []), Day(rate)
    scorers = [
        threading.Thread(
            target=guarded(played, score),
            args=(Visitor(site.url, played.times, token=token), slips, day, Random(f"{number}:{scorer}")),
        )
        for scorer, token in enumerate(tokens)
    ]
    watching = threading.Thread(target=guarded(played, watch.look))
    giving = threading.Thread(target=guarded(played, slips.hand_out), args=(len(tokens), most))
    watching.start()
    began = time.perf_counter()
    for thread in (*scorers, giving):
        thread.start()
    for thread in scorers:
        thread.join()
    played.took = time.perf_counter() - began
    slips.over.set()
    watch.over.set()
    giving.join()
    watching.join()
    played.results, played.lags = slips.done, watch.lags()
    return played


def guarded(played: Played, act: Callable[..., None]) -> Callable[..., None]:
    """Return the act for a thread, whose errors nobody else would hear of."""

    def do(*arguments: object) -> None:
        try:
            act(*arguments)
        except Exception as error:
            played.troubles.append(repr(error))

    return do


def score(visitor: Visitor, slips: Slips, day: Day, random: Random) -> None:
    """Enter one result after another until there are no more."""
    while (slip := slips.waiting.get()) is not None:
        match, length = slip
        final = [length, random.randrange(length)]
        random.shuffle(final)
        day.turn()
        body = {"key": uuid.UUID(int=random.getrandbits(128)).hex, "base": 0, "final": final}
        try:
            visitor.do(f"matches/{match}/result/", body, action="result")
        finally:
            slips.finish()


def report(full: list[Played], paced: list[Played], options: argparse.Namespace) -> None:
    database = "PostgreSQL" if options.postgres else "SQLite"
    print(f"{options.scorers} scorers, {options.players} players, {options.processes} processes, {database}")
    print(f"{'':22}{'results':>8}{'a second':>9}{'p50 ms':>8}{'p99 ms':>8}   standings: {'p50 ms':>8}{'p99 ms':>8}")
    for name, events in (("as fast as they can", full), ("5 a second", paced)):
        for played in events:
            print(
                f"{name:22}{played.results:8}{played.rate:9.1f}{figures(played.answers)}{'':14}{figures(played.lags)}"
            )
    if full:
        rate, p99 = median(played.rate for played in full), median(at(played.answers, 99) for played in full)
        print(
            f"Medians: {rate:.1f} a second (goal: over {GOALS[options.postgres]}), "
            f"p99 {p99:.0f} ms (goal: under {MOST_MS})."
        )
    for played in paced:
        print(f"Commit to stored standings: p99 {at(played.lags, 99):.0f} ms (goal: under {STANDINGS_MS}).")


def figures(seconds: list[float]) -> str:
    return f"{at(seconds, 50):8.1f}{at(seconds, 99):8.1f}"


if __name__ == "__main__":
    main()
