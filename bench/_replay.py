"""A long history replayed: beside a plain loop, as a whole list, as publications; and the pages that show it."""

import math
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from random import Random

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench._federation import WORDS, measured, report, tell
from config.warm import warm
from matches.counted import Checkpoint, CountedMatch
from matches.lists.counting import EveryRatedMatch
from matches.lists.draft import cut_on, draft_next
from matches.lists.publish import publish
from matches.ratings import rate_matches
from players.lists.make import make_list
from players.lists.models import OfficialList
from players.lists.values import Criteria
from players.models import Player, RankingList
from players.ratings import RatedResult, build_system

Line = list[float]
"""Rating, experience, matches and wins."""


def plain_fibs(results: Sequence[RatedResult]) -> dict[int, Line]:
    """The list by FIBS as a loop that does nothing else."""
    lines: dict[int, Line] = {}
    for result in results:
        length = result.length
        winner = lines.setdefault(result.winner, [1500.0, 0, 0, 0])
        loser = lines.setdefault(result.loser, [1500.0, 0, 0, 0])
        odds = 10.0 ** (-abs(winner[0] - loser[0]) * math.sqrt(length) / 2000)
        upset = odds / (1 + odds)
        stake = 4 * math.sqrt(length) * (1 - upset if winner[0] < loser[0] else upset)
        winner[0] += stake * max(1.0, 5 - winner[1] / 100)
        loser[0] -= stake * max(1.0, 5 - loser[1] / 100)
        _count(winner, loser, length)
    return lines


def plain_dbf(results: Sequence[RatedResult]) -> dict[int, Line]:
    """The list of the Danish federation as a loop that does nothing else."""
    lines: dict[int, Line] = {}
    for result in results:
        length = result.length
        winner = lines.setdefault(result.winner, [1000.0, 0, 0, 0])
        loser = lines.setdefault(result.loser, [1000.0, 0, 0, 0])
        odds = 10.0 ** (-abs(winner[0] - loser[0]) * math.sqrt(length) / 2000)
        upset = odds / (1 + odds)
        stake = length * (1 - upset if winner[0] < loser[0] else upset)
        winner[0] += stake
        loser[0] -= stake
        _count(winner, loser, length)
    return lines


def _count(winner: Line, loser: Line, length: int) -> None:
    winner[1] += length
    winner[2] += 1
    winner[3] += 1
    loser[1] += length
    loser[2] += 1


PLAIN: dict[str, Callable[[Sequence[RatedResult]], dict[int, Line]]] = {"fibs": plain_fibs, "dbf": plain_dbf}


def report_replay() -> None:
    """Print what a replay costs beside a plain loop over the same list, and the whole list with reads and writes."""
    at = datetime.now(UTC)
    before = peak()
    whole: list[tuple[float, float]] = []
    for _each in range(3):
        Checkpoint.objects.all().delete()
        RankingList.objects.all().delete()
        with measured(whole):
            rate_matches("fibs", at=at)
    grown = peak() - before
    rows = CountedMatch.objects.order_by("at", "match").values_list("winner", "loser", "length")
    results = [RatedResult(*row) for row in rows.iterator()]
    loops = {}
    for kind, plain in PLAIN.items():
        system = build_system(kind, {})
        rated = {who: [one.value, one.experience, one.matches, one.wins] for who, one in system.rate(results).items()}
        if rated != plain(results):
            raise SystemExit(f"The replay by {kind} is not the list of the plain loop.")
        loops[kind] = report(f"{kind}: a plain loop over a list in memory (anchor)", lambda plain=plain: plain(results))
        pure = report(f"{kind}: the same list replayed", lambda system=system: system.rate(results))
        print(f"{'':58} {pure / loops[kind]:.2f} x the loop (goal: at most 1.5)")
    cost = tell("the whole list, read from the database and stored", whole)
    print(f"{'':58} {cost / loops['fibs']:.2f} x the loop (goal: at most 3), {grown} MB more memory at its most")


def report_publications() -> None:
    """Print what the first publication of all matches costs, and the next with a month more."""
    end = CountedMatch.objects.order_by("at").values_list("at", flat=True)[CountedMatch.objects.count() - 1].date()
    month = end - timedelta(days=30)
    OfficialList.objects.filter(slug="bench").delete()
    official_list = make_list(
        name="Bench",
        federation=None,
        kind="fibs",
        parameters={},
        criteria=Criteria(),
        by=None,
        at=datetime.now(UTC),
    )
    for what, day in (("the first publication", month), ("the next, a month of matches more", end)):
        once: list[tuple[float, float]] = []
        before = peak()
        with measured(once):
            made = _publish(official_list, day)
        tell(f"{what}, signed and stored", once, f"{made:,} matches, {peak() - before} MB more memory at its most")


def _publish(official_list: OfficialList, day: date) -> int:
    cut, at = cut_on(day, matches_until=day, members_on=day), datetime.now(UTC) + timedelta(days=10_000)
    draft = draft_next(official_list, cut, at=at, source=EveryRatedMatch())
    made = publish(official_list, cut, digest=draft.made.sha256, source=EveryRatedMatch(), by=None, at=at)
    return made.matches


def report_pages(times: int = 200) -> None:
    """Print how long pages take that show the list, its players, and those found by a name."""
    call_command("collectstatic", interactive=False, verbosity=0)
    warm()
    chance, client = Random(16), Client(HTTP_HOST="localhost", HTTP_ACCEPT_LANGUAGE="en")
    people = list(Player.objects.order_by("pk").values_list("pk", flat=True))
    pages = max(1, len(people) // 100)
    kinds = {
        "ranking": lambda: f"/ranking/fibs/?page={chance.randint(1, pages)}",
        "a name in the ranking": lambda: f"/ranking/fibs/?q=player+{chance.randint(0, len(people))}",
        "player": lambda: f"/players/{chance.choice(people)}/",
        "players found by a name": lambda: f"/players/?q=player+{chance.randint(0, len(people))}",
        "official list": lambda: f"/lists/bench/?page={chance.randint(1, pages)}",
        "player of an official list": lambda: f"/lists/bench/players/{chance.choice(people)}/",
    }
    for what, address in kinds.items():
        took, queries = [], set()
        client.get(address())
        for _each in range(times):
            path = address()
            with CaptureQueriesContext(connection) as captured:
                began = time.perf_counter()
                answer = client.get(path)
                took.append(time.perf_counter() - began)
            if answer.status_code != HTTPStatus.OK:
                raise SystemExit(f"{path} answered {answer.status_code}.")
            queries.add(len(captured))
        cuts = statistics.quantiles(took, n=100, method="inclusive")
        asked = f"{min(queries)} to {max(queries)} queries"
        print(
            WORDS.format(f"page: {what}", f"p50 {1000 * cuts[49]:.0f}", f"p99 {1000 * cuts[98]:.0f}", asked), flush=True
        )


def peak() -> int:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
