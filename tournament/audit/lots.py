"""The chain of links and the urns opened with them: each follows from what was public before it."""

import json
from collections.abc import Iterator

from matches.audit import Difference
from tournament.audit.audited import Audited
from tournament.draw.closings import closings_of
from tournament.draw.document import canonical, digest_of
from tournament.draw.secret import OPEN_NONCE
from tournament.draw.written import draw_with, public_value, urn_of
from tournament.formats.lots import DRAW, QUALIFIERS, next_link
from tournament.models import DrawChain, OpenUrn
from tournament.proof.findings import Verdict
from tournament.proof.publics import check_public_values
from tournament.proof.values import DrawFile


def check_lots(audited: Audited) -> Iterator[Difference]:
    """Check that each link leads to the anchor, each digest is of its document, and each urn of the draw is open."""
    lots, stage = audited.chain.lots, audited.stage
    if stage.number == 1:
        if not lots.chains:
            yield Difference("lots", audited.place, "chain", "none", "one, begun with the event")
        for chain in lots.chains:
            yield from _check_links(audited, chain)
            yield from _check_nonce(audited, chain)
        yield from _check_closings(audited)
        yield from _check_dice(audited)
        yield from _check_times(audited)
    standing = lots.standing(stage)
    if stage.drawn_at is None:
        for urn in standing:
            yield Difference("lots", f"{audited.place} {urn.scope}", "urn", "open", "not drawn yet")
        return
    if not stage.seed:
        yield from _check_draw(audited)


def _check_links(audited: Audited, chain: DrawChain) -> Iterator[Difference]:
    before, number = chain.anchor, 0
    urns = OpenUrn.objects.filter(chain=chain).order_by("number")
    for urn in urns:
        place, number = f"{audited.place} link {urn.number}", number + 1
        if urn.number != number:
            yield Difference("lots", place, "number of the link", str(urn.number), str(number))
        if next_link(urn.link) != before:
            yield Difference("lots", place, "hash of the link", next_link(urn.link), before)
        if digest_of(urn.document) != urn.digest:
            yield Difference("lots", place, "digest", urn.digest, digest_of(urn.document))
        before = urn.link


def _check_nonce(audited: Audited, chain: DrawChain) -> Iterator[Difference]:
    """Check that no other event has links that follow from the same nonce: it would reveal those of this one."""
    same = DrawChain.objects.filter(nonce=chain.nonce).exclude(event=audited.event)
    if not chain.nonce.startswith(OPEN_NONCE) and same.exists():
        yield Difference("lots", audited.place, "chain", "that of another event too", "one of its own")


def _check_closings(audited: Audited) -> Iterator[Difference]:
    """Check what the public values are made of, and that each urn has that of its closing and its document."""
    event, chain = audited.event, audited.chain
    urns = OpenUrn.objects.filter(chain__event=event).select_related("chain", "stage")
    file = DrawFile(
        tournament="",
        event="",
        name="",
        chains=(),
        public=tuple(public_value(closing) for closing in closings_of(event)),
        urns=tuple(urn_of(urn) for urn in urns.order_by("chain__number", "number")),
        draws=tuple(draw_with(chain, stage, ()) for stage in chain.stages if stage.drawn_at is not None),
    )
    for finding in check_public_values(file):
        if finding.verdict is Verdict.WRONG:
            place = " ".join([audited.place, *([str(finding.place)] if str(finding.place) else [])])
            yield Difference("lots", place, "public value", finding.message, "that of the closing")


def _check_dice(audited: Audited) -> Iterator[Difference]:
    """Check who typed in the dice of each closing against the log, and that nobody repeated their own."""
    rows = audited.event.log.filter(verb__in=("type_dice", "repeat_dice")).order_by("id")
    said = {(row.verb, row.detail["closing"]): row.actor_id for row in rows}
    for closing in audited.event.closings.exclude(dice="").order_by("number"):
        place = f"{audited.place} closing {closing.number}"
        first, second = (said.get((verb, closing.number)) for verb in ("type_dice", "repeat_dice"))
        if closing.dice_by_id != first:
            yield Difference("lots", place, "first person", f"user {closing.dice_by_id}", f"user {first}")
        if second is not None and second == first:
            yield Difference("lots", place, "second person", f"user {second}", "another user than the first")


def _check_times(audited: Audited) -> Iterator[Difference]:
    """Check that each link was opened at a step of the log, and those of a draw when it was made."""
    log = audited.event.log
    steps = set(log.values_list("at", flat=True))
    drawn = {
        (urn["chain"], urn["number"]): row.at
        for row in log.filter(verb="make_draw").order_by("id")
        for urn in row.detail.get("urns", ())
    }
    imported = {
        (urn["chain"], urn["number"])
        for row in log.filter(verb="import_event").order_by("id")
        for urn in row.detail.get("urns", ())
    }
    for urn in OpenUrn.objects.filter(chain__event=audited.event).select_related("chain").defer("document"):
        if (urn.chain.number, urn.number) in imported:
            continue
        told = drawn.get((urn.chain.number, urn.number))
        if urn.opened_at not in steps or told not in (None, urn.opened_at):
            place = f"{audited.place} link {urn.number}"
            yield Difference("lots", place, "opened at", str(urn.opened_at), str(told or "the time of a step"))


def _check_draw(audited: Audited) -> Iterator[Difference]:
    """Check the urns of the drawn stage against its plan, and the hash of its draw against the document."""
    lots, stage = audited.chain.lots, audited.stage
    audited.pairings()
    missed = {scope for number, scope in lots.closed if number == stage.number}
    for scope in sorted(missed or ({DRAW} if not lots.standing(stage) else set())):
        yield Difference("lots", f"{audited.place} {scope}", "urn", "missing", "open")
    first = next((urn for urn in lots.standing(stage) if urn.scope != QUALIFIERS), None)
    if first is not None:
        document = canonical({**json.loads(first.document), "scope": DRAW})
        if digest_of(document) != stage.draw_hash:
            yield Difference("lots", audited.place, "hash of the draw", stage.draw_hash, digest_of(document))
