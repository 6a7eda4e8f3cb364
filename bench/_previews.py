"""One event in this process, with previews of random corrections while it is played, beside bare transactions."""

import argparse
import json
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import django

django.setup()

# Everything below needs Django's settings.
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench._bare import BareTransaction  # noqa: E402
from bench._terms import EVENTS  # noqa: E402
from matches.models import Match, Scoresheet  # noqa: E402
from players.errors import Refusal  # noqa: E402
from players.models import User  # noqa: E402
from tests.builders import AT, build_director, build_event, build_money_terms, claim, open_matches, random_games  # noqa: E402
from tests.tournament.corrections.by_undoing import preview_by_undoing  # noqa: E402
from tournament.corrections.changes import Correction, EnterResult, VoidResult  # noqa: E402
from tournament.corrections.preview import preview_correction  # noqa: E402
from tournament.draw.make import make_draw  # noqa: E402
from tournament.models import Event  # noqa: E402
from tournament.money.services import set_money  # noqa: E402
from tournament.prizes import PayoutPlan, PrizeTable, Share  # noqa: E402
from tournament.results.enter import submit_result  # noqa: E402

Preview = Callable[[Event, Correction], object]

EVERY = 4
"""How many results are entered between two previews."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("players", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--undone", action="store_true")
    options = parser.parse_args()
    call_command("migrate", interactive=False, verbosity=0)
    director = build_director()
    bare = BareTransaction(director)
    event = build_event(director, players=options.players, seed="", drawn=False, **EVENTS["Championship"])
    shares = (
        Share("", 7_000, PrizeTable("template", "knockout")),
        Share("C", 2_000, PrizeTable("template", "knockout")),
        Share("L", 1_000, PrizeTable("template", "winner")),
    )
    money = build_money_terms(fee=12_000, registration_fee=2_500, payouts=PayoutPlan(shares))
    set_money(event, money, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    previewed = preview_by_undoing if options.undone else preview_correction
    print(json.dumps(play(event, director, bare, Random(options.seed), previewed)))


def play(
    event: Event, director: User, bare: BareTransaction, random: Random, previewed: Preview
) -> dict[str, list[float]]:
    """Play the event to its end, game by game or by final scores; return the seconds that each preview took."""
    took: dict[str, list[float]] = {"processor": [], "wall": [], "bare": []}
    count = 0
    while left := open_matches(event):
        random.shuffle(left)
        for match in left[:16]:
            enter(match, random, director)
            count += 1
            if count % EVERY == 0:
                preview(event, correction(event, random, director), took, previewed)
                took["bare"].append(bare.seconds())
    return took


def enter(match: Match, random: Random, director: User) -> None:
    if random.random() < 0.5:
        said = claim(games=random_games(match.length, random), confirmed=True)
    else:
        said = claim(final=random.choice([(match.length, 0), (0, match.length)]))
    submit_result(match, claim=said, may_repair=True, by=director, at=timezone.now())


def correction(event: Event, random: Random, director: User) -> Correction:
    """Return a correction of any result so far: the other wins, the points were others, or it is taken back."""
    decided = Scoresheet.objects.filter(match__fixture__stage__event=event, state="confirmed").select_related("match")
    sheet = random.choice(list(decided.order_by("pk")))
    match, who = sheet.match, {"by": director, "at": timezone.now()}
    if random.random() < 0.1:
        return VoidResult(match, sheet.number, "Never played.", **who)
    final = random.choice([(match.length, 1), (1, match.length)])
    return EnterResult(match, claim(final=final, base=sheet.number), **who)


def preview(event: Event, change: Correction, took: dict[str, list[float]], previewed: Preview) -> None:
    began, processor = time.perf_counter(), time.process_time()
    with suppress(Refusal):
        previewed(event, change)
    took["processor"].append(time.process_time() - processor)
    took["wall"].append(time.perf_counter() - began)


if __name__ == "__main__":
    main()
