"""Every way to change one die, one move, one cube action or one score of a record, with the place it was changed at."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

CELL = re.compile(r"(?<!\S)([1-6])([1-6]):( *)((?:(?:bar|\d+)/[^ ]+(?: (?=[\db]))?)*|Cannot Move|\?{4})?")
NUMBER = re.compile(r"\d+|bar|off")


@dataclass(frozen=True)
class Tampered:
    """The changed text; `game`, `row` and `right` (the column) say where, `was` and `now` what."""

    text: str
    game: int | None
    row: int | None
    right: bool
    was: str
    now: str


class Places:
    """The lines of a record, each with its game and row."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.game: list[int | None] = []
        self.row: list[int | None] = []
        game, row = None, None
        for line in self.lines:
            if found := re.fullmatch(r"\s*Game (\d+)\s*", line):
                game, row = int(found[1]), None
            elif found := re.match(r" *(\d+)\)", line):
                row = int(found[1])
            self.game.append(game)
            self.row.append(row + 1 if row and re.match(r" +(Wins|Losses)", line) else row)

    def changed(self, number: int, start: int, end: int, now: str) -> Tampered:
        line = self.lines[number]
        text = "\n".join([*self.lines[:number], line[:start] + now + line[end:], *self.lines[number + 1 :]])
        return Tampered(text, self.game[number], self.row[number], start >= 20, line[start:end], now)

    def matches(self, pattern: str | re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
        for number, line in enumerate(self.lines):
            if not line.startswith(";"):
                for found in re.finditer(pattern, line):
                    yield number, found


def dice(text: str) -> Iterator[Tampered]:
    """One die shows another number; the place is that of the whole roll."""
    places = Places(text)
    for number, found in places.matches(CELL):
        for die in (1, 2):
            for face in "123456":
                if face != found[die]:
                    other = [found[1], found[2]]
                    other[die - 1] = face
                    yield places.changed(number, found.start(), found.start() + 2, "".join(other))


def moves(text: str) -> Iterator[Tampered]:
    """One end of one move is a point nearer or further, or a move is left out, or a whole play; `now` is the play."""
    places = Places(text)
    for number, found in places.matches(CELL):
        play = found[4]
        if not play or "/" not in play:
            continue
        others = {play[: part.start()] + play[part.end() :] for part in re.finditer(r"\S+", play)} | {"", "Cannot Move"}
        for part in NUMBER.finditer(re.sub(r"\(\d\)", "   ", play)):
            point = {"bar": 25, "off": 0}.get(part[0]) if part[0].isalpha() else int(part[0])
            for near in (point - 1, point + 1):
                if 0 <= near <= 25:
                    others.add(f"{play[: part.start()]}{near}{play[part.end() :]}")
        for other in sorted(others):
            yield places.changed(number, found.start(4), found.end(4), other)


def dances(text: str) -> Iterator[Tampered]:
    """A player who could not move moves all the same."""
    places = Places(text)
    for number, found in places.matches(CELL):
        if found[4] in ("", None, "Cannot Move"):
            yield places.changed(number, found.start(3), found.end(), f" 13/{13 - int(found[1])}")


def cubes(text: str) -> Iterator[Tampered]:
    """A cube has another value, or a double, a take or a drop becomes another action."""
    places = Places(text)
    for number, found in places.matches(r"Doubles => (\d+)"):
        value = int(found[1])
        for now in {value * 2, value // 2, value + 1, 0}:
            yield places.changed(number, found.start(1), found.end(1), str(now))
        yield places.changed(number, found.start(), found.end(), "Takes")
    for number, found in places.matches("Takes"):
        yield places.changed(number, found.start(), found.end(), "Drops")
        yield places.changed(number, found.start(), found.end(), "Beavers")
    for number, found in places.matches("Drops"):
        yield places.changed(number, found.start(), found.end(), "Takes")


def doubles_out_of_place(text: str) -> Iterator[Tampered]:
    """A roll becomes a double to 2."""
    places = Places(text)
    for number, found in places.matches(CELL):
        yield places.changed(number, found.start(), found.end(), "Doubles => 2 ")


def headings(text: str) -> Iterator[Tampered]:
    """A game is headed with another score."""
    places = Places(text)
    for number, found in places.matches(r"(?<= : )\d+(?= |$)"):
        for near in (int(found[0]) - 1, int(found[0]) + 1, int(found[0]) + 2):
            if near >= 0:
                yield places.changed(number, found.start(), found.end(), str(near))


def results(text: str) -> Iterator[Tampered]:
    """A game is won for other points."""
    places = Places(text)
    for number, found in places.matches(r"(?<=Wins )\d+|(?<=Losses )\d+"):
        for now in (1, 2, 3, 4, 5, 6, 8, 12):
            if now != int(found[0]):
                yield places.changed(number, found.start(), found.end(), str(now))


def lengths(text: str) -> Iterator[Tampered]:
    """The match is to another number of points."""
    places = Places(text)
    for number, found in places.matches(r"\d+(?= point match)"):
        for now in (1, 2, 3, 5, 7, 9, 11, 13, 15):
            if now != int(found[0]):
                yield places.changed(number, found.start(), found.end(), str(now))


def doubled_rows(text: str) -> Iterator[Tampered]:
    """A row stands twice."""
    places = Places(text)
    for number, found in places.matches(r"^ *\d+\).*$"):
        yield places.changed(number, 0, len(found[0]), f"{found[0]}\n{found[0]}")


def missing_rows(text: str) -> Iterator[Tampered]:
    """A row before the last of its game is missing."""
    places = Places(text)
    for number, found in places.matches(r"^ *(\d+)\).*$"):
        if re.match(r" *\d+\)", "".join(places.lines[number + 1 : number + 2])):
            lines = [*places.lines[:number], *places.lines[number + 1 :]]
            yield Tampered("\n".join(lines), places.game[number], places.row[number], False, found[0], "")


def exchanged_cells(text: str) -> Iterator[Tampered]:
    """The two plays of a row change places; the place is that of the left one."""
    places = Places(text)
    pattern = r"^( *\d+\) )(\d\d: \S+/.*?) +(?<= )(\d\d: \S+/.*?)\s*$"
    for number, found in places.matches(pattern):
        tampered = places.changed(number, 0, len(found[0]), f"{found[1]}{found[3]:<40} {found[2]}")
        yield replace(tampered, right=False, was=found[2], now=found[3])


def other_column(text: str) -> Iterator[Tampered]:
    """A roll that stands alone in its row stands in the other column."""
    places = Places(text)
    for number, found in places.matches(r"^( *\d+\))( *)(\d\d:[^:]*)$"):
        right = len(found[2]) > 10
        now = f"{found[1]} {'' if right else ' ' * 35}{found[3].strip()}"
        yield replace(places.changed(number, 0, len(found[0]), now), right=right)


def headed_names(text: str) -> Iterator[Tampered]:
    """The two names of a heading change places."""
    places = Places(text)
    for number, found in places.matches(r"^ *(\S.*?) : (\d+) +(\S.*?) : (\d+)$"):
        now = f" {found[3]} : {found[2]}                 {found[1]} : {found[4]}"
        yield places.changed(number, 0, len(found[0]), now)
