"""The process that imports records: of an import, the whole of what its batches take, from an empty memory."""

import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import django

django.setup()

# Everything below needs Django's settings.
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from matches.import_records import batches, import_batch  # noqa: E402
from rules.records.formats import loads  # noqa: E402
from rules.records.replay import verify  # noqa: E402

OWN_RECORDS = Path(__file__).parents[1] / "tests" / "data" / "records"


def main() -> None:
    copies = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    files = list(renamed(copies))
    batched, at = list(batches(files)), timezone.now()
    began = time.process_time()
    done = [one for batch in batched for one in import_batch(batch, at=at)]
    took = time.process_time() - began
    began = time.process_time()
    for _name, data in files:
        verify(data)
    alone = time.process_time() - began
    verdicts = Counter("known" if one.known else str(one.record.verdict) for one in done)
    told = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    print(
        f"{len(files)} records in {len(batched)} batches ({told}): {len(files) / took:.0f} a second of processor;",
        end=" ",
    )
    print(f"read and replayed again without being stored: {len(files) / alone:.0f}", flush=True)


def renamed(copies: int) -> Iterator[tuple[str, bytes]]:
    """Yield the records in text of CORPUS_DIR, or our own, and copies of them in which other players played."""
    paths = sorted(Path(os.environ.get("CORPUS_DIR", OWN_RECORDS)).rglob("*.mat"))
    texts = [(path.name, path.read_bytes()) for path in paths]
    for copy in range(copies):
        for name, text in texts:
            players = sorted((player.encode() for player in loads(text).names if player), key=len, reverse=True)
            either = re.compile(b"|".join(map(re.escape, players)))
            yield name, either.sub(rb"\g<0> %d" % copy, text) if copy else text


if __name__ == "__main__":
    main()
