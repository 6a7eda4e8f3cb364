"""The identity of a recorded match, whatever its format: the same players did the same things."""

import unicodedata
from hashlib import sha256
from typing import Final

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.records.record import Action, GameRecord, Lost, MatchRecord, SetUp, Turn, Won
from rules.records.replay import Replay
from rules.score import Side

_WORDS: Final = {Doubled: "d", Beavered: "b", Raccooned: "r", Took: "t", Dropped: "p"}


def identity_of(record: MatchRecord, judged: Replay) -> str:
    """Return a digest that is the same for two records of one match, and for no others.

    It takes in the length, the folded names whichever column they are in, and of each game the score before it, the
    rolls, what moved from where to where, the cube actions and the result. It leaves out remarks, marks of hits, the
    order in which dice and moves are written, printed points, and a last roll that nobody played: programs write these
    in different ways.
    """
    folded = [_folded(name) for name in judged.names if name] or [_folded(name) for name in record.names]
    first = Side.A if folded == sorted(folded) else Side.B
    parts = [str(judged.length), *sorted(folded)]
    for index, game in enumerate(record.games):
        score = game.score if first is Side.A else game.score[::-1]
        parts.append(f"{game.number} {score[0]}-{score[1]}")
        parts += _actions(game, first)
        if index < len(judged.games):
            result = judged.games[index]
            parts.append(f"{'1' if result.winner is first else '2'} {result.points}")
    return sha256("\n".join(parts).encode()).hexdigest()


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _actions(game: GameRecord, first: Side) -> list[str]:
    """Return what was done in the game, without its printed result and without a last roll that nobody played.

    The take of a beaver is left out too: not every program writes it.
    """
    parts: list[str] = []
    last: Action | None = None
    for _, action in game.lines:
        if type(action) is Turn:  # as most are
            parts.append(("1" if action[0] is first else "2") + action.done)
        elif isinstance(action, SetUp):
            parts.append(repr(action.properties))
        elif isinstance(action, Won | Lost) or (isinstance(action, Took) and isinstance(last, Beavered | Raccooned)):
            continue
        else:
            parts.append(("1" if action.side is first else "2") + _WORDS[type(action)])
        last = action
    if type(last) is Turn and not last.play and last.after is None:
        parts.pop()
    return parts
