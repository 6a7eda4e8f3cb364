"""Somebody else acts while a request is on its way: before one of its queries, or before one of its transactions.

Both are on one connection, as what the other does is committed before the request goes on.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.http import HttpResponse


def before_query(number: int, act: Callable[[], object], do: Callable[[], HttpResponse]) -> HttpResponse | None:
    """The answer to a request before whose query of this number somebody else acts; None once it has the lock.

    It has the lock from its transaction on, as with SQLite: from then on nobody else can act.
    """
    seen, acted, is_locked = 0, False, False

    def act_before(execute: Callable, sql: str, *rest: Any) -> Any:
        nonlocal seen, acted, is_locked
        if not acted and not is_locked:
            seen += 1
            if seen == number:
                acted = True
                act()
            is_locked = not acted and sql.startswith("SAVEPOINT")
        return execute(sql, *rest)

    with connection.execute_wrapper(act_before):
        answer = do()
    return answer if acted else None


def before_transaction(number: int, act: Callable[[], object], do: Callable[[], HttpResponse]) -> HttpResponse | None:
    """The answer to a request before whose transaction of this number somebody else acts; None if it has fewer.

    Transactions within another are parts of it. This is the last moment at which anybody else can act.
    """
    begun, depth, acted = 0, 0, False

    def act_before(execute: Callable, sql: str, *rest: Any) -> Any:
        nonlocal begun, depth, acted
        if not acted and sql.startswith("SAVEPOINT"):
            begun += depth == 0
            depth += 1
            if begun == number:
                acted = True
                act()
        elif sql.startswith("RELEASE SAVEPOINT"):
            depth -= 1
        return execute(sql, *rest)

    with connection.execute_wrapper(act_before):
        answer = do()
    return answer if acted else None
