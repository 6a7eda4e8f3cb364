"""``python -m tests.shell NAME``: loads a site's program once, and runs in copies of itself what a test wants of it.

It listens at the name among Linux's abstract sockets, and ends with its standard input. What it is sent there runs as
``manage.py shell --command`` runs it; it answers with the exit code and with what was printed, as JSON.
"""

import gc
import io
import json
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout

WAITING = 64
"""How many may wait for an answer, or to be heard."""


def main(name: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django  # noqa: PLC0415 - it needs the settings

    django.setup()
    from django.urls import get_resolver  # noqa: PLC0415 - it needs the apps

    get_resolver().url_patterns  # noqa: B018 - imports every view
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no copy is waited for
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0{name}")
        listening.listen(WAITING)
        print("ready", flush=True)  # noqa: T201 - for the one that has started it
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
            asking, _address = listening.accept()
            with asking:
                if os.fork() == 0:
                    listening.close()
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    answer(asking)
                    os._exit(0)


def answer(asking: socket.socket) -> None:
    """Run the code that is sent, and send back the exit code and the output; nothing if it has killed the process."""
    with asking.makefile("rb") as sent:
        code = sent.read().decode()
    printed, told = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(told):
            run(code)
        found = 0, printed.getvalue()
    except BaseException:  # the test is told of it
        found = 1, printed.getvalue() + told.getvalue() + traceback.format_exc()
    asking.sendall(json.dumps(found).encode())


def run(code: str) -> None:
    from django.core.management import call_command  # noqa: PLC0415 - it needs the settings
    from django.db import connections  # noqa: PLC0415 - it needs the settings

    call_command("shell", verbosity=0, command=code)
    connections.close_all()


if __name__ == "__main__":
    main(sys.argv[1])
