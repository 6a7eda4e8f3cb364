"""The ports of the site. The watcher opens each once, and every process that serves there takes connections from it.

So nobody is refused while a process is exchanged: a connection is taken by another one, or waits for the next. Where
systemd holds the ports (``script/sixprime.socket``), that is true of the watcher itself too: connections wait while the
whole program is started again.
"""

import os
import socket

from django.conf import settings

from config.terminal import ServeError

BACKLOG = 4096
HANDED = "SIXPRIME_LISTENS"
"""In the environment of a part: the number of the open port that it was handed."""


def open_port(name: str, port: int) -> socket.socket:
    """Listen on the port. Raises ServeError, which names the setting, if somebody else does."""
    if (held := _held_by_systemd(port)) is not None:
        return held
    listener = socket.socket(socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.HOST, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ServeError(
            f"Port {port} on {settings.HOST} cannot be used ({error.strerror}). Another server may be running: "
            f"stop it, or choose another port, for instance {name}={port + 10}."
        ) from None
    return listener


def _held_by_systemd(port: int) -> socket.socket | None:
    """Return the port if it is one of those that systemd has handed to this process, which begin with number 3."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    for number in range(3, 3 + int(os.environ["LISTEN_FDS"])):
        held = socket.socket(fileno=number)
        if held.getsockname()[1] == port:
            return held
        held.detach()
    return None


def handed_port() -> int:
    """Return the number of the open port that this process was handed."""
    return int(os.environ[HANDED])
