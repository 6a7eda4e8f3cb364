"""What an event file refers to: people, entrants, stages and pairings that it names must be in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.errors import gettext_noop
from tournament.interchange.faults import Fault, at, shown
from tournament.interchange.read import Document

Member = Mapping[str, Any]


def check_references(document: Document) -> Iterator[Fault]:
    """Check that whatever is named is there."""
    people = {person["id"] for person in document["people"]}
    for index, event in enumerate(document["events"]):
        yield from _check_event(event, at("", "events", index), people)
    for number, system in enumerate(document["ratings"]):
        for line, rating in enumerate(system["lines"]):
            place = at("", "ratings", number, "lines", line, "person")
            yield from _named(rating["person"], people, place)


def _named(value: object, known: set[Any], pointer: str) -> Iterator[Fault]:
    if value is not None and value not in known:
        yield Fault(
            "reference_unknown",
            pointer,
            gettext_noop("“%(value)s” names nothing in this file."),
            {"value": shown(value)},
        )


def _check_event(event: Member, pointer: str, people: set[str]) -> Iterator[Fault]:
    entrants = {entrant["number"] for entrant in event["entrants"]}
    stages = {stage["number"] for stage in event["stages"]}
    seeds: set[int] = set()
    for index, entrant in enumerate(event["entrants"]):
        place = at(pointer, "entrants", index)
        for number, person in enumerate(entrant["people"]):
            yield from _named(person, people, at(place, "people", number))
        if entrant["seed"] in seeds:
            yield Fault(
                "seed_taken",
                at(place, "seed"),
                gettext_noop("Seed %(seed)s belongs to another entrant too."),
                {"seed": entrant["seed"]},
            )
        seeds |= {entrant["seed"]} - {None}
    if [stage["number"] for stage in event["stages"]] != list(range(1, len(stages) + 1)):
        yield Fault(
            "stages_out_of_order", at(pointer, "stages"), gettext_noop("Stages are numbered 1, 2, 3 … in order.")
        )
    for index, prize in enumerate((event["money"] or {"prizes": ()})["prizes"]):
        yield from _named(prize["entrant"], entrants, at(pointer, "money", "prizes", index, "entrant"))
    yield from _check_draw(event["draw"], at(pointer, "draw"), stages)
    for index, stage in enumerate(event["stages"]):
        yield from _check_stage(stage, at(pointer, "stages", index), entrants, people)


def _check_draw(draw: Member, pointer: str, stages: set[int]) -> Iterator[Fault]:
    chains = {chain["number"] for chain in draw["chains"]}
    for index, urn in enumerate(draw["urns"]):
        yield from _named(urn["chain"], chains, at(pointer, "urns", index, "chain"))
        yield from _named(urn["stage"], stages, at(pointer, "urns", index, "stage"))


NAMED = {
    "moves": ("a", "b"),
    "challenges": ("challenger", "challenged"),
    "play_offs": ("winner", "loser"),
    "standings": ("entrant",),
}
"""The members that name an entrant, in the lists of a stage."""


def _check_stage(stage: Member, pointer: str, entrants: set[int], people: set[str]) -> Iterator[Fault]:
    for name, members in NAMED.items():
        for index, row in enumerate(stage[name]):
            for member in members:
                yield from _named(row[member], entrants, at(pointer, name, index, member))
    brackets = {bracket["id"] for bracket in stage["brackets"]}
    keys = {pairing["id"] for pairing in stage["pairings"]}
    for index, pairing in enumerate(stage["pairings"]):
        place = at(pointer, "pairings", index)
        yield from _named(pairing["bracket"], brackets, at(place, "bracket"))
        for side in ("a", "b", "winner"):
            yield from _named(pairing[side], entrants, at(place, side))
        for number, entrant in enumerate(pairing.get("extended_by", ())):
            yield from _named(entrant, entrants, at(place, "extended_by", number))
        for number, offer in enumerate(pairing.get("offers", ())):
            yield from _named(offer["entrant"], entrants, at(place, "offers", number, "entrant"))
        for target in ("winner_to", "loser_to"):
            yield from _named(pairing[target], keys, at(place, target))
        for side in ("a_from", "b_from"):
            kind, _colon, key = pairing[side].partition(":")
            if kind in ("winner", "loser"):
                yield from _named(key, keys, at(place, side))
        for number, match in enumerate(pairing["matches"]):
            inner = at(place, "matches", number)
            for side in ("a", "b"):
                for person, id in enumerate(match[side]):
                    yield from _named(id, people, at(inner, side, person))
            if match["advance"] is not None:
                yield from _named(match["advance"]["entrant"], entrants, at(inner, "advance", "entrant"))
