"""Draw a knockout bracket as SVG: rounds are columns, and every match is a link."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

NAME_CELLS = 20
ORIGIN_CELLS = 34
FEWEST_CELLS = 6
"""A text that would be shorter than this is left out."""

NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Measures:
    """Sizes of the parts of a drawing, in its own units. A box has two lines; a slot is a box with the key above it."""

    font: int
    key: int
    line: int
    slot: int
    box: int
    score: int
    column: int
    heading: int
    margin: int
    cells: int = 0
    """Where set, names are shortened to this, and codes of other matches are left out."""

    @property
    def box_height(self) -> int:
        return 2 * self.line


PAGE = Measures(font=13, key=10, line=22, slot=72, box=224, score=34, column=260, heading=52, margin=12)
PROJECTED = Measures(font=16, key=8, line=19, slot=48, box=158, score=24, column=176, heading=44, margin=3, cells=13)
"""Names as large as possible: four slots and three rounds fill a screen that is twice as wide as it is high."""


class SeatState(StrEnum):
    """The state of a side, which gives its line the class ``is-...``."""

    WINNER = "winner"
    LOSER = "loser"
    LIVE = "live"
    PENDING = "pending"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """One side of a match as drawn: a name, or a phrase for the player still to come, and the score if there is one."""

    name: str
    score: str
    state: SeatState
    is_known: bool = True
    """Whether the name is a player's, and no phrase."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match of the bracket; ``round`` and ``number`` count from 1, as in a ``Pairing``.

    ``url`` is the link of the match, or empty. ``state`` is one word, the class ``is-...`` of the match. ``sources``
    are the keys of the matches in this drawing whose winners or losers take seats A and B; empty for a side that comes
    from the draw or from another bracket, which its ``origin`` then names ("loser of M2-3"). ``mark`` is a word on how
    the match was decided, or why it has no score; empty for most. ``explained`` says the same in full where the mark
    has no room for it.
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
    mark: str = ""
    explained: str = ""


@dataclass(frozen=True, slots=True)
class BracketLabels:
    """The words of the drawing, in the reader's language; ``rounds`` and ``lengths`` have one entry per round."""

    title: str
    description: str
    rounds: tuple[str, ...]
    lengths: tuple[str, ...]


def draw_bracket(
    matches: Sequence[BracketMatch], labels: BracketLabels, *, dom_id: str = "bracket", measures: Measures = PAGE
) -> str:
    """Return an SVG element with every match once, ready to put into a page: all texts are escaped.

    It has no scripts and no styles; ``currentColor`` and presentation attributes make it readable, and these classes
    can be styled: ``bracket-svg``, ``heading``, ``length``, ``feed``, ``match`` with ``is-<state>``, ``box``, ``key``,
    ``mark``, ``seat`` with ``is-<SeatState>``, ``name``, ``score``. IDs inside it begin with ``dom_id``. With links it
    is a named group, so that a screen reader finds them; without links it is a single image.

    Raises ValueError unless ``labels`` has exactly one heading and one length for each round.
    """
    return _drawing(tuple(matches), labels, dom_id, measures)


@lru_cache(maxsize=16)
def _drawing(matches: tuple[BracketMatch, ...], labels: BracketLabels, dom_id: str, measures: Measures) -> str:
    """Return the SVG element: after a result only one of the brackets has to be drawn again."""
    rounds = max((match.round for match in matches), default=0)
    if not len(labels.rounds) == len(labels.lengths) == rounds:
        raise ValueError(f"{rounds} rounds need as many headings and lengths")
    drawn = sorted(matches, key=lambda match: (match.round, match.number))
    return "".join(_svg(drawn, rounds, labels, dom_id, measures))


def place_matches(matches: Sequence[BracketMatch]) -> dict[str, int]:
    """Return the height of each match by key, in half slots: halfway between the matches that feed it.

    A match without sources has a slot to itself, in the order of the bracket traced back from its last matches; a match
    with a single source is level with it. Where a match feeds two others, like an opener of a group of four, only the
    first of them counts it as a source. No two matches of a round are closer than a slot, and lines cross only where a
    match feeds two others.
    """
    return dict(_heights(tuple((match.key, match.round, match.number, match.sources) for match in matches)))


@lru_cache(maxsize=100)
def _heights(places: tuple[tuple[str, int, int, tuple[str, str]], ...]) -> Mapping[str, int]:
    """Return the heights by key of matches, given as key, round, number and sources: results do not move them."""
    sources_of = {key: sources for key, _round, _number, sources in places}
    feeding = {source for sources in sources_of.values() for source in sources if source}
    leads_to: dict[str, str] = {}
    heights: dict[str, int] = {}
    slots = 0

    def place(key: str) -> int:
        nonlocal slots
        mine = [source for source in sources_of[key] if source and leads_to.setdefault(source, key) == key]
        above = [heights[one] if one in heights else place(one) for one in mine if one in sources_of]
        if not above:
            slots += 1
        heights[key] = (above[0] + above[-1]) // 2 if above else 2 * slots - 1
        return heights[key]

    for key, _round, _number, _sources in sorted(places, key=lambda one: (-one[1], one[2])):
        if key not in feeding:
            place(key)
    return heights


