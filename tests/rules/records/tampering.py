"""Ways to change one die, one point, one cube action or one score of a record, and some that change more."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

CELL = re.compile(r"(?<!\S)([1-6])([1-6]):( *)((?:(?:bar|\d+)/[^ \n]+(?: (?=[\db]))?)*|Cannot Move|\?{4})?")
NODE = re.compile(r";[WB]\[(\d\d)([a-z]*)\]|;PL\[[WB]\]DI\[(\d\d)\]")
ROW = re.compile(r"(?m)^ *\d+\).*$")
NUMBER = re.compile(r"\d+|bar|off")


@dataclass(frozen=True)
class Change:
    """A change at one place in the `source`: `now` stands where `was` stood."""

    source: str
    at: int
    was: str
    now: str

    @property
    def text(self) -> str:
        """Return the changed text."""
        return self.source[: self.at] + self.now + self.source[self.at + len(self.was) :]

    def __str__(self) -> str:
        line = self.source.count("\n", 0, self.at) + 1
        return f"line {line}, {self.source.splitlines()[line - 1][:90]!r}: {self.now!r} instead of {self.was!r}"


Kind = Callable[[str], Iterator[Change]]


def _others(text: str, found: re.Match[str], group: int, others: Iterable[str]) -> Iterator[Change]:
    for now in others:
        if now != found[group]:
            yield Change(text, found.start(group), found[group], now)


def _near(text: str, pattern: str) -> Iterator[Change]:
    """Make each number that the pattern finds one less, one more or two more."""
    for found in re.finditer(pattern, text):
        number = int(found[0])
        yield from _others(text, found, 0, [str(near) for near in (number - 1, number + 1, number + 2) if near >= 0])


def is_sgf(text: str) -> bool:
    return text.startswith("(")


def dice(text: str) -> Iterator[Change]:
    """Let one die show another number."""
    for found in (NODE if is_sgf(text) else CELL).finditer(text):
        begin = found.start(3 if is_sgf(text) and not found[1] else 1)
        for at in (begin, begin + 1):
            for face in "123456":
                if face != text[at]:
                    yield Change(text, at, text[at], face)


def points(text: str) -> Iterator[Change]:
    """Move one end of one move to another point, the bar or off."""
    for found in (NODE if is_sgf(text) else CELL).finditer(text):
        if is_sgf(text):
            for at in range(found.start(2), found.end(2)) if found[2] else ():
                for letter in "abcdefghijklmnopqrstuvwxyz":
                    if letter != text[at]:
                        yield Change(text, at, text[at], letter)
            continue
        for part in NUMBER.finditer(re.sub(r"\(\d\)", "   ", found[4] or "").replace("Cannot Move", "")):
            point = {"bar": "25", "off": "0"}.get(part[0], part[0])
            for other in range(26):
                if str(other) != point:
                    yield Change(text, found.start(4) + part.start(), part[0], str(other))


def cubes(text: str) -> Iterator[Change]:
    """Give a cube another value, or turn a double, a take or a drop into another action."""
    if is_sgf(text):
        for found in re.finditer(r"(?<=\[)(double|take|drop)(?=\])", text):
            yield from _others(text, found, 0, ("double", "take", "drop"))
        return
    for found in re.finditer(r"Doubles => (\d+)", text):
        value = int(found[1])
        yield from _others(text, found, 1, [str(now) for now in (value * 2, value // 2, value + 1, 0)])
        yield from _others(text, found, 0, ["Takes", "Drops"])
    for found in re.finditer("Takes|Drops", text):
        yield from _others(text, found, 0, ("Takes", "Drops", "Beavers"))


def headings(text: str) -> Iterator[Change]:
    """Give the heading of a game another score."""
    return _near(text, r"(?<=\[ws:)\d+|(?<=\[bs:)\d+" if is_sgf(text) else r"(?m)(?<= : )\d+(?= |$)")


def results(text: str) -> Iterator[Change]:
    """Let a game be won for other points."""
    for found in re.finditer(r"(?<=RE\[[WB]\+)\d+" if is_sgf(text) else r"(?<=Wins )\d+|(?<=Losses )\d+", text):
        yield from _others(text, found, 0, ("1", "2", "3", "4", "5", "6", "8", "12"))


def lengths(text: str) -> Iterator[Change]:
    """Change the length of the match; in SGF, that of one game."""
    for found in re.finditer(r"(?<=\[length:)\d+" if is_sgf(text) else r"\d+(?= point match)", text):
        yield from _others(text, found, 0, ("1", "2", "3", "5", "7", "9", "11", "13", "15"))


def omissions(text: str) -> Iterator[Change]:
    """Leave a move, or the whole play, out."""
    for found in CELL.finditer(text):
        play = found[4] or ""
        if "/" in play:
            yield Change(text, found.start(4), play, "")
            yield Change(text, found.start(4), play, "Cannot Move ")
            for part in re.finditer(r"\S+", play):
                yield Change(text, found.start(4) + part.start(), part[0], "")


def dances(text: str) -> Iterator[Change]:
    """Let a player who could not move make a move."""
    for found in CELL.finditer(text):
        if found[4] in ("", None, "Cannot Move"):
            yield Change(text, found.start(3), text[found.start(3) : found.end()], f" 13/{13 - int(found[1])}")


def doubles_out_of_place(text: str) -> Iterator[Change]:
    """Turn a roll into a double to 2."""
    for found in CELL.finditer(text):
        yield Change(text, found.start(), found[0], "Doubles => 2 ")


def doubled_rows(text: str) -> Iterator[Change]:
    """Repeat a row."""
    for found in ROW.finditer(text):
        yield Change(text, found.start(), found[0], f"{found[0]}\n{found[0]}")


def missing_rows(text: str) -> Iterator[Change]:
    """Leave out a row before the last of its game."""
    for found in ROW.finditer(text):
        if ROW.match(text, found.end() + 1):
            yield Change(text, found.start(), f"{found[0]}\n", "")


def exchanged_cells(text: str) -> Iterator[Change]:
    """Exchange the two plays of a row."""
    for found in re.finditer(r"(?m)^( *\d+\) )(\d\d: \S+/.*?) +(?<= )(\d\d: \S+/.*?) *$", text):
        yield Change(text, found.start(), found[0], f"{found[1]}{found[3]:<40} {found[2]}")


def other_columns(text: str) -> Iterator[Change]:
    """Move a roll that is alone in its row to the other column."""
    for found in re.finditer(r"(?m)^( *\d+\))( *)(\d\d:[^:\n]*)$", text):
        right = len(found[2]) > 10
        yield Change(text, found.start(), found[0], f"{found[1]} {'' if right else ' ' * 35}{found[3].strip()}")


def exchanged_names(text: str) -> Iterator[Change]:
    """Exchange the two names of a heading."""
    for found in re.finditer(r"(?m)^ *(\S.*?) : (\d+) +(\S.*?) : (\d+)$", text):
        yield Change(text, found.start(), found[0], f" {found[3]} : {found[2]}                 {found[1]} : {found[4]}")


ONE_THING: dict[str, Kind] = {
    "die": dice,
    "point": points,
    "cube": cubes,
    "score in a heading": headings,
    "points of a game": results,
}
"""Changes to one die, one point, one cube or one score."""

MORE: dict[str, Kind] = {
    "length": lengths,
    "omission": omissions,
    "dance": dances,
    "double out of place": doubles_out_of_place,
    "row twice": doubled_rows,
    "row missing": missing_rows,
    "cells exchanged": exchanged_cells,
    "other column": other_columns,
    "names exchanged": exchanged_names,
}
"""Changes to more than one thing."""


def kinds_for(text: str) -> dict[str, Kind]:
    """Return every kind of change that suits the text; an SGF record has no rows and columns."""
    return ONE_THING | {"length": lengths} if is_sgf(text) else ONE_THING | MORE
