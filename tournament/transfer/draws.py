"""The draws of an event file made again: pairings, standings and hashes compared with what follows from the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from players.errors import Refusal
from tournament.draw.chain import Chain
from tournament.draw.document import canonical, digest_of
from tournament.draw.written import draw_with, urn_of
from tournament.formats import FORMATS
from tournament.formats.lots import DRAW, QUALIFIERS, next_link
from tournament.formats.plan import Pairing, seated
from tournament.interchange.faults import Fault, at, shown
from tournament.interchange.sheets import differing
from tournament.models import Stage
from tournament.proof.drand import CHAIN
from tournament.proof.findings import Verdict
from tournament.proof.plans import BROKEN
from tournament.proof.publics import check_public_values, check_signatures
from tournament.proof.values import DrawFile, FilePublicValue
from tournament.transfer.brackets import brackets_of
from tournament.transfer.export import standings_of
from tournament.transfer.ids import Json
from tournament.transfer.prizes import money_of
from tournament.transfer.rows import EventRows


def check_draws(rows: EventRows, pointer: str) -> Iterator[Fault]:
    """Check the lots of the event, and each stage that has been drawn against its plan."""
    yield from _check_urns(rows.source["draw"], at(pointer, "draw"))
    chain = rows.chain()
    yield from _check_public_values(rows, chain, at(pointer, "draw", "closings"))
    numbers = {entry.pk: number for number, entry in rows.entries.items()}
    for index, source in enumerate(rows.source["stages"]):
        place = at(pointer, "stages", index)
        stage = rows.stages[source["number"]]
        if stage.drawn_at is None:
            if source["pairings"]:
                yield Fault(
                    "pairings_before_draw",
                    at(place, "pairings"),
                    gettext_noop("A stage has no pairings before its draw."),
                )
            continue
        try:
            yield from _check_stage(chain, stage, source, numbers, place)
        except Refusal as refusal:
            yield _missing_lots(chain, stage, place) or refused(refusal, place)
            return
        except BROKEN:
            yield Fault("plan_impossible", place, gettext_noop("No draw can be made from what the file has here."))
            return
    if rows.money is not None:
        expected = money_of(chain, rows.money, numbers)
        yield from differing(rows.source["money"], expected or {}, at(pointer, "money"))


def _missing_lots(chain: Chain, stage: Stage, pointer: str) -> Fault | None:
    """Return the fault of a file that lacks lots which the draw of the stage needs."""
    scopes = sorted({scope for number, scope in chain.lots.closed if number == stage.number})
    if stage.seed or not scopes:
        return None
    return Fault(
        "urn_missing",
        pointer,
        gettext_noop("The file has no lots for %(scopes)s, which this draw needs."),
        {"scopes": ", ".join(scopes)},
    )


def refused(refusal: Refusal, pointer: str) -> Fault:
    """Return what a service refuses as a fault at this place."""
    return Fault(refusal.code, pointer, str(refusal).replace("%", "%%"))


def _check_urns(draw: Json, pointer: str) -> Iterator[Fault]:
    """Check that each link gives the one before it, and that each hash is that of its document."""
    before = {chain["number"]: chain["anchor"] for chain in draw["chains"]}
    last = dict.fromkeys(before, 0)
    for index, urn in enumerate(draw["urns"]):
        place = at(pointer, "urns", index)
        if urn["number"] != last[urn["chain"]] + 1:
            yield Fault("link_left_out", at(place, "number"), gettext_noop("The links of a chain are used in order."))
        if next_link(urn["link"]) != before[urn["chain"]]:
            yield Fault(
                "link_wrong", at(place, "link"), gettext_noop("The hash of the link is not the link before it.")
            )
        if digest_of(urn["document"]) != urn["entries_hash"]:
            yield Fault(
                "digest_of_document_wrong",
                at(place, "entries_hash"),
                gettext_noop("The hash is not the SHA-256 hash of the document."),
            )
        last[urn["chain"]], before[urn["chain"]] = urn["number"], urn["link"]


def _check_public_values(rows: EventRows, chain: Chain, pointer: str) -> Iterator[Fault]:
    """Check what each public value is made of, as the check of a draw file does."""
    try:
        file = DrawFile(
            tournament="",
            event="",
            name="",
            chains=(),
            public=tuple(_public_value(one) for one in rows.source["draw"]["closings"]),
            urns=tuple(urn_of(urn) for urn in chain.lots.urns),
            draws=tuple(draw_with(chain, stage, ()) for stage in chain.stages if stage.drawn_at is not None),
        )
        findings = [*check_public_values(file), *check_signatures(file)]
    except BROKEN:
        yield Fault(
            "closings_unreadable",
            pointer,
            gettext_noop("Closings cannot be checked: a document is not JSON."),
        )
        return
    for finding in findings:
        if finding.verdict is Verdict.WRONG:
            yield Fault(finding.code, pointer, finding.template, finding.params)


def _public_value(one: Json) -> FilePublicValue:
    return FilePublicValue(
        **{name: one[name] for name in ("number", "stage", "source", "closed_at", "value", "known_at", "voided_at")},
        **{name: one[name] for name in ("void_reason", "dice", "first", "second", "by_link", "drand_round")},
        digest=one["entries_hash"],
        words=tuple(sorted((word["number"], word["word"]) for word in one["words"])),
        drand_chain=CHAIN if one["drand_round"] else "",
        signature=one["signature"],
    )


def _check_stage(chain: Chain, stage: Stage, source: Json, numbers: Mapping[int, int], pointer: str) -> Iterator[Fault]:
    if chain.waits(stage):
        return
    planned = chain.at(stage)
    plan = planned.plan
    if (missing := _missing_lots(chain, stage, pointer)) is not None:
        yield missing
        return
    yield from _check_hash(chain, stage, pointer)
    brackets = brackets_of(pairing.bracket for pairing in sorted(plan.pairings, key=_order))
    yield from differing(source, {"brackets": brackets}, pointer)
    by_round = FORMATS[stage.format].pairs_by_round
    if not by_round:
        yield from differing(source, {"notes": [reason.as_dict() for reason in plan.notes]}, pointer)
    pairings = {pairing.key: pairing for pairing in plan.pairings}
    published = {pairing["id"]: index for index, pairing in enumerate(source["pairings"])}
    for key in plan.stale:
        if key in published:
            place = at(pointer, "pairings", published[key])
            yield Fault(
                "result_of_others", place, gettext_noop("The result is of other entrants than those who meet here.")
            )
    for key in sorted(pairings.keys() - published.keys()):
        yield Fault(
            "pairing_missing",
            at(pointer, "pairings"),
            gettext_noop("The pairing “%(key)s”, which the draw gives, is missing."),
            {"key": key},
        )
    for key, index in published.items():
        place = at(pointer, "pairings", index)
        if key not in pairings:
            yield Fault("pairing_not_drawn", place, gettext_noop("The draw gives no pairing “%(key)s”."), {"key": key})
            continue
        expected = _planned(pairings[key], numbers)
        if key in planned.keys_that_stand:
            del expected["why"]
        yield from differing(source["pairings"][index], expected, place)
    yield from _check_standings(chain, stage, source, numbers, pointer)


def _order(pairing: Pairing) -> tuple[str, int, int]:
    """Return where a file has the pairing: fixtures are read in this order."""
    return pairing.bracket, pairing.round, pairing.number


def _planned(pairing: Pairing, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "bracket": pairing.bracket,
        "round": pairing.round,
        "number": pairing.number,
        "length": pairing.length,
        "a": numbers.get(seated(pairing.a) or 0),
        "b": numbers.get(seated(pairing.b) or 0),
        "a_from": pairing.feed_a,
        "b_from": pairing.feed_b,
        "why": pairing.why.as_dict(),
    }


def _check_hash(chain: Chain, stage: Stage, pointer: str) -> Iterator[Fault]:
    """Check that the hash published with the draw is that of the document of its first urn."""
    first = next((urn for urn in chain.lots.standing(stage) if urn.scope != QUALIFIERS), None)
    if stage.seed:
        return
    if first is None:
        yield Fault(
            "urn_missing",
            pointer,
            gettext_noop("The file has no lots for %(scopes)s, which this draw needs."),
            {"scopes": DRAW},
        )
        return
    try:
        document = json.loads(first.document)
        committed = digest_of(canonical({**document, "scope": DRAW}))
    except (ValueError, TypeError, RecursionError):
        committed = ""
    if committed != stage.draw_hash:
        yield Fault(
            "draw_hash_wrong",
            at(pointer, "draw_hash"),
            gettext_noop("The hash of the draw is not that of the document with which it was drawn."),
        )


def _check_standings(
    chain: Chain, stage: Stage, source: Json, numbers: Mapping[int, int], pointer: str
) -> Iterator[Fault]:
    expected = standings_of(chain, stage, numbers)
    stored = source["standings"]
    if stored and [_place(line) for line in stored] != [_place(line) for line in expected]:
        yield Fault(
            "standings_differ",
            at(pointer, "standings"),
            gettext_noop("The results give another order of the standings; it begins with entrant %(entrants)s."),
            {"entrants": shown(", ".join(str(line["entrant"]) for line in expected[:8]))},
        )
        return
    for index, (line, computed) in enumerate(zip(stored, expected, strict=False)):
        yield from differing(line, computed, at(pointer, "standings", index))


def _place(line: Json) -> tuple[str, int]:
    return line["section"], line["entrant"]
