"""A full federation's evening: 50 scorers, 4 directors and 1,000 readers at once, on the laptop or with all servers."""

import argparse
import json
import subprocess
import sys
import threading
import time
from itertools import cycle
from random import Random
from typing import Any

from bench._crew import AtTheDesk
from bench._crew import Day as DeskDay
from bench._figures import at, figures_of
from bench._shapes import Shape, federation, laptop
from bench._slips import Slips
from bench._terms import EVENTS
from bench._visitor import Times, Visitor
from bench.scorers import MAKE, Played, guarded, score
from tests.processes import ROOT

PASSWORD = "an evening at the desk"  # noqa: S105 - of the benchmark alone
MAKE_DESK = """
from players.models import User
from tests.builders import build_event, build_tournament
from tournament.models import Table
owner = User.objects.create_user("owner", password="{password}")
tournament = build_tournament(owner, "Second hall")
Table.objects.bulk_create([Table(tournament=tournament, number=number) for number in range(1, {tables} + 1)])
event = build_event(owner, players={players}, seed="", tournament=tournament, **{terms})
print(tournament.get_absolute_url(), event.get_absolute_url())
"""


def read_arguments(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench load", description=__doc__)
    parser.add_argument("--scorers", type=int, default=50)
    parser.add_argument("--directors", type=int, default=4)
    parser.add_argument("--readers", type=int, default=1000)
    parser.add_argument("--players", type=int, default=256)
    parser.add_argument("--rate", type=float, default=20, help="results a second of all scorers; 0 for no pause")
    parser.add_argument("--acts", type=float, default=4, help="acts a second of all directors")
    parser.add_argument("--processes", type=int, default=2, help="that serve the laptop's pages")
    parser.add_argument("--servers", action="store_true", help="PostgreSQL, Redis, two web processes, three workers")
    return parser.parse_args(given)


def main() -> None:
    options = read_arguments(sys.argv[1:])
    sys.setswitchinterval(0.0005)  # or one scorer would wait for another one's Python
    with federation() if options.servers else laptop(options.processes) as shape:
        played, read, took = evening(shape, options)
        wrong = wrong_with(shape, played, read)
    report(played, read, took, options)
    print("\n".join(["", "INCONSISTENT", *wrong[:20]]) if wrong else "\nAudit: no differences. No 5xx.")
    sys.exit(1 if wrong else 0)


def wrong_with(shape: Shape, played: Played, read: dict[str, Any]) -> list[str]:
    """Return what should not have happened: faults, answers 5xx, differences between what is stored and computed."""
    printed = shape.site.manage("audit").strip()
    wrong = [*played.times.faults, *played.troubles, *read["errors"]]
    wrong += [] if printed == "No differences." else [printed[:2000]]
    return wrong + [
        f"{count} readers' answers {status}" for status, count in read["statuses"].items() if status[0] == "5"
    ]


def evening(shape: Shape, options: argparse.Namespace) -> tuple[Played, dict[str, Any], float]:
    """Let everyone at once do what they came for, until the scorers' event is over or has no open match left."""
    site, webs = shape.site, cycle(shape.webs)
    terms = EVENTS["Championship"]
    event, *tokens = site.python(
        MAKE.format(number=0, players=options.players, scorers=options.scorers, terms=terms)
    ).split()
    hall, pages = site.python(
        MAKE_DESK.format(password=PASSWORD, players=options.players, tables=options.players // 2, terms=terms)
    ).split()
    played, day = Played(Times(), []), DeskDay(options.rate)
    slips, desk = Slips(site, int(event)), DeskDay(options.acts)
    with_slips = [Visitor(next(webs), played.times, token=token) for token in tokens]
    scorers = [
        threading.Thread(target=guarded(played, score), args=(visitor, slips, day, Random(number)))
        for number, visitor in enumerate(with_slips)
    ]
    directors = [director(next(webs), played.times, desk, hall, options, number) for number in range(options.directors)]
    readers = start_readers(
        shape, [hall, pages, *(f"{pages}{page}/" for page in ("pairings", "bracket", "standings"))], options
    )
    giving = threading.Thread(target=guarded(played, slips.hand_out), args=(len(tokens), 10**6))
    crew = [threading.Thread(target=one.run) for one in directors]
    began = time.perf_counter()
    for thread in (*scorers, *crew, giving):
        thread.start()
    for thread in scorers:
        thread.join()
    took = time.perf_counter() - began
    slips.over.set()
    desk.over.set()
    for thread in (*crew, giving):
        thread.join()
    for visitor in (*with_slips, *(one.visitor for one in directors)):
        visitor.close()
    said, _nothing = readers.communicate("")
    played.results = slips.done
    played.troubles += desk.troubles
    return played, json.loads(said), took


def director(web: str, times: Times, day: DeskDay, hall: str, options: argparse.Namespace, number: int) -> AtTheDesk:
    visitor = Visitor(web, times, name="owner")
    visitor.page("/accounts/login/", action="sign in")
    visitor.submit("/accounts/login/", {"username": "owner", "password": PASSWORD}, action="sign in")
    tables = tuple(range(1, options.players // 2 + 1))
    return AtTheDesk(visitor, day, Random(f"director {number}"), tables, options.players // 4, path=f"{hall}desk/")


def start_readers(shape: Shape, paths: list[str], options: argparse.Namespace) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench._readers", ",".join(shape.webs), ",".join(paths), str(options.readers)]
    readers = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if readers.stdout is None or readers.stdout.readline() != "ready\n":
        sys.exit("The readers did not start.")
    return readers


def report(played: Played, read: dict[str, Any], took: float, options: argparse.Namespace) -> None:
    shape = "PostgreSQL, Redis, two web processes" if options.servers else f"SQLite, {options.processes} page processes"
    print(f"{shape}: {options.scorers} scorers, {options.directors} directors, {options.readers} readers, {took:.0f} s")
    print(f"{'':44}{'count':>7}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}   conflicts")
    for action, seconds in sorted(played.times.seconds.items()):
        print(figures_of(action, seconds, played.times.conflicts[action]))
    writes = [
        second
        for action, seconds in played.times.accepted.items()
        if action == "result" or (action.startswith("desk page") and not action.endswith("look"))
        for second in seconds
    ]
    print(f"Writes: {len(writes) / took:.1f} a second, p50 {at(writes, 50):.0f} ms, p99 {at(writes, 99):.0f} ms.")
    p50, p99, most = (1000 * read[name] for name in ("p50", "p99", "most"))
    print(f"Reads: {read['rate']:.0f} a second, p50 {p50:.0f} ms, p99 {p99:.0f} ms, longest {most:.0f} ms.")
    print(f"Readers' answers: {read['statuses']}.")


if __name__ == "__main__":
    main()
