"""A knockout bracket as an SVG drawing: rounds are columns, every match is a link."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
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
ORIGIN_CELLS = 34

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
    ``sources`` are the keys of the matches of this drawing whose winners, or losers, sit at A and B; empty where the
    side comes from the draw or from another bracket, which its ``origin`` then names ("loser of M2-3").
    """

    key: str
    round: int
    number: int
    length: int
    a: BracketSeat
    b: BracketSeat
    url: str
    state: str
    sources: tuple[str, str] = ("", "")
    origins: tuple[str, str] = ("", "")


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


def place_matches(matches: Sequence[BracketMatch]) -> dict[str, int]:
    """The height of each match by key, in units of half a slot: half way between those that feed it.

    A match that none feeds has a slot of its own, in the order in which the bracket runs from its last matches back;
    one that a single match feeds stands level with it. Where a match feeds two, as in a group of four its winners' and
    its losers' match, the second does not count it. No two of a round stand closer than a slot, and lines cross only
    where a match feeds two.
    """
    by_key = {match.key: match for match in matches}
    feeding = {source for match in matches for source in match.sources if source}
    leads_to: dict[str, str] = {}
    heights: dict[str, int] = {}
    slots = 0

    def place(match: BracketMatch) -> int:
        nonlocal slots
        mine = [source for source in match.sources if source and leads_to.setdefault(source, match.key) == match.key]
        sources = [by_key[source] for source in mine if source in by_key]
        above = [heights[source.key] if source.key in heights else place(source) for source in sources]
        if not above:
            slots += 1
        heights[match.key] = (above[0] + above[-1]) // 2 if above else 2 * slots - 1
        return heights[match.key]

    for match in sorted(matches, key=lambda match: (-match.round, match.number)):
        if match.key not in feeding:
            place(match)
    return heights


def split_bracket(matches: Sequence[BracketMatch], slots: int) -> list[list[BracketMatch]]:
    """The drawing in parts of at most ``slots`` places at the edge each, where that can be: for pages of paper.

    The first parts are whole subtrees in their order, the last begins with the matches that these end in and goes on to
    the end. A drawing that fits is one part.
    """
    by_key = {match.key: match for match in matches}

    def subtree(match: BracketMatch) -> list[BracketMatch]:
        inside = [by_key[source] for source in match.sources if source in by_key]
        return [each for source in inside for each in subtree(source)] + [match]

    def edge(part: Sequence[BracketMatch]) -> int:
        return sum(not any(source in by_key for source in match.sources) for match in part)

    if edge(matches) <= slots:
        return [list(matches)]
    trees: dict[int, list[list[BracketMatch]]] = {}
    for round in sorted({match.round for match in matches}):
        ends = sorted((match for match in matches if match.round == round), key=lambda match: match.number)
        trees[round] = [subtree(match) for match in ends]
    fitting = [round for round, parts in trees.items() if max(map(edge, parts)) <= slots]
    last = max(fitting[:-1] if len(fitting) == len(trees) else fitting)
    parts: list[list[BracketMatch]] = [[]]
    for tree in trees[last]:
        if parts[-1] and edge(parts[-1]) + edge(tree) > slots:
            parts.append([])
        parts[-1].extend(tree)
    shown = {match.key for part in parts for match in part}
    rest = [match for match in matches if match.round >= last or match.key not in shown]
    return [*parts, rest]


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


def _svg(matches: Sequence[BracketMatch], rounds: int, labels: BracketLabels, dom_id: str) -> Iterator[str]:
    width = 2 * MARGIN + rounds * COLUMN_WIDTH - (COLUMN_WIDTH - BOX_WIDTH)
    # Between the two sides of each match.
    middles = {key: HEADING_HEIGHT + place * SLOT_HEIGHT // 2 for key, place in place_matches(matches).items()}
    height = max(middles.values(), default=HEADING_HEIGHT) + SLOT_HEIGHT // 2 + MARGIN
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
    columns = {match.key: match.round for match in matches}
    yield from (feed for match in matches for feed in _feeds(match, columns, middles))
    yield from (_match(match, middles[match.key], f"url(#{clip})") for match in matches)
    yield "</svg>"


def _headings(labels: BracketLabels) -> Iterator[str]:
    for round, (heading, length) in enumerate(zip(labels.rounds, labels.lengths, strict=True), start=1):
        left = _left(round)
        yield f'<text class="heading" x="{left}" y="20" font-weight="bold">{_text(heading)}</text>'
        yield f'<text class="length" x="{left}" y="38" font-size="12">{_text(length)}</text>'


def _feeds(match: BracketMatch, columns: Mapping[str, int], middles: Mapping[str, int]) -> Iterator[str]:
    sources = [source for source in match.sources if source and source in columns]
    if not sources:
        return
    left, height = _left(match.round), middles[match.key]
    bend = left - (COLUMN_WIDTH - BOX_WIDTH) // 2
    lines = "".join(
        f"M{_left(columns[source]) + BOX_WIDTH} {middles[source]}H{bend}V{height}" for source in dict.fromkeys(sources)
    )
    yield (
        f'<path class="feed" d="{lines}M{bend} {height}H{left}" fill="none" stroke="currentColor" '
        f'stroke-opacity="0.4"/>'
    )


def _match(match: BracketMatch, middle: int, clip: str) -> str:
    left, top = _left(match.round), middle - LINE_HEIGHT
    origin = " · ".join(filter(None, match.origins))
    a, b = (f"{seat.name} {seat.score}".strip() for seat in (match.a, match.b))
    tag, link = ("a", f" href={_attribute(match.url)}") if match.url else ("g", "")
    return (
        f"<{tag}{link} class={_attribute(f'match is-{match.state}')} data-key={_attribute(match.key)} "
        f"aria-label={_attribute(f'{match.key}: {a} – {b}')} "
        f'transform="translate({left} {top})">'
        f'<rect class="box" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4" fill="currentColor" fill-opacity="0.06" '
        f'stroke="currentColor" stroke-opacity="0.4"/>'
        f'<path class="divider" d="M0 {LINE_HEIGHT}H{BOX_WIDTH}" stroke="currentColor" stroke-opacity="0.25"/>'
        f'<text class="key" y="-4" font-size="10" fill-opacity="0.75">{_text(match.key)}'
        f"{_origin(origin)}</text>"
        f"{_seat(match.a, 0, clip)}{_seat(match.b, LINE_HEIGHT, clip)}"
        f"</{tag}>"
    )


def _origin(text: str) -> str:
    """Where a side comes from that no line leads to, behind the key of its match."""
    return f'<tspan class="origin" dx="8">{_text(clip_name(text, ORIGIN_CELLS))}</tspan>' if text else ""


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
