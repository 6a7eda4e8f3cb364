"""The process that imports mutated event files into an empty database, and looks at what is stored after each."""

import json
import sys
import time
from collections import Counter
from random import Random

import django

django.setup()

# Everything below needs Django's settings.
from django.apps import apps  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402

from players.errors import Refusal  # noqa: E402
from rules.score import Side  # noqa: E402
from tests.builders import AT, build_director, build_event, build_money_terms, open_matches, play_out, win  # noqa: E402
from tests.fresh import forget_everything  # noqa: E402
from tests.tournament.transfer.mutations import mutated, resolves, signed  # noqa: E402
from tests.tournament.transfer.round_trip import exported  # noqa: E402
from tournament.formats import FORMATS  # noqa: E402
from tournament.models import Event  # noqa: E402
from tournament.money.services import set_money  # noqa: E402
from tournament.transfer.load import import_event_file  # noqa: E402

SLOWEST_SECONDS = 2.0
"""How long any file may take to be judged at most."""

MODELS = [model for model in apps.get_models() if model._meta.app_label in ("tournament", "matches", "players")]


class TakenBack(Exception):  # noqa: N818
    """Undoes an import that was made."""


def main() -> None:
    files, seed = int(sys.argv[1]), sys.argv[2]
    documents = event_files()
    each = -(-files // len(documents))
    wrong: list[str] = []
    codes: Counter[str] = Counter()
    print(f"{'format':22}{'files':>8}{'refused':>9}{'imported':>10}{'wrong':>7}{'a second':>10}{'slowest ms':>12}")
    for name, document in documents.items():
        wrong += report(name, document, each, Random(f"{seed}:{name}"), codes)
    print(f"\n{sum(codes.values()):,} refused for {len(codes)} reasons.")
    print("\n".join(["", "WRONG", *wrong[:20]]) if wrong else "Nothing was stored of any of them.")
    sys.exit(1 if wrong else 0)


def report(name: str, document: dict, count: int, random: Random, codes: Counter[str]) -> list[str]:
    wrong: list[str] = []
    before, slowest, refused, began = stored(), 0.0, 0, time.perf_counter()
    for _file in range(count):
        changed = mutated(document, random)
        started = time.perf_counter()
        try:
            with transaction.atomic():
                import_event_file(signed(changed), by=None, at=AT)
                raise TakenBack
        except TakenBack:
            forget_everything()
        except Refusal as refusal:
            refused += 1
            codes[refusal.code] += 1
            if not str(refusal) or not resolves(changed, refusal.field or ""):
                wrong.append(f"{name}: {refusal.code} at {refusal.field!r}: {refusal}")
        except Exception as error:
            wrong.append(f"{name}: {error!r}")
        slowest = max(slowest, time.perf_counter() - started)
    if slowest > SLOWEST_SECONDS:
        wrong.append(f"{name}: {slowest:.1f} s for one file")
    if stored() != before:
        wrong.append(f"{name}: something was stored")
    rate = count / (time.perf_counter() - began)
    told = f"{count:8,}{refused:9,}{count - refused:10,}{len(wrong):7,}{rate:10,.0f}{1000 * slowest:12,.0f}"
    print(f"{name:22}{told}", flush=True)
    return wrong


def stored() -> list[int]:
    """Return how many rows there are of every model."""
    return [model._base_manager.count() for model in MODELS]


def event_files() -> dict[str, dict]:
    """Return the file of an event of each format, in play, one of them with fees and prizes; then delete the events."""
    call_command("migrate", verbosity=0)
    made = {}
    with transaction.atomic():
        director = build_director()
        for slug in FORMATS:
            event = build_event(director, players=max(6, FORMATS[slug].min_entrants), format=slug, name=slug, seed="")
            if slug == "consolation":
                set_money(event, build_money_terms(), by=director, at=AT)
                play_out(event)
            for match in open_matches(event)[:2]:
                win(match, Side.A, by=director)
            made[slug] = json.loads(exported(Event.objects.get(pk=event.pk)))
        transaction.set_rollback(True)
    forget_everything()
    return made


if __name__ == "__main__":
    main()
