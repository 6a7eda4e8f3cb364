"""Recomputing a published list from its file alone, and naming everything that does not follow. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any

from players.lists.corrected import check_against, check_base, check_corrections, check_once
from players.lists.document import Made, canonical, commit, make_document, standing_as_json
from players.lists.read import BuildSystem, ListFault, ListFile, counted_in, facts_in, head_of
from players.lists.run import Order, Run, run_through
from players.lists.values import Counted, Head, ListFinding, Standing
from rules.errors import gettext_noop

MOST_FINDINGS = 20
MISSING = object()
"""What is compared where an object lacks a key: null is something else."""

Verify = Callable[[str, str, bytes], bool]
"""Whether a signature of these bytes was made with the key of this public half, both in hex."""


@dataclass(frozen=True, slots=True)
class ListReport:
    """What was found in a file. It holds if nothing is wrong."""

    head: Head | None
    matches: int
    findings: tuple[ListFinding, ...]

    @property
    def holds(self) -> bool:
        return not self.findings


def signed_text(digest: str) -> bytes:
    """Return the bytes that are signed for a document with this digest."""
    return f"sixprime list {digest}".encode()


def check_list(file: ListFile, *, verify: Verify, build: BuildSystem, earlier: ListFile | None = None) -> ListReport:
    """Compute the list of this file again, from its base, and return everything that differs.

    ``earlier`` is the file of the publication that it begins from, or of the one before it, if it is at hand.
    """
    findings = list(_seal(file, verify))
    made: Made | None = None
    head: Head | None = None
    try:
        head, system = head_of(file.document, build)
        facts = facts_in(file.document)
        pieces: list[bytes] = []
        made = make_document(head, system, counted_in(file.document), lambda _standings: facts, pieces.append)
        findings += _differences(file.document, b"".join(pieces))
        findings += _names(file, made)
        findings += _at_most(check_once(counted_in(file.document)))
        findings += _at_most(check_corrections(head, counted_in(file.document)))
        if earlier is not None:
            findings += _chain(head, file, earlier, build)
    except ListFault as fault:
        findings.append(ListFinding(fault.code, fault.template, fault.params))
    except Order as order:
        template = gettext_noop("Match %(match)s stands out of order.")
        findings.append(ListFinding("out_of_order", template, {"match": str(order)}))
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        template = gettext_noop("The list cannot be computed again: %(reason)s")
        findings.append(ListFinding("not_computable", template, {"reason": str(error)[:200]}))
    return ListReport(head, made.matches if made else 0, tuple(findings))


def standings_after(document: Mapping[str, Any], matches: Iterable[Counted], build: BuildSystem) -> dict[int, Standing]:
    """Return everybody's standing after all ``matches`` of the document. Raises ListFault."""
    head, system = head_of(document, build)
    run = Run(system, head.base.standings, head.starts, head.criteria.class_matches, head.engine)
    return run_through(run, matches)


def _seal(file: ListFile, verify: Verify) -> Iterator[ListFinding]:
    digest = sha256(canonical(file.document)).hexdigest()
    if digest != file.sha256:
        template = gettext_noop("The digest of the document is %(found)s, and the file says %(said)s.")
        yield ListFinding("digest_differs", template, {"found": digest, "said": file.sha256[:64]})
    if not verify(file.key, file.signature, signed_text(digest)):
        template = gettext_noop("The signature was not made for this document with this key.")
        yield ListFinding("signature_wrong", template)


def _differences(document: Mapping[str, Any], made: bytes) -> Iterator[ListFinding]:
    if canonical(document) == made:
        return
    again = json.loads(made)
    template = gettext_noop("%(place)s says %(said)s; computed again it is %(computed)s.")
    yield from _at_most(
        ListFinding("differs", template, {"place": place, "said": _short(said), "computed": _short(computed)})
        for place, said, computed in _walk(document, again, "/document")
    )


def _at_most(findings: Iterator[ListFinding]) -> Iterator[ListFinding]:
    """Yield the first of them, and that there are more."""
    yield from islice(findings, MOST_FINDINGS)
    if next(findings, None) is not None:
        yield ListFinding("more_differs", gettext_noop("More differs than is named here."))


def _walk(said: Any, computed: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(said, dict) and isinstance(computed, dict):
        for key in sorted({*said, *computed}):
            yield from _walk(said.get(key, MISSING), computed.get(key, MISSING), f"{place}/{_pointed(key)}")
    elif isinstance(said, list) and isinstance(computed, list):
        if len(said) != len(computed):
            yield place, f"{len(said)} ×", f"{len(computed)} ×"
        for number, (one, other) in enumerate(zip(said, computed, strict=False)):
            yield from _walk(one, other, f"{place}/{number}")
    elif type(said) is not type(computed) or said != computed:
        yield place, said, computed


def _pointed(key: str) -> str:
    """Return the key as a JSON pointer has it."""
    return key[:80].replace("~", "~0").replace("/", "~1")


def _short(value: object) -> str:
    if value is MISSING:
        return "–"
    return "null" if value is None else str(value)[:80]


def _names(file: ListFile, made: Made) -> Iterator[ListFinding]:
    commitments = {row[0]: row[4] for row in file.document["people"]}
    listed = {line.player for line in made.lines}
    for one in file.names:
        if one.player not in listed or commitments.get(one.player) != commit(one.salt, *one.words):
            template = gettext_noop("“%(name)s” is not the name that the list holds for player %(player)s.")
            yield ListFinding("name_differs", template, {"name": one.name[:80], "player": one.player})


def _chain(head: Head, file: ListFile, earlier: ListFile, build: BuildSystem) -> Iterator[ListFinding]:
    """Yield what does not follow from the earlier file, which is checked for itself."""
    number = earlier.document.get("number")
    if number not in (head.base.number, head.before.number):
        template = gettext_noop("The earlier file is number %(number)s; this list follows number %(before)s.")
        yield ListFinding("not_the_one_before", template, {"number": str(number), "before": head.before.number})
        return
    digest = sha256(canonical(earlier.document)).hexdigest()
    for which in (head.base, head.before):
        if which.number == number and which.sha256 != digest:
            template = gettext_noop("The list follows a number %(number)s with another digest.")
            yield ListFinding("chain_broken", template, {"number": str(number)})
            return
    if head.before.number == number:
        values = {line["player"]: line["value"] for line in earlier.document["lines"]}
        if values != dict(head.before.values):
            template = gettext_noop("The values of number %(number)s are not those that it published.")
            yield ListFinding("before_differs", template, {"number": str(number)})
    if head.base.number == number:
        yield from _base(head, earlier, build)
    check = check_base if head.base.number == number else check_against
    published = head_of(earlier.document, build)[0], counted_in(earlier.document)
    yield from _at_most(check(head, counted_in(file.document), *published))


def _base(head: Head, earlier: ListFile, build: BuildSystem) -> Iterator[ListFinding]:
    standings = standings_after(earlier.document, counted_in(earlier.document), build)
    after = [standing_as_json(player, one) for player, one in sorted(standings.items())]
    if after != [standing_as_json(player, one) for player, one in sorted(head.base.standings.items())]:
        template = gettext_noop("The list does not begin where number %(number)s ends.")
        yield ListFinding("base_differs", template, {"number": head.base.number})
