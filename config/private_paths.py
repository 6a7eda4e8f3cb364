"""Addresses as a log may show them: what opens somebody's page for whoever has it is left out."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

SECRETS = frozenset({"token", "key", "uidb36", "uidb64"})
"""What the secret parts of our addresses are called in the URL configuration."""

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:\[[^\]]*\]|[^()])*\)")
ANY_PART = "[^/]+"


def without_secrets(path: str) -> str:
    """Return the path with ``…`` for every secret part, also where no page has the whole address."""
    for before in _before_secrets():
        if found := before.match(path):
            secret, slash, rest = path[found.end() :].partition("/")
            if not secret:
                return path
            return f"{found[0]}…{slash}{rest}"
    return path


def routes(patterns: Iterable[Any], before: str = "") -> Iterator[str]:
    """Yield every route of the URL configuration, whole, as it is written there."""
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def names_in(route: str) -> list[str]:
    """Return the names of the route's parameters, in order."""
    return [plain or regular for plain, regular in PARAMETER.findall(route)]


@cache
def _before_secrets() -> list[re.Pattern[str]]:
    """Return what stands before a secret part, for every kind of address that has one."""
    from django.urls import get_resolver  # noqa: PLC0415 - loggers are set up before the apps

    found = set()
    for route in routes(get_resolver().url_patterns):
        for parameter in PARAMETER.finditer(route):
            if (parameter[1] or parameter[2]) in SECRETS:
                begun = route[: route.rfind("/", 0, parameter.start()) + 1]  # the whole part of the path is secret
                literal = [re.escape(text) for text in PARAMETER.sub("\0", begun).split("\0")]
                found.add("/" + ANY_PART.join(literal))
                break
    return [re.compile(before) for before in sorted(found, key=len, reverse=True)]
