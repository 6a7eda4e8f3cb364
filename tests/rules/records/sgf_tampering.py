"""Every way to change one die, one point, one cube action or one score of an SGF record."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOVE = re.compile(r";[WB]\[(\d\d)([a-z]*)\]|;PL\[[WB]\]DI\[(\d\d)\]")


@dataclass(frozen=True)
class Tampered:
    """The changed text; `game` and `turn` count from 0, `turn` the rolls of the game that come before."""

    text: str
    game: int
    turn: int
    was: str
    now: str


class Places:
    """An SGF text, and what comes before each place of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.games = [found.start() for found in re.finditer(r"\(;FF", text)]
        self.moves = [found.start() for found in MOVE.finditer(text)]

    def changed(self, start: int, end: int, now: str) -> Tampered:
        game = sum(begin <= start for begin in self.games) - 1
        turn = sum(self.games[game] < move < start for move in self.moves) - 1
        return Tampered(self.text[:start] + now + self.text[end:], game, turn, self.text[start:end], now)


def dice(text: str) -> Iterator[Tampered]:
    """One die shows another number."""
    places = Places(text)
    for found in MOVE.finditer(text):
        group = 1 if found[1] else 3
        for at in range(found.start(group), found.end(group)):
            for face in "123456":
                if face != text[at]:
                    yield places.changed(at, at + 1, face)


def points(text: str) -> Iterator[Tampered]:
    """One end of one move is the point beside it."""
    places = Places(text)
    for found in MOVE.finditer(text):
        for at in range(found.start(2), found.end(2)) if found[2] else ():
            for letter in (chr(ord(text[at]) - 1), chr(ord(text[at]) + 1)):
                if "a" <= letter <= "z":
                    yield places.changed(at, at + 1, letter)


def cubes(text: str) -> Iterator[Tampered]:
    """A double, a take or a drop is another action."""
    places = Places(text)
    for found in re.finditer(r"\[(double|take|drop)\]", text):
        for now in ("double", "take", "drop"):
            if now != found[1]:
                yield places.changed(found.start(1), found.end(1), now)


def scores(text: str) -> Iterator[Tampered]:
    """A game is headed with another score or won for other points."""
    places = Places(text)
    for found in re.finditer(r"(?<=\[ws:)\d+|(?<=\[bs:)\d+|(?<=RE\[W\+)\d+|(?<=RE\[B\+)\d+", text):
        for near in (int(found[0]) - 1, int(found[0]) + 1, int(found[0]) + 2):
            if near >= 0:
                yield places.changed(found.start(), found.end(), str(near))
