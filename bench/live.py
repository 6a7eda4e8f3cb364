"""Two thousand open pages: how soon all have a new result, and a page from memory beside a bare server."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from pathlib import Path
from typing import Any

from bench._figures import at
from bench._memory import shares, total
from bench._servers import bench_site
from tests.desks import Desk, open_desk
from tests.processes import ROOT, Site, answers, environment, free_port, wait_until

GOAL_MS = 1000
GOAL_RATIO = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench live", description=__doc__)
    parser.add_argument("--pages", type=int, default=2000, help="open pages, all in one process")
    parser.add_argument("--results", type=int, default=30, help="that are entered")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds from one result to the next")
    parser.add_argument("--players", type=int, default=128)
    parser.add_argument("--clients", type=int, default=200, help="that ask for the whole page, one after another")
    parser.add_argument("--seconds", type=float, default=5.0, help="for which they do")
    parser.add_argument("--processes", type=int, default=2, help="that serve pages")
    options = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with bench_site(postgres=False, PAGE_PROCESSES=options.processes) as running:
        desk = open_desk(running, name="Live", players=options.players)
        if options.pages:
            follow(running, desk, options)
        if options.clients:
            visit(running, desk, options)
    print(f"load after: {os.getloadavg()[0]:.1f}")


def start(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, words)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def follow(site: Site, desk: Desk, options: argparse.Namespace) -> None:
    before = total(shares(site.running.process.pid))
    listening = start(
        "bench._listeners",
        "listen",
        site.url,
        site.live_url,
        f"{desk.path}?fragment",
        desk.event,
        options.pages,
    )
    assert listening.stdout is not None  # noqa: S101 - it is a pipe
    if listening.stdout.readline().strip() != "ready":
        sys.exit("The pages did not open.")
    held = total(shares(site.running.process.pid))
    base = desk.get(site.url, f"events/{desk.event}/").body["version"]
    entered, taken = {}, []
    for number in range(options.results):
        began = time.monotonic()
        answer = desk.enter(site.url, desk.matches[number], key=uuid.uuid4().hex, final=(5, 3))
        if answer.status != 201:
            sys.exit(f"A result was refused: {answer.body}")
        entered[base + number + 1] = began
        taken.append(time.monotonic() - began)
        time.sleep(max(0.0, began + options.pause - time.monotonic()))
    time.sleep(3)
    told, _nothing = listening.communicate("over")
    report(options, json.loads(told), entered, taken, before, held)


def report(
    options: argparse.Namespace,
    told: dict[str, Any],
    entered: dict[int, float],
    taken: list[float],
    before: float,
    held: float,
) -> None:
    """Print how long after the beginning of each result's request the last page had it."""
    reached = {version: told["reached"].get(str(version), (0, 0.0)) for version in entered}
    missing = sum(options.pages - count for count, _last in reached.values())
    lasts = [reached[version][1] - began for version, began in entered.items() if reached[version][0] == options.pages]
    heard = [told["told"][str(version)] - began for version, began in entered.items() if str(version) in told["told"]]
    asked = [1000 * told["asked"][place] for place in (49, 98)]
    print(f"{options.pages} pages, a result every {options.pause:g} s, {len(entered)} results")
    print(f"  result to last page     p50 {at(lasts, 50):7.0f} ms   p99 {at(lasts, 99):7.0f} ms   goal: {GOAL_MS} ms")
    print(f"  the result itself       p50 {at(taken, 50):7.0f} ms   p99 {at(taken, 99):7.0f} ms")
    print(f"  the news to last page   p50 {at(heard, 50):7.0f} ms   p99 {at(heard, 99):7.0f} ms")
    print(f"  one page's question     p50 {asked[0]:7.0f} ms   p99 {asked[1]:7.0f} ms")
    print(f"  all, in order: {' '.join(f'{last:.2f}' for last in lasts)} s; pages that never had a result: {missing}")
    print(f"  answers {told['statuses']}, {told['bytes'] / 1e6:.0f} MB, connections closed {told['closed']}")
    print(
        f"  memory {before:.0f} MB, with the pages {held:.0f} MB: {(held - before) * 1024 / options.pages:.0f} kB each"
    )
    print(f"  the listeners used {told['processor']:.0f} s of processor")


def visit(site: Site, desk: Desk, options: argparse.Namespace) -> None:
    request = urllib.request.Request(site.url + desk.path, headers={"Accept-Encoding": "gzip"})  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - http on this host
        content = answer.read()
    with tempfile.TemporaryDirectory() as folder:
        file, port = Path(folder, "page"), free_port()
        file.write_bytes(content)
        bare = subprocess.Popen(
            [sys.executable, "-m", "bench._bare_server", str(file), str(port), str(options.processes)],
            cwd=ROOT,
            env=environment(VAR_DIR=folder),
            start_new_session=True,
        )
        try:
            wait_until(lambda: answers(f"http://127.0.0.1:{port}/"), why="the bare server answers")
            figures = {}
            for name, url in (("bare", f"http://127.0.0.1:{port}"), ("ours", site.url)) * 2:
                asking = start("bench._listeners", "clients", url, desk.path, options.clients, options.seconds)
                figures[name] = json.loads(asking.communicate()[0])
        finally:
            os.killpg(bare.pid, signal.SIGKILL)
            bare.wait()
    print(f"{options.clients} clients, the whole page from memory ({len(content) / 1024:.0f} kB compressed)")
    for name, found in figures.items():
        p50, p99 = 1000 * found["p50"], 1000 * found["p99"]
        print(f"  {name}  {found['rate']:7.0f} a second   p50 {p50:5.0f} ms   p99 {p99:5.0f} ms")
    print(f"  {figures['bare']['rate'] / figures['ours']['rate']:.2f} x bare   goal: under {GOAL_RATIO:g}")


if __name__ == "__main__":
    main()
