"""Checking the documents: each digest is that of its document, and the document says what was drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import sha256
from typing import Any

from rules.errors import gettext_noop
from tournament.formats.lots import LATE, QUALIFIERS
from tournament.proof.faults import FileFault
from tournament.proof.findings import WHOLE, Finding, Place, note, ok, wrong
from tournament.proof.node import parse
from tournament.proof.values import DrawFile, FileDraw, FileEntrant, FileUrn

SAME = ("seed", "club", "country", "family", "lives")
"""What the document says of an entry that never changes after the draw."""


def canonical(value: object) -> str:
    """Return the value as canonical JSON: keys sorted by code point, no spaces, nothing escaped without need."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def check_documents(file: DrawFile) -> Iterator[Finding]:
    """Check the document of every urn."""
    sound = 0
    for urn in file.urns:
        findings = list(_check_document(file, urn))
        yield from findings
        sound += not any(finding.verdict == "wrong" for finding in findings)
    if file.urns and sound == len(file.urns):
        yield ok(
            "documents_agree",
            WHOLE,
            gettext_noop("Digests that are those of their documents, which say what was drawn: %(count)s."),
            count=sound,
        )


def read_document(urn: FileUrn) -> Mapping[str, Any] | None:
    """Return the document of the urn; None if it is no JSON object in the canonical form."""
    try:
        value = parse(urn.document.encode()).value
    except FileFault:
        return None
    return value if isinstance(value, dict) and canonical(value) == urn.document else None


def entries_in(document: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """Return the entries of a document by number, leaving out what is none."""
    rows = document.get("entries")
    return {
        row["number"]: row
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and type(row.get("number")) is int
    }


def draw_of(file: DrawFile, urn: FileUrn) -> FileDraw | None:
    """Return the draw for which the urn was opened."""
    return next((draw for draw in file.draws if urn.place in draw.links), None)


def _check_document(file: DrawFile, urn: FileUrn) -> Iterator[Finding]:
    place = Place(link=urn.number)
    if sha256(urn.document.encode()).hexdigest() != urn.digest:
        yield wrong(
            "digest_wrong",
            place,
            gettext_noop("The digest of link %(number)s is not the SHA-256 hash of its document."),
            number=urn.number,
        )
        return
    document = read_document(urn)
    if document is None:
        yield wrong(
            "document_unreadable",
            place,
            gettext_noop("The document of link %(number)s is not JSON in the canonical form."),
            number=urn.number,
        )
        return
    draw = draw_of(file, urn)
    if draw is None or (draw.stage, draw.cancelled_at is None) != (urn.stage, urn.cancelled_at is None):
        yield wrong(
            "urn_without_draw",
            place,
            gettext_noop("Link %(number)s was opened for stage %(stage)s, but the file has no draw for it."),
            number=urn.number,
            stage=urn.stage,
        )
        return
    said = {
        "stage": urn.stage,
        "scope": urn.scope,
        "format": draw.format,
        "edition": draw.edition,
        "options": dict(draw.options),
    }
    for key, value in said.items():
        if canonical(document.get(key)) != canonical(value):
            yield wrong(
                "document_differs",
                place,
                gettext_noop("The document of link %(number)s has another value for “%(key)s” than the draw."),
                number=urn.number,
                key=key,
            )
    for key, name in (("event", file.name),):
        if document.get(key) != name:
            yield note(
                "renamed",
                place,
                gettext_noop("When link %(number)s was opened, the event was called “%(name)s”."),
                number=urn.number,
                name=str(document.get(key))[:80],
            )
    if urn.scope != QUALIFIERS:
        late = {other.scope for other in file.urns if other.place in draw.links and other.scope.startswith(LATE)}
        yield from _check_entries(urn, document, entrants_at(draw, urn.scope), late)


def entrants_at(draw: FileDraw, scope: str) -> Sequence[FileEntrant]:
    """Return the entrants of the step at which the urn of this scope was used, or else of the first."""
    wanted = next((step.round for step in draw.steps if step.round and scope == f"round {step.round}"), None)
    entrants: Sequence[FileEntrant] = ()
    for step in draw.steps:
        if step.entrants is not None:
            entrants = step.entrants
        if wanted is None or step.round == wanted:
            break
    return entrants


def _check_entries(
    urn: FileUrn, document: Mapping[str, Any], entrants: Sequence[FileEntrant], late_scopes: Set[str]
) -> Iterator[Finding]:
    """Compare the entries. One that took a bye late and is gone is named by the check of late entries."""
    closed = entries_in(document)
    drawn = {entrant.number: entrant for entrant in entrants}
    place = Place(link=urn.number)
    for number in sorted(closed.keys() - drawn.keys()):
        if closed[number].get("bye_taken") and f"{LATE}{number}" in late_scopes:
            continue
        yield wrong(
            "entry_left_out",
            place,
            gettext_noop("Entry %(entry)s is in the document of link %(number)s, but was not drawn."),
            entry=number,
            number=urn.number,
        )
    for number in sorted(closed.keys() & drawn.keys()):
        row, entrant = closed[number], drawn[number]
        for key in SAME if urn.scope.startswith(LATE) else (*SAME, "bye_taken"):
            if canonical(row.get(key)) != canonical(getattr(entrant, key)):
                yield wrong(
                    "entry_differs",
                    place,
                    gettext_noop("Entry %(entry)s was drawn with another “%(key)s” than the document has."),
                    entry=number,
                    key=key,
                )
        if row.get("name") != entrant.name:
            yield note(
                "entry_renamed",
                place,
                gettext_noop("Entry %(entry)s was called “%(name)s” when it was drawn."),
                entry=number,
                name=str(row.get("name"))[:80],
            )
    late = sorted(drawn.keys() - closed.keys())
    if late:
        yield note(
            "entered_later",
            place,
            gettext_noop("Entered after link %(number)s was opened: %(entries)s."),
            number=urn.number,
            entries=", ".join(map(str, late[:40])),
        )
