"""How much of a draw file a web page checks while the visitor waits; the command line checks any file."""

from __future__ import annotations

from rules.errors import gettext_noop
from tournament.proof.faults import FileFault
from tournament.proof.values import DrawFile

MOST_BYTES_OF_A_PAGE = 8 * 1024 * 1024

MOST_WORK = 20_000
"""The most entrants in all steps together: a Swiss of 512 in nine rounds has 4608."""

MOST_ROUNDS = 4
"""The most rounds of drand: to verify a signature takes a quarter of a second."""


def refuse_long_work(file: DrawFile) -> None:
    """Raise FileFault (``draw_file_too_long``) for a file that would keep a web page busy for too long."""
    work = 0
    for draw in file.draws:
        entrants = 0
        for step in draw.steps:
            entrants = entrants if step.entrants is None else len(step.entrants)
            work += entrants
    rounds = sum(public.source == "drand" and bool(public.value) for public in file.public)
    if work > MOST_WORK or rounds > MOST_ROUNDS:
        raise FileFault(
            "draw_file_too_long",
            gettext_noop("This file takes too long to check on a web page: check it with manage.py redraw FILE."),
        )
