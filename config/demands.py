"""What is demanded of settings where others reach the site: secrets that nobody guesses, and proxies by name."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from itertools import pairwise

from django.core.exceptions import ImproperlyConfigured

from config.environment import env_list

Network = IPv4Network | IPv6Network

SHORTEST_SECRET, FEWEST_CHARACTERS = 32, 10
WELL_KNOWN = re.compile(
    r"change.?me|replace.?me|django-insecure|of-no-installation|secret.?key|password|example|your[-_ ]", re.IGNORECASE
)
"""What stands in keys that were copied from somewhere, such as from an example or from the Dockerfile."""
SPOKEN = frozenset(
    re.findall(
        "..",
        "agaialamanarasatbecechckcodeeaedeieleneresetfegehahehiicidieilinioisitlalelilllomamemmndnengnontofom"
        "onorourarerirosesisksttatethtitotrubunurusvewi",
    )
)
"""Pairs of letters that are frequent in our languages: a third of a sentence, and a twentieth of a random key."""


def read_networks(name: str, given: Sequence[str]) -> list[Network]:
    """Return the networks of these addresses, such as 10.0.0.2 or 172.16.0.0/12."""
    try:
        return [ip_network(one) for one in given]
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be addresses or networks, such as 10.0.0.2 or 172.16.0.0/12, not {', '.join(given)!r}."
        ) from None


def env_proxies(name: str, *, https: bool) -> list[str]:
    """Return the proxies that are believed; by default those on this machine, if there has to be one at all."""
    proxies = env_list(name, "127.0.0.1, ::1" if https else "")
    networks = read_networks(name, proxies)
    if any(network.prefixlen == 0 for network in networks):
        raise ImproperlyConfigured(f"{name} must name the proxies: with {', '.join(proxies)} everybody is believed.")
    if https and not proxies:
        raise ImproperlyConfigured(f"With HTTPS=1, {name} must name the proxy, such as 127.0.0.1.")
    return proxies


def require_strong(**given: str | Sequence[str]) -> None:
    """Raise ImproperlyConfigured if any of these settings has a secret that somebody can guess who tries for long."""
    for name, secrets_of in given.items():
        if any(is_weak(secret) for secret in ([secrets_of] if isinstance(secrets_of, str) else secrets_of)):
            raise ImproperlyConfigured(
                f"{name} is too weak: it must be random, of at least {SHORTEST_SECRET} characters. This prints one: "
                "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'."
            )


def is_weak(secret: str) -> bool:
    """Whether the secret is short, has few characters, repeats itself, counts up, is a sentence, or is copied."""
    pairs = list(pairwise(secret))
    in_order = sum(abs(ord(one) - ord(other)) <= 1 for one, other in pairs)
    return (
        len(secret) < SHORTEST_SECRET
        or len(set(secret)) < FEWEST_CHARACTERS
        or len(set(pairs)) < len(pairs) * 0.6
        or in_order > len(pairs) / 2
        or sum("".join(pair) in SPOKEN for pair in pairwise(secret.lower())) > len(pairs) * 0.34
        or WELL_KNOWN.search(secret) is not None
    )
