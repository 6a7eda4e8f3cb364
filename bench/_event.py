"""One event played to its end in this process: the processor time of each result, beside that of bare transactions."""

import argparse
import json
import time
import uuid
from random import Random

import django

django.setup()

# Everything below needs Django's settings.
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402
from rest_framework.test import APIClient  # noqa: E402

from bench._bare import BareTransaction  # noqa: E402
from bench._terms import EVENTS  # noqa: E402
from config.warm import warm  # noqa: E402
from matches.models import Match  # noqa: E402
from players.models import User  # noqa: E402
from tests.builders import build_director, build_event, build_key, claim, open_matches  # noqa: E402
from tournament.models import Event, Fixture  # noqa: E402
from tournament.results.enter import submit_result  # noqa: E402

BATCH = 16
"""How many results are entered before the open matches are read again."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("players", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("most", type=int)
    options = parser.parse_args()
    call_command("migrate", interactive=False, verbosity=0)
    director = build_director()
    bare = BareTransaction(director)
    event = build_event(director, players=options.players, seed="", **EVENTS["Championship"])
    warm()
    print(json.dumps(play(event, director, bare, Random(options.seed), options.most)))


def play(event: Event, director: User, bare: BareTransaction, random: Random, most: int) -> dict[str, list[float]]:
    """Enter results in random order, by the service and by the API in turn; return the seconds that each took."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {build_key(director)}")
    took: dict[str, list[float]] = {"service": [], "request": [], "bare": []}
    count = 0
    while (left := open_matches(event)) and count < most:
        random.shuffle(left)
        for match in left[:BATCH]:
            final = [match.length, random.randrange(match.length)]
            random.shuffle(final)
            if count % 2:
                took["request"].append(by_request(client, match, final))
            else:
                took["service"].append(by_service(match, (final[0], final[1]), director))
            if count % 4 == 0:
                took["bare"].append(bare.seconds())
            count += 1
    return took | {"fixtures": [Fixture.objects.filter(stage__event=event).count()]}


def by_service(match: Match, final: tuple[int, int], director: User) -> float:
    claimed = claim(final=final)
    began = time.process_time()
    submit_result(match, claim=claimed, may_repair=True, by=director, at=timezone.now())
    return time.process_time() - began


def by_request(client: APIClient, match: Match, final: list[int]) -> float:
    body = {"key": uuid.uuid4().hex, "base": 0, "final": final}
    began = time.process_time()
    answer = client.post(f"/api/v1/matches/{match.pk}/result/", body, format="json")
    took = time.process_time() - began
    if answer.status_code != 201:
        raise AssertionError(f"{answer.status_code} {answer.content[:300]!r}")
    return took


if __name__ == "__main__":
    main()
