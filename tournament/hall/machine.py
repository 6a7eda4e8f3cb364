"""The machine that the program runs on: which addresses are its own."""

import socket

from django.conf import settings

from tournament.hall.addresses import is_local

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


def lan_address() -> str | None:
    """Return this machine's address on its network, or None if it has none. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def site_on_lan(scheme: str) -> str:
    """Return the address of the site for others on this machine's network; empty if they cannot reach it."""
    found = lan_address() if settings.HOST in EVERYWHERE else ""
    return f"{scheme}://{found}:{settings.PORT}" if found else ""


def is_own_host(name: str, port: int | None) -> bool:
    """Whether the host, as a browser names it, can only be this machine, or the one on which the browser runs."""
    if is_local(f"http://{f'[{name}]' if ':' in name else name}"):
        return True
    own = socket.gethostname().lower()
    if port not in (None, 80, 443, settings.PORT):
        return False
    return name.lower().rstrip(".") in (own, f"{own}.local") or _is_of_interface(name)


def _is_of_interface(name: str) -> bool:
    """Whether the name is an address of this machine, to which a socket can therefore be bound."""
    family = socket.AF_INET6 if ":" in name else socket.AF_INET
    try:
        socket.inet_pton(family, name)
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((name, 0))
    except OSError:
        return False
    return True