def split_bracket(matches: Sequence[BracketMatch], slots: int) -> list[list[BracketMatch]]:
    """Split the drawing into parts, each with at most ``slots`` places at the edge where possible, for printed pages.

    The first parts are whole subtrees in order; the last part begins with the final matches of those subtrees and runs
    to the end. A drawing that fits is a single part.
    """
    by_key = {match.key: match for match in matches}

    def edge(part: Sequence[BracketMatch]) -> int:
        return len(_at_the_edge(part, by_key))

    if edge(matches) <= slots:
        return [list(matches)]
    trees: dict[int, list[list[BracketMatch]]] = {}
    for round in sorted({match.round for match in matches}):
        ends = sorted((match for match in matches if match.round == round), key=lambda match: match.number)
        trees[round] = [_subtree(match, by_key) for match in ends]
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


def window_bracket(matches: Sequence[BracketMatch], *, rounds: int, slots: int) -> list[list[BracketMatch]]:
    """Split the drawing into parts with at most ``rounds`` rounds and ``slots`` places at the edge, for a screen.

    Each part consists of whole subtrees in order. A part begins with the round in which the parts before it end, so
    that it shows where their lines continue. Matches fed by the same match are never separated, whatever their size.
    """
    columns = sorted({match.round for match in matches})
    parts = []
    for start in range(0, max(len(columns) - 1, 1), rounds - 1):
        shown = columns[start : start + rounds]
        parts.extend(_pack([match for match in matches if match.round in shown], slots))
    return parts


def _pack(matches: Sequence[BracketMatch], slots: int) -> list[list[BracketMatch]]:
    by_key = {match.key: match for match in matches}
    feeding = {source for match in matches for source in match.sources}
    trees: dict[str, list[str]] = {}
    for match in sorted(matches, key=lambda match: (-match.round, match.number)):
        if match.key not in feeding:
            keys = [each.key for each in _subtree(match, by_key)]
            tree = next((trees[key] for key in keys if key in trees), [])
            tree.extend(dict.fromkeys(key for key in keys if key not in tree))
            trees.update(dict.fromkeys(tree, tree))
    parts: list[list[BracketMatch]] = [[]]
    for keys in {id(tree): tree for tree in trees.values()}.values():
        grown = [*parts[-1], *(by_key[key] for key in keys)]
        if parts[-1] and len(_at_the_edge(grown, by_key)) > slots:
            parts.append([by_key[key] for key in keys])
        else:
            parts[-1] = grown
    return parts


def _subtree(match: BracketMatch, by_key: Mapping[str, BracketMatch]) -> list[BracketMatch]:
    inside = [by_key[source] for source in match.sources if source in by_key]
    return [each for source in inside for each in _subtree(source, by_key)] + [match]


def _at_the_edge(part: Sequence[BracketMatch], by_key: Mapping[str, BracketMatch]) -> list[BracketMatch]:
    return [match for match in part if not any(source in by_key for source in match.sources)]


def clip_name(name: str, cells: int = NAME_CELLS) -> str:
    """Shorten ``name`` with an ellipsis if it is wider than ``cells``; a wide East Asian character takes two cells."""
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


def _left(round: int, measures: Measures) -> int:
    return measures.margin + (round - 1) * measures.column


def _svg(
    matches: Sequence[BracketMatch], rounds: int, labels: BracketLabels, dom_id: str, size: Measures
) -> Iterator[str]:
    width = 2 * size.margin + rounds * size.column - (size.column - size.box)
    # The line between the two sides of each match.
    middles = {key: size.heading + place * size.slot // 2 for key, place in place_matches(matches).items()}
    height = max(middles.values(), default=size.heading) + size.slot // 2 + size.margin
    role = "group" if any(match.url for match in matches) else "img"
    title, description, clip = (f"{dom_id}-{part}" for part in ("title", "description", "clip"))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bracket-svg" role="{role}" '
        f"aria-labelledby={_attribute(title)} aria-describedby={_attribute(description)} "
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="inherit" font-size="{size.font}" fill="currentColor">'
        f"<title id={_attribute(title)}>{_text(labels.title)}</title>"
        f"<desc id={_attribute(description)}>{_text(labels.description)}</desc>"
        f"<clipPath id={_attribute(clip)}>"
        f'<rect width="{size.box - size.score}" height="{size.box_height}"/></clipPath>'
    )
    yield from _headings(labels, size)
    columns = {match.key: match.round for match in matches}
    yield from (feed for match in matches for feed in _feeds(match, columns, middles, size))
    yield from (_match(match, middles[match.key], dom_id, f"url(#{clip})", size) for match in matches)
    yield "</svg>"


def _headings(labels: BracketLabels, size: Measures) -> Iterator[str]:
    for round, (heading, length) in enumerate(zip(labels.rounds, labels.lengths, strict=True), start=1):
        left, top = _left(round, size), size.heading - 32
        yield f'<text class="heading" x="{left}" y="{top}" font-weight="bold">{_text(heading)}</text>'
        yield f'<text class="length" x="{left}" y="{top + 18}" font-size="{size.font - 1}">{_text(length)}</text>'


