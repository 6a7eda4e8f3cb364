"""Writing a draw file: the JSON that :func:`tournament.proof.read.read_draw_file` reads back."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tournament.proof.values import VERSION, DrawFile, FileDraw, FileEarlier, FileResult, FileStep


def write_draw_file(file: DrawFile) -> bytes:
    """Write the file as JSON in UTF-8 with a line feed at its end; the same file always has the same bytes."""
    return (json.dumps(file_as_json(file), ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def file_as_json(file: DrawFile) -> dict[str, object]:
    """Return the file as a JSON object."""
    return {
        "sixprime_draw_file": VERSION,
        "tournament": file.tournament,
        "event": file.event,
        "name": file.name,
        "chains": [_fields(chain) for chain in file.chains],
        "public": [_fields(public) for public in file.public],
        "urns": [_fields(urn) for urn in file.urns],
        "draws": [draw_as_json(draw) for draw in file.draws],
    }


def draw_as_json(draw: FileDraw) -> dict[str, object]:
    """Return a draw as a JSON object."""
    return {
        "stage": draw.stage,
        "format": draw.format,
        "edition": draw.edition,
        "options": dict(draw.options),
        "seed": draw.seed,
        "drawn_at": draw.drawn_at,
        "cancelled_at": draw.cancelled_at,
        "links": [list(link) for link in draw.links],
        "steps": [step_as_json(step) for step in draw.steps],
        "moves": [_fields(move) for move in draw.moves],
    }


def step_as_json(step: FileStep) -> dict[str, object]:
    """Return a step as a JSON object."""
    return {
        "at": step.at,
        "round": step.round,
        "entrants": None if step.entrants is None else [_fields(entrant) for entrant in step.entrants],
        "results": [
            [result.key, result.winner, result.loser, result.is_void, *_flags(result)] for result in step.results
        ],
        "earlier": [[match.winner, match.loser, *_flags(match)] for match in step.earlier],
        "earlier_byes": [list(pair) for pair in step.earlier_byes],
        "pairings": [_fields(pairing) for pairing in step.pairings],
        **({"challenges": [list(one) for one in step.challenges]} if step.challenges else {}),
        **({"paired_at": step.paired_at} if step.paired_at else {}),
    }


def _flags(row: FileResult | FileEarlier) -> tuple[bool, ...]:
    """Return whether the match is drawn and who has a second win; nothing for most matches, which have a winner."""
    flags = row.is_drawn, row.winner_rated, row.loser_rated
    return flags if any(flags) else ()


def _fields(row: object) -> Mapping[str, object]:
    names = type(row).__slots__  # type: ignore[attr-defined]
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: object) -> object:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
