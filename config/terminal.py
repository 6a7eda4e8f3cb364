"""What the person at the terminal is told while the site starts, runs and stops."""

import gettext
import logging
import os
import sys
from collections.abc import Callable

from django.conf import settings

from config.logs import JSONFormatter
from players.spoken import spoken
from tournament.hall.machine import lan_address


class ServeError(Exception):
    """A problem that the person at the terminal can put right; the message says what it is."""


def say(text: str = "", *, level: str = "INFO") -> None:
    """Write the text for the person at the terminal, or as an object of the log for the program that collects it."""
    line = text
    if settings.LOG_FORMAT == "JSON":
        if not text.strip():
            return
        told = {"name": "config.terminal", "levelname": level, "msg": "%s", "args": (" ".join(text.split()),)}
        line = JSONFormatter().format(logging.makeLogRecord(told))
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def words() -> Callable[[str], str]:
    """Return what translates for the person at the terminal. It needs no Django, whose applications are not loaded."""
    language = spoken(os.environ, dict(settings.LANGUAGES))
    return gettext.translation("django", settings.LOCALE_PATHS[0], [language], fallback=True).gettext


def say_where() -> None:
    """Print the addresses at which the site answers."""
    everywhere = settings.HOST in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    scheme = "https" if settings.TLS else "http"
    _ = words()
    here = f"{scheme}://{'localhost' if everywhere else settings.HOST}:{settings.PORT}"
    where = f"{settings.SITE_ADDRESS or here}/"
    running, phones = _("Sixprime is running:"), _("Phones on this Wi-Fi:")
    say(f"\n{running:<22} {where}")
    if everywhere and (address := lan_address()):
        say(f"{phones:<22} {scheme}://{address}:{settings.PORT}/")
    say(_("Stop with Ctrl-C."))
