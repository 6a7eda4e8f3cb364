"""First and second visits with a slow phone: bytes with all assets, and the first paint, in Chromium."""

import argparse
import os
import shutil
import sys
from statistics import median
from typing import Any

from bench._servers import bench_site
from tests.desks import open_desk

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""400 kbit a second and 400 ms for each request, as slow 3G is usually measured."""
SLOWER = 4
"""How many times slower the processor is."""

FIRST_KB, SECOND_KB, PAINT_MS = 60, 10, 2000
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
PAINTED = "performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)[0] ?? 0"


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench pages", description=__doc__)
    parser.add_argument("--players", type=int, default=128)
    parser.add_argument("--visits", type=int, default=3, help="of which the median is printed")
    options = parser.parse_args()
    if not CHROMIUM:
        sys.exit("There is no Chromium.")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - slow, and only here

    print(f"load: {os.getloadavg()[0]:.1f}; {options.players} players, {options.visits} visits of each page")
    print(f"{'':12}{'first visit':>16}{'second visit':>16}{'first paint':>16}")
    with bench_site(postgres=False) as running, sync_playwright() as playwright:
        desk = open_desk(running, name="Pages", players=options.players)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in ("pairings", "bracket", "standings"):
            visits = [visit(browser, f"{running.url}{desk.path}{name}/") for _each in range(options.visits)]
            first, second, paint = (median(found) for found in zip(*visits, strict=True))
            print(f"{name:12}{first:13.1f} kB{second:13.1f} kB{paint:13.0f} ms")
        browser.close()
    print(f"goals: {FIRST_KB} kB, {SECOND_KB} kB, {PAINT_MS} ms. Load: {os.getloadavg()[0]:.1f}")


def visit(browser: Any, address: str) -> tuple[float, float, float]:
    """Return the kilobytes of the first and of the second visit, and the milliseconds to the first paint."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    received = 0

    def finished(event: dict[str, Any]) -> None:
        nonlocal received
        received += event["encodedDataLength"]

    session.on("Network.loadingFinished", finished)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_3G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="load", timeout=120_000)
    page.wait_for_timeout(500)
    first, paint = received, page.evaluate(PAINTED)
    received = 0
    page.goto(address, wait_until="load", timeout=120_000)
    page.wait_for_timeout(500)
    second = received
    context.close()
    return first / 1000, second / 1000, paint


if __name__ == "__main__":
    main()
