"""A process of writers, each of which writes again and again until a moment; prints how long every write took."""

import json
import sys
import threading
import time

import django

django.setup()

# Everything below needs Django's settings.
from django.db import connection, transaction  # noqa: E402

from config.warm import settle  # noqa: E402


def main() -> None:
    threads, seconds, inside, outside = int(sys.argv[1]), *map(float, sys.argv[2:])
    took: list[list[float]] = [[] for _each in range(threads)]
    settle()
    print("ready", flush=True)
    sys.stdin.readline()  # all processes begin together
    until = time.time() + seconds
    writers = [threading.Thread(target=write, args=(found, until, inside, outside)) for found in took]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    print(json.dumps({"took": took, "processor": time.process_time()}))


def write(took: list[float], until: float, inside: float, outside: float) -> None:
    while time.time() < until:
        work(outside)
        began = time.perf_counter()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE players_club SET name = name")
            work(inside)
        took.append(time.perf_counter() - began)
    connection.close()


def work(seconds: float) -> None:
    """Keep the processor busy for so long, not counting what other threads do."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


if __name__ == "__main__":
    main()
