"""A knockout bracket as an SVG drawing: rounds are columns, every match is a link."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from xml.sax.saxutils import escape, quoteattr

BOX_WIDTH = 224
LINE_HEIGHT = 22
BOX_HEIGHT = 2 * LINE_HEIGHT
SLOT_HEIGHT = 72
COLUMN_WIDTH = 260
MARGIN = 12
HEADING_HEIGHT = 52
SCORE_WIDTH = 34
NAME_CELLS = 20

NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class SeatState(StrEnum):
    """What became of a side; the class ``is-...`` of its line."""

    WINNER = "winner"
    LOSER = "loser"
    LIVE = "live"
    PENDING = "pending"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """One side of a match as it is shown: a name, or in words who will sit here, and the score if there is one."""

    name: str
    score: str
    state: SeatState


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match of the bracket; ``round`` and ``number`` count from 1 as in a ``Pairing``.

    ``url`` is where the match links to, empty for none. ``state`` is one word, the class ``is-...`` of the match.
    """

    key: str
    round: int
    number: int
    length: int
    a: BracketSeat
    b: BracketSeat
    url: str
    state: str


@dataclass(frozen=True, slots=True)
class BracketLabels:
    """The words of the drawing, in the reader's language; ``rounds`` and ``lengths`` have one for each round."""

    title: str
    description: str
    rounds: tuple[str, ...]
    lengths: tuple[str, ...]


def draw_bracket(matches: Sequence[BracketMatch], labels: BracketLabels, *, dom_id: str = "bracket") -> str:
    """An SVG element with every match once, to be put into a page as it is: all texts are escaped.

    It has no scripts and no styles; ``currentColor`` and presentation attributes make it readable, and these classes
    can be styled: ``bracket-svg``, ``heading``, ``length``, ``feed``, ``match`` with ``is-<state>``, ``box``, ``key``,
    ``seat`` with ``is-<SeatState>``, ``name``, ``score``. Ids inside begin with ``dom_id``. With links it is a group
    with a name, so that a screen reader finds them; without any it is one image.

    Raises ValueError if ``labels`` has not one heading and one length for each round.
    """
    rounds = max((match.round for match in matches), default=0)
    if not len(labels.rounds) == len(labels.lengths) == rounds:
        raise ValueError(f"{rounds} rounds need as many headings and lengths")
    drawn = sorted(matches, key=lambda match: (match.round, match.number))
    return "".join(_svg(drawn, rounds, labels, dom_id))


def clip_name(name: str, cells: int = NAME_CELLS) -> str:
    """``name``, cut with an ellipsis where it is wider than ``cells``; a wide East Asian character takes two."""
    if sum(map(_cells, name)) <= cells:
        return name
    kept = ""
    room = cells - 1
    for character in name:
        room -= _cells(character)
        if room < 0:
            break
        kept += character
    return kept.rstrip() + "…"


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _text(value: str) -> str:
    return escape(NOT_IN_XML.sub("\ufffd", value))


def _attribute(value: str) -> str:
    return quoteattr(NOT_IN_XML.sub("\ufffd", value))


def _left(round: int) -> int:
    return MARGIN + (round - 1) * COLUMN_WIDTH


def _middle(round: int, number: int) -> int:
    """The height of the line between the two sides: half way between the two matches that feed this one."""
    return HEADING_HEIGHT + (2 * number - 1) * (SLOT_HEIGHT << (round - 1)) // 2


def _svg(matches: Sequence[BracketMatch], rounds: int, labels: BracketLabels, dom_id: str) -> Iterator[str]:
    width = 2 * MARGIN + rounds * COLUMN_WIDTH - (COLUMN_WIDTH - BOX_WIDTH)
    height = HEADING_HEIGHT + (SLOT_HEIGHT << (rounds - 1)) + MARGIN if rounds else HEADING_HEIGHT
    role = "group" if any(match.url for match in matches) else "img"
    title, description, clip = (f"{dom_id}-{part}" for part in ("title", "description", "clip"))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bracket-svg" role="{role}" '
        f"aria-labelledby={_attribute(title)} aria-describedby={_attribute(description)} "
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="inherit" font-size="13" fill="currentColor">'
        f"<title id={_attribute(title)}>{_text(labels.title)}</title>"
        f"<desc id={_attribute(description)}>{_text(labels.description)}</desc>"
        f"<clipPath id={_attribute(clip)}>"
        f'<rect width="{BOX_WIDTH - SCORE_WIDTH}" height="{BOX_HEIGHT}"/></clipPath>'
    )
    yield from _headings(labels)
    yield from (_feeds(match) for match in matches if match.round > 1)
    yield from (_match(match, f"url(#{clip})") for match in matches)
    yield "</svg>"


def _headings(labels: BracketLabels) -> Iterator[str]:
    for round, (heading, length) in enumerate(zip(labels.rounds, labels.lengths, strict=True), start=1):
        left = _left(round)
        yield f'<text class="heading" x="{left}" y="20" font-weight="bold">{_text(heading)}</text>'
        yield f'<text class="length" x="{left}" y="38" font-size="12">{_text(length)}</text>'


def _feeds(match: BracketMatch) -> str:
    left = _left(match.round)
    start, bend = left - COLUMN_WIDTH + BOX_WIDTH, left - (COLUMN_WIDTH - BOX_WIDTH) // 2
    upper, lower = (_middle(match.round - 1, number) for number in (2 * match.number - 1, 2 * match.number))
    lines = f"M{start} {upper}H{bend}V{lower}H{start}M{bend} {_middle(match.round, match.number)}H{left}"
    return f'<path class="feed" d="{lines}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>'


def _match(match: BracketMatch, clip: str) -> str:
    left, top = _left(match.round), _middle(match.round, match.number) - LINE_HEIGHT
    a, b = (f"{seat.name} {seat.score}".strip() for seat in (match.a, match.b))
    tag, link = ("a", f" href={_attribute(match.url)}") if match.url else ("g", "")
    return (
        f"<{tag}{link} class={_attribute(f'match is-{match.state}')} data-key={_attribute(match.key)} "
        f"aria-label={_attribute(f'{match.key}: {a} – {b}')} "
        f'transform="translate({left} {top})">'
        f'<rect class="box" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4" fill="currentColor" fill-opacity="0.06" '
        f'stroke="currentColor" stroke-opacity="0.4"/>'
        f'<path class="divider" d="M0 {LINE_HEIGHT}H{BOX_WIDTH}" stroke="currentColor" stroke-opacity="0.25"/>'
        f'<text class="key" y="-4" font-size="10" fill-opacity="0.75">{_text(match.key)}</text>'
        f"{_seat(match.a, 0, clip)}{_seat(match.b, LINE_HEIGHT, clip)}"
        f"</{tag}>"
    )


def _seat(seat: BracketSeat, top: int, clip: str) -> str:
    baseline = top + 16
    weight = ' font-weight="bold"' if seat.state is SeatState.WINNER else ""
    score = (
        f'<text class="score" x="{BOX_WIDTH - 8}" y="{baseline}" text-anchor="end">{_text(seat.score)}</text>'
        if seat.score
        else ""
    )
    return (
        f'<g class="seat is-{seat.state}"{weight}><title>{_text(seat.name)}</title>'
        f'<g clip-path={_attribute(clip)}><text class="name" x="8" y="{baseline}">{_text(clip_name(seat.name))}</text>'
        f"</g>{score}</g>"
    )
