"""Connections that stay open are spread over the processes."""

import os
import random
from collections.abc import Callable

from config.connections import BY_MEMORY, LEAST_REQUESTS, WINDOW_SECONDS, Shares, Spreading


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def build(processes: int, *, busy: Callable[[], None] = lambda: None) -> tuple[list[Spreading], Clock]:
    """Return the application as each process has it."""
    clock = Clock()
    shares = Shares(processes, clock=clock)
    chance = random.Random(5).random

    def application(_environ, start_response):
        busy()
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"ok"]

    made = [Spreading(application, shares, place, threads=4, clock=clock, chance=chance) for place in range(processes)]
    return made, clock


def closes(process: Spreading) -> bool:
    """Whether the answer to a request closes its connection."""
    found: list[tuple[str, str]] = []
    process({}, lambda _status, headers, *_rest: found.extend(headers))
    return ("Connection", "close") in found


def test_processes_with_like_shares_close_nothing():
    processes, _clock = build(2)
    assert not any(closes(process) for _each in range(500) for process in processes)


def test_a_process_with_more_than_its_share_gives_connections_away_and_the_other_does_not():
    processes, _clock = build(2)
    closed = [0, 0]
    for number in range(800):
        place = 1 if number % 4 == 0 else 0
        closed[place] += closes(processes[place])
    assert 100 < closed[0] < 400
    assert closed[1] == 0


def test_few_requests_say_nothing_about_a_share():
    processes, _clock = build(2)
    assert not any(closes(processes[0]) for _each in range(LEAST_REQUESTS - 1))


def test_a_share_of_long_ago_counts_no_longer():
    processes, clock = build(2)
    for _each in range(300):
        closes(processes[0])
    for _each in range(10):
        clock.now += WINDOW_SECONDS
        closes(processes[0])
    assert not any(closes(process) for _each in range(100) for process in reversed(processes))


def test_a_process_whose_threads_are_all_busy_sends_the_next_request_elsewhere():
    found: list[bool] = []
    depth = 0

    def request() -> None:
        nonlocal depth
        depth += 1
        if depth <= 4:
            found.append(closes(processes[0]))

    processes, _clock = build(2, busy=request)
    closes(processes[0])
    # The innermost request is the fifth that is under way, and is answered first.
    assert found == [True, True, False, False]


def test_what_is_answered_from_memory_closes_nothing_because_threads_are_busy():
    found: list[bool] = []
    depth = 0

    def application(environ, start_response):
        nonlocal depth
        environ[BY_MEMORY] = True
        depth += 1
        if depth <= 6:
            found.append(closes(process))
        start_response("200 OK", [])
        return []

    process = Spreading(application, Shares(2), 0, threads=4)
    closes(process)
    assert found == [False] * 6


def test_one_process_closes_nothing():
    made, _clock = build(1)
    assert not any(closes(made[0]) for _each in range(300))


def test_processes_that_part_know_of_each_other():
    shares = Shares(2)
    pid = os.fork()
    if not pid:
        shares.tell(1, shares._clock(), 7, 3)
        os._exit(0)
    os.waitpid(pid, 0)
    assert shares.told() == [(0, 0), (7, 3)]
