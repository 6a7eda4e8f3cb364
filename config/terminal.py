"""What the person at the terminal is told while the site starts, runs and stops."""

import socket
import sys

from django.conf import settings


class ServeError(Exception):
    """A problem that the person at the terminal can put right; the message says what it is."""


def say(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def say_where() -> None:
    """Print the addresses at which the site answers."""
    everywhere = settings.HOST in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    scheme = "https" if settings.TLS else "http"
    say(f"\nSixprime is running:   {scheme}://{'localhost' if everywhere else settings.HOST}:{settings.PORT}/")
    if everywhere and (address := lan_address()):
        say(f"Phones on this Wi-Fi:  {scheme}://{address}:{settings.PORT}/")
    say("Stop with Ctrl-C.")


def lan_address() -> str | None:
    """Return this machine's address on its network, or None if it has none. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address
