"""``python -m config.serve``: one command from an empty folder to a running site, until Ctrl-C.

This process starts the others and watches them (:mod:`config.watch`). Each does one part (:mod:`config.parts`), the
first of which prepares the data folder (:mod:`config.prepare`). Each is this module too, and ends by itself when this
process is gone, however it went.

``prepare`` does the first half alone, and ``healthy URL`` says by its exit code whether a process serves: for
containers, which have a watcher of their own.
"""

import signal
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.leftovers import end_leftovers, hold_lock
from config.parts import PARTS, prepare_data, run_part
from config.ports import open_port
from config.terminal import ServeError, say
from config.watch import STOP_SIGNALS, is_healthy, run_to_its_end, watch


def serve() -> None:
    """Prepare the data folder, then run every part until interrupted. Raises ServeError."""
    host = settings.HOST
    for number in STOP_SIGNALS:
        signal.signal(number, signal.default_int_handler)
    lock = hold_lock()
    if lock:
        end_leftovers()
    ports = {"page server": open_port("PORT", settings.PORT), "live stream": open_port("LIVE_PORT", settings.LIVE_PORT)}
    run_to_its_end("preparation")
    local = "127.0.0.1" if host == "0.0.0.0" else "[::1]" if host == "::" else host  # noqa: S104 - compared, not bound
    scheme = "https" if settings.TLS else "http"
    urls = {
        "page server": f"{scheme}://{local}:{settings.PORT}/healthz",
        "live stream": f"{scheme}://{local}:{settings.LIVE_PORT}/live/healthz",
    }
    watch(urls | {"worker": ""} if settings.WORKER else urls, ports)


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case []:
                serve()
            case ["prepare"]:
                prepare_data()
            case ["healthy", url]:
                return 0 if is_healthy(url) else 1
            case [name] if name in PARTS:
                run_part(name)
            case _:
                raise ServeError("python -m config.serve [prepare | healthy URL]")
    except KeyboardInterrupt:
        say("\nStopped.")
    except (ServeError, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
