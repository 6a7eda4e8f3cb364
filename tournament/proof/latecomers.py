"""Checking the byes of late entries: each took the one whose lot came first among those that were free."""

from __future__ import annotations

from collections.abc import Iterator

from rules.errors import gettext_noop
from tournament.formats.lots import LATE, pairing_name
from tournament.proof.documents import draw_of, read_document
from tournament.proof.findings import Finding, Place, note, ok
from tournament.proof.values import DrawFile, FileDraw, FileUrn


def check_latecomers(file: DrawFile) -> Iterator[Finding]:
    """Draw the bye of every late entry once more, and name lots drawn for entries that are gone."""
    for urn in file.urns:
        draw = draw_of(file, urn)
        if draw is not None and urn.scope.startswith(LATE):
            yield from _check_urn(urn, draw)


def _check_urn(urn: FileUrn, draw: FileDraw) -> Iterator[Finding]:
    place = Place(link=urn.number)
    entry = urn.scope.removeprefix(LATE)[:20]
    params: dict[str, str | int] = {"number": urn.number, "entry": entry}
    fields = [step.entrants for step in draw.steps if step.entrants is not None]
    taken = {str(one.number): one.bye_taken for one in fields[-1]} if fields else {}
    bye = taken.get(entry, 0)
    if not bye:
        yield note(
            "late_lot_unused",
            place,
            gettext_noop("Link %(number)s was opened for late entry %(entry)s, who is not in the draw: ask why."),
            **params,
        )
        return
    byes = (read_document(urn) or {}).get("byes")
    if not isinstance(byes, list) or not byes or any(type(one) is not int for one in byes):
        return
    drawn = min(byes, key=lambda one: urn.urn.lot(pairing_name(one)))
    if drawn == bye:
        yield ok(
            "late_bye_agrees", place, gettext_noop("Late entry %(entry)s took the bye that the lots gave."), **params
        )
    else:
        yield note(
            "late_bye_other",
            place,
            gettext_noop(
                "Late entry %(entry)s has the bye of pairing %(bye)s, not that of pairing %(drawn)s, which link "
                "%(number)s gave first: ask whether the entry was taken out in between."
            ),
            bye=bye,
            drawn=drawn,
            **params,
        )
