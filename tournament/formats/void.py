"""Void pairings, to which neither side came: nobody comes out of them, and both go out in that round."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import groupby

from rules.errors import gettext_noop
from tournament.formats.advance import Run
from tournament.formats.plan import Placing, Reason


def neither_came(key: str) -> Reason:
    """Return the reason for the place of both sides of a void pairing."""
    return Reason(
        "neither_came",
        gettext_noop("Neither side came to %(key)s; all who go out in that round share these places."),
        (("key", key),),
    )


def voided(run: Run) -> dict[int, str]:
    """Return the entrants who went out in a void pairing, with its key."""
    if not run.void:
        return {}
    return {
        entrant: run.graph.nodes[track.node].key
        for tracks in run.tracks.values()
        for entrant, track in tracks.items()
        if track.is_void
    }


def close_up(run: Run, brackets: Collection[str], placings: Iterable[Placing]) -> tuple[Placing, ...]:
    """Return the placings as 1, 2, 3 ... once these brackets are decided; those who share a place still do.

    Two go out in a void pairing, and nobody comes out of it to take a place further up.
    """
    ordered = sorted(placings, key=lambda placing: (placing.place, placing.place_to, placing.entrant))
    if not run.void or not _are_decided(run, brackets):
        return tuple(ordered)
    closed: list[Placing] = []
    for _places, sharing in groupby(ordered, key=lambda placing: (placing.place, placing.place_to)):
        alike = list(sharing)
        best, worst = len(closed) + 1, len(closed) + len(alike)
        closed += [replace(placing, place=best, place_to=worst) for placing in alike]
    return tuple(closed)


def _are_decided(run: Run, brackets: Collection[str]) -> bool:
    nodes = zip(run.graph.nodes, run.winners, strict=True)
    return all(winner is not None for node, winner in nodes if node.bracket in brackets)