def _feeds(
    match: BracketMatch, columns: Mapping[str, int], middles: Mapping[str, int], size: Measures
) -> Iterator[str]:
    sources = [source for source in match.sources if source and source in columns]
    if not sources:
        return
    left, height = _left(match.round, size), middles[match.key]
    bend = left - (size.column - size.box) // 2
    lines = "".join(
        f"M{_left(columns[source], size) + size.box} {middles[source]}H{bend}V{height}"
        for source in dict.fromkeys(sources)
    )
    yield (
        f'<path class="feed" d="{lines}M{bend} {height}H{left}" fill="none" stroke="currentColor" '
        f'stroke-opacity="0.4"/>'
    )


@lru_cache(maxsize=1500)
def _match(match: BracketMatch, middle: int, dom_id: str, clip: str, size: Measures) -> str:
    left, top = _left(match.round, size), middle - size.line
    origin = _origin(" · ".join(filter(None, match.origins)), match.mark)
    tag, link = ("a", f" href={_attribute(match.url)}") if match.url else ("g", "")
    return (
        f"<{tag}{link} class={_attribute(f'match is-{match.state}')} data-key={_attribute(match.key)} "
        f"id={_attribute(f'{dom_id}-{match.key}')} "
        f"aria-label={_attribute(_said(match, origin, size))} "
        f'transform="translate({left} {top})">'
        f'<rect class="box" width="{size.box}" height="{size.box_height}" rx="4" fill="currentColor" '
        f'fill-opacity="0.06" stroke="currentColor" stroke-opacity="0.4"/>'
        f'<path class="divider" d="M0 {size.line}H{size.box}" stroke="currentColor" stroke-opacity="0.25"/>'
        f'<text class="key" y="-3" font-size="{size.key}" fill-opacity="0.75">{_text(match.key)}'
        f"{_after_key(origin)}</text> {_mark(match.mark, size)} "
        f"{_seat(match.a, 0, clip, size)} {_seat(match.b, size.line, clip, size)}"
        f"</{tag}>"
    )


def _after_key(origin: str) -> str:
    return f' <tspan class="origin" dx="5">{_text(origin)}</tspan>' if origin else ""


def _said(match: BracketMatch, origin: str, size: Measures) -> str:
    """Return the name of the match for those who hear it or say it: what is seen, then what had no room."""
    a, b = (f"{_shown(seat, size)} {seat.score}".strip() for seat in (match.a, match.b))
    seen = " ".join(filter(None, (match.key, origin, match.mark)))
    whole = [seat.name for seat in (match.a, match.b) if _shown(seat, size) != seat.name]
    explained = match.explained if match.explained != match.mark else ""
    return ", ".join(filter(None, (f"{seen}: {a} – {b}", explained, *whole)))


def _origin(text: str, mark: str) -> str:
    """Write the source of a side to which no line leads, after the key of the match and as far as the mark allows."""
    cells = ORIGIN_CELLS - (len(mark) + 2 if mark else 0)
    return clip_name(text, cells) if text and cells >= FEWEST_CELLS else ""


def _mark(text: str, size: Measures) -> str:
    """Write the mark at the end of the line above the box."""
    if not text:
        return ""
    return f'<text class="mark" x="{size.box}" y="-3" font-size="{size.key}" text-anchor="end">{_text(text)}</text>'


def short_name(name: str, cells: int, *, is_bold: bool = False) -> str:
    """Shorten a name that is wider than ``cells`` to initials and the last name, those of a pair if need be to the last
    names, and clip what is still too wide.

    A name that ``is_bold`` has room for one cell less before it is shortened.
    """
    if sum(map(_cells, name)) <= cells - is_bold:
        return name
    people = [person.split(" ") for person in name.split(" & ")]
    short = " & ".join(" ".join([*(f"{word[:1]}." for word in words[:-1]), words[-1]]) for words in people)
    if len(people) > 1 and sum(map(_cells, short)) > cells - is_bold:
        short = " & ".join(words[-1] for words in people)
    return clip_name(short, cells)


def _shown(seat: BracketSeat, size: Measures) -> str:
    """Return the name as it is seen; nothing where only a code says who comes."""
    if not size.cells:
        return clip_name(seat.name)
    if not (seat.is_known or seat.state is SeatState.BYE):
        return ""
    return short_name(seat.name, size.cells, is_bold=seat.state is SeatState.WINNER)


def _seat(seat: BracketSeat, top: int, clip: str, size: Measures) -> str:
    baseline = top + size.line // 2 + 2 * (size.font + 1) // 5
    weight = ' font-weight="bold"' if seat.state is SeatState.WINNER else ""
    score = (
        f'<text class="score" x="{size.box - 8}" y="{baseline}" text-anchor="end">{_text(seat.score)}</text>'
        if seat.score
        else ""
    )
    return (
        f'<g class="seat is-{seat.state}"{weight}><title>{_text(seat.name)}</title>'
        f'<g clip-path={_attribute(clip)}><text class="name" x="8" y="{baseline}">{_text(_shown(seat, size))}</text>'
        f"</g> {score}</g>"
    )
