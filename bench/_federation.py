"""A federation with a long history of rated matches, and what is measured on it."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

from django.core.management import call_command
from django.db import transaction

from bench._copies import copy_matches
from matches.counted import CountedMatch, Counting, recount
from matches.counting import find_counting, is_counted, start_again
from matches.models import GameLine, Match, Scoresheet, SheetChange
from matches.rateable import rateable_sheets, rated_matches
from matches.rating_moves import moves_between
from matches.ratings import rate_matches, replay_ratings
from matches.tasks import rate
from players.models import Player, RankingList
from players.ratings import RatedResult
from tests.builders import build_director, build_event, claim, open_matches
from tournament.models import Event, Stage
from tournament.results.enter import enter_result

EVENT = 400
"""Matches of one event."""
FIELD = 128
"""Players of one event."""
BEGAN = datetime(2019, 1, 5, 9, tzinfo=UTC)
BY_ROWS = 100_000
"""How many matches are made one by one; more are copies of these."""
WORDS = "{:58} {:>9} {:>9}  {}"


def make_history(matches: int, players: int) -> None:
    """Make the players and their matches: an event of 128 a day, each match in three to five games."""
    call_command("migrate", verbosity=0)
    chance = Random(14)
    names = [f"Player {number}" for number in range(players)]
    people = Player.objects.bulk_create(
        [Player(name=name, folded_name=name.lower(), created_at=BEGAN) for name in names], batch_size=1000
    )
    by_rows = min(matches, BY_ROWS)
    for number, size in enumerate(min(EVENT, by_rows - done) for done in range(0, by_rows, EVENT)):
        last = play_event(chance, [one.pk for one in chance.sample(people, FIELD)], number, size)[-1]
    for place in range(1, matches // by_rows):
        copy_matches(last, days=place * (by_rows // EVENT), shift=chance.randrange(players))


def play_event(chance: Random, people: list[int], number: int, size: int = EVENT) -> list[int]:
    """Store the matches of one event with their sheets, as bare rows; return their ids."""
    began = BEGAN + timedelta(days=number)
    pairs = [chance.sample(people, 2) for _each in range(size)]
    with transaction.atomic():
        matches = Match.objects.bulk_create(
            [Match(side_a_id=a, side_b_id=b, length=chance.choice([5, 7, 9]), created_at=began) for a, b in pairs]
        )
        moments = [began + timedelta(seconds=60 * place) for place in range(size)]
        common = {"number": 1, "state": "confirmed", "source": "desk", "key": "bench"}
        sheets = Scoresheet.objects.bulk_create(
            [Scoresheet(match=match, at=at, played_at=at, **common) for match, at in zip(matches, moments, strict=True)]
        )
        SheetChange.objects.bulk_create([SheetChange(sheet=sheet, state="confirmed", at=sheet.at) for sheet in sheets])
        lines = []
        for sheet, match in zip(sheets, matches, strict=True):
            winner = chance.choice("AB")
            games = [winner] * (match.length // 2) + ["A" if winner == "B" else "B"]
            games = [*chance.sample(games, len(games)), winner]
            lines += [
                GameLine(sheet=sheet, number=place, winner=side, cube=2, level=1, ending="drop")
                for place, side in enumerate(games, start=1)
            ]
        GameLine.objects.bulk_create(lines)
    return [match.pk for match in matches]


@contextmanager
def measured(times: list[tuple[float, float]]) -> Iterator[None]:
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    times.append((time.process_time() - cpu, time.perf_counter() - wall))


def report(what: str, act: Callable[[], object], *, before: Callable[[], object] = int, note: str = "") -> float:
    """Print the median of three runs; each is prepared by ``before``. Return its processor time in seconds."""
    times: list[tuple[float, float]] = []
    for _each in range(3):
        before()
        with measured(times):
            act()
    return tell(what, times, note)


def tell(what: str, times: list[tuple[float, float]], note: str = "") -> float:
    cpu, wall = (statistics.median(column) for column in zip(*times, strict=True))
    print(WORDS.format(what, f"{1000 * cpu:,.0f} ms", f"{1000 * wall:,.0f} ms", note), flush=True)
    return cpu


def prepare() -> None:
    """Bring a database that was kept to the newest tables, and count its matches if that has not been done."""
    call_command("migrate", verbosity=0)
    if not Counting.objects.exists():
        once: list[tuple[float, float]] = []
        with measured(once):
            now = datetime.now(UTC)
            start_again(at=now)
            rate_matches("fibs", at=now)
        tell("counted for the first time from every sheet, rated, stored", once)


def report_lists() -> None:
    chance, people = Random(15), list(Player.objects.values_list("pk", flat=True))
    number = count(Match.objects.count() // EVENT)
    now = datetime.now(UTC)
    once: list[tuple[float, float]] = []
    with measured(once):
        replay_ratings("fibs")
    whole = tell("the list computed whole, from every sheet (anchor)", once)
    rate_matches("fibs", at=now)

    def insert() -> None:
        with transaction.atomic():
            rows = [CountedMatch(match=-place, at=now, winner=1, loser=2, length=5) for place in range(1, EVENT + 1)]
            CountedMatch.objects.bulk_create(rows)
            CountedMatch.objects.filter(match__lt=0).delete()

    anchor = report(f"{EVENT} bare rows inserted and deleted (anchor)", insert)
    end = report(
        f"one more event of {EVENT} matches rated, list stored",
        lambda: rate_matches("fibs", at=datetime.now(UTC)),
        before=lambda: recount(play_event(chance, chance.sample(people, FIELD), next(number))),
    )
    print(f"{'':58} {end / anchor:.0f} x the bare rows, {whole / end:,.0f} times quicker than whole")
    report("asked again, nothing new", lambda: rate_matches("fibs", at=datetime.now(UTC)))
    total = Match.objects.count()
    for back in (1000, total // 10, total - 1):
        match = Match.objects.order_by("-pk")[back]
        report(
            f"a match {back:,} matches ago corrected, list stored",
            lambda: rate_matches("fibs", at=datetime.now(UTC)),
            before=lambda match=match: turn(match),
        )


def turn(match: Match) -> None:
    """Let the other side have won the match, and have it counted again."""
    sheet = match.sheets.get()
    sheet.final_a, sheet.final_b = (0, match.length) if sheet.final_a else (match.length, 0)
    sheet.save()
    recount([match.pk])


def report_moves() -> None:
    most = Match.objects.count() // EVENT
    for events in (1, 5, min(50, most)):
        last = Match.objects.order_by("-pk")[EVENT * events - 1].pk
        before = list(rated_matches(rateable_sheets().filter(match__gte=last, match__lt=last + EVENT)))
        first = before[EVENT // 4]
        turned = replace(first, result=RatedResult(first.result.loser, first.result.winner, first.result.length))
        after = [*before[: EVENT // 4], turned, *before[EVENT // 4 + 1 :]]
        report(f"preview of a correction {events} events ago: who moves", lambda b=before, a=after: moves_between(b, a))


def report_standings(results: int) -> None:
    """Print how long it takes from the commit of a result to stored standings, alone and beside a whole rating."""
    event = build_event(build_director(f"director-{time.time_ns()}"), players=FIELD, format="consolation", drawn=True)
    worker = subprocess.Popen([sys.executable, "-m", "config.serve", "worker"], stdin=subprocess.PIPE)
    try:
        wait_for_standings(event)
        tell_waits("standings of 128 players, alone", [wait_after_result(event) for _each in range(results)])
        now = datetime.now(UTC)
        start_again(at=now)
        began = time.perf_counter()
        rate.delay("fibs")
        waits = [wait_after_result(event) for _each in range(results)]
        goes_on = RankingList.objects.get(system="fibs").computed_at < now
        counted = "still counting" if not is_counted(find_counting()) else "counted"
        tell_waits("standings while a whole rating runs", waits)
        print(f"{'':58} rating {'goes on' if goes_on else 'was over'} ({counted})")
        while RankingList.objects.get(system="fibs").computed_at < now:
            time.sleep(0.1)
        print(f"{'whole rating by the worker, beside the results':58} {'':>9} {time.perf_counter() - began:,.0f} s")
        print(f"{'memory of the worker':58} {memory(worker.pid):,} MB")
    finally:
        worker.terminate()
        worker.wait(20)


def wait_for_standings(event: Event) -> None:
    while True:
        version = Event.objects.values_list("version", flat=True).get(pk=event.pk)
        if not Stage.objects.filter(event=event, drawn_at__isnull=False).exclude(standings_version=version).exists():
            return
        time.sleep(0.001)


def wait_after_result(event: Event) -> float:
    """Enter a result and wait for its standings; return the seconds from the commit to them."""
    match = open_matches(event)[0]
    now = datetime.now(UTC)
    enter_result(match, claim=claim(final=(match.length, 0), confirmed=True), by=None, at=now)
    began = time.perf_counter()
    wait_for_standings(event)
    waited = time.perf_counter() - began
    time.sleep(0.05)
    return waited


def tell_waits(what: str, waits: list[float]) -> None:
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    print(f"{what:58} p50 {1000 * cuts[49]:.0f} ms, p99 {1000 * cuts[98]:.0f} ms, worst {1000 * max(waits):.0f} ms")


def memory(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) // 1024
