"""Memory of the whole program on a laptop: when it has started, and after its pages were looked at."""

import argparse
import re
from urllib.request import urlopen

from bench._memory import shares, table
from bench._servers import bench_site
from tests.processes import Site

LINK = re.compile(r'href="(/t/[^"#?]*)"')


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench memory", description=__doc__)
    parser.add_argument("--pages", type=int, default=200, help="pages of the demo that are looked at")
    options = parser.parse_args()
    with bench_site(postgres=False, DEMO=1) as running:
        pid = running.running.process.pid
        print(f"Idle, with the demo\n{table(shares(pid))}")
        seen = look_around(running, options.pages)
        print(f"\nAfter {seen} pages\n{table(shares(pid))}")


def look_around(running: Site, most: int) -> int:
    """Follow links from the first page as a visitor does; return how many pages were read."""
    waiting, seen = ["/"], {"/"}
    for number in range(most):
        if number == len(waiting):
            return number
        path = waiting[number]
        with urlopen(running.url + path) as answer:  # noqa: S310 - http on this host
            text = answer.read().decode(errors="replace")
        fresh = set(LINK.findall(text)) - seen
        seen |= fresh
        waiting += sorted(fresh)
    return most


if __name__ == "__main__":
    main()
