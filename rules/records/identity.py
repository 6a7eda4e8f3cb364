"""The identity of a recorded match, whatever its format: the same players did the same things."""

import unicodedata
from functools import lru_cache
from hashlib import sha256
from typing import Final

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.notation import Play
from rules.position import BAR, OFF
from rules.records.record import Action, GameRecord, MatchRecord, SetUp, Turn
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
    done: list[Action] = []
    for _, action in game.lines:
        taken = isinstance(action, Took) and bool(done) and isinstance(done[-1], Beavered | Raccooned)
        if not taken and (type(action) in _WORDS or isinstance(action, Turn | SetUp)):
            done.append(action)
    if done and isinstance(done[-1], Turn) and not done[-1].play and done[-1].after is None:
        done.pop()
    return [_action(action, first) for action in done]


def _action(action: Action, first: Side) -> str:
    if isinstance(action, SetUp):
        return repr(action.properties)
    who = "1" if action.side is first else "2"
    if isinstance(action, Turn):
        low, high = sorted(action.dice)
        placed = f" {action.after}" if action.after is not None else ""
        return f"{who}{low}{high}{_moved(action.play) if action.play else ''}{placed}"
    return who + _WORDS[type(action)]


@lru_cache(maxsize=1 << 14)
def _moved(play: Play) -> str:
    """Return what a play takes from each point and brings to each; a stop on the way counts for nothing."""
    change = [0] * (BAR + 1)
    for hop in play:
        change[hop.start] -= 1
        change[hop.end] += 1
    return ",".join(f"{point}{count:+}" for point, count in enumerate(change) if count and point != OFF)
