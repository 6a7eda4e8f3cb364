"""One record, one use: whoever imports, accepts or attaches a record holds its match until the transaction ends."""

from collections.abc import Iterable
from hashlib import sha256

from django.db import connection

from players.services import fold_name


def hold_matches(identities: Iterable[str], names: Iterable[str] = ()) -> None:
    """Let nobody else import, accept or attach a record of these matches, nor make players of these names by one.

    It waits for those who do, so ask the database afterwards what is there already. It lasts until the end of the
    transaction, and a transaction calls it once: all are held in one order, so that no two wait for each other. On
    SQLite nobody else writes in a transaction that writes.
    """
    if connection.vendor != "postgresql":
        return
    held = {*identities, *(f"name {fold_name(name)}" for name in names)}
    digests = [sha256(one.encode("utf-8", "surrogatepass")).digest() for one in held]
    keys = sorted(int.from_bytes(digest[:8], signed=True) for digest in digests)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(key) FROM unnest(%s::bigint[]) AS key", [keys])
