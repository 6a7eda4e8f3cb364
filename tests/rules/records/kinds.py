"""Changes in one place of a record, by kinds that a person would name: each makes another record of a true one."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from rules.actions import Doubled, Dropped, Took
from rules.notation import Hop, Play
from rules.records.record import Action, GameRecord, MatchRecord, Turn, Won, number_rows


@dataclass(frozen=True)
class Changed:
    """A record after a change, with the game in which it was made, by its place from 0."""

    record: MatchRecord
    game: int


Changes = Iterator[Changed]
Kind = Callable[[MatchRecord], Changes]
Actions = list[Action]


def actions_of(game: GameRecord) -> Actions:
    return [line.action for line in game.lines]


def _with(record: MatchRecord, index: int, actions: Iterable[Action]) -> Changed:
    """Return the record with these actions in the game, each in the next row that is free."""
    lines = number_rows([(getattr(action, "side", None), action) for action in actions])
    return _with_game(record, index, replace(record.games[index], lines=lines))


def _with_game(record: MatchRecord, index: int, game: GameRecord) -> Changed:
    games = (*record.games[:index], game, *record.games[index + 1 :])
    return Changed(replace(record, games=games), index)


def _renumbered(record: MatchRecord, games: Iterable[GameRecord], index: int) -> Changed:
    first = record.games[0].number
    return Changed(
        replace(record, games=tuple(replace(game, number=first + at) for at, game in enumerate(games))), index
    )


def each(record: MatchRecord, change: Callable[[Actions, int], Actions | None]) -> Changes:
    """Yield what the change makes of each action, by the actions of its game and its place there; None for nothing."""
    for index, game in enumerate(record.games):
        actions = actions_of(game)
        for at in range(len(actions)):
            changed = change(actions, at)
            if changed is not None:
                yield _with(record, index, changed)


def replaced(actions: Actions, at: int, *now: Action) -> Actions:
    return [*actions[:at], *now, *actions[at + 1 :]]


def _turn(change: Callable[[Turn], Turn | None]) -> Kind:
    """Return the kind that changes one turn."""

    def one(actions: Actions, at: int) -> Actions | None:
        action = actions[at]
        now = change(action) if isinstance(action, Turn) else None
        return None if now is None or now == action else replaced(actions, at, now)

    return lambda record: each(record, one)


def _play(change: Callable[[Play, tuple[int, int]], Play | None]) -> Kind:
    """Return the kind that changes one play."""

    def one(turn: Turn) -> Turn | None:
        now = change(turn.play, turn.dice) if turn.play else None
        return None if now is None else turn._replace(play=now)

    return _turn(one)


def _of(kind: type[Action], change: Callable[[Actions, int], Actions | None]) -> Kind:
    """Return the kind that changes one action of this type."""
    return lambda record: each(record, lambda actions, at: change(actions, at) if type(actions[at]) is kind else None)


def _hop(play: Play, at: int, now: Hop) -> Play:
    return (*play[:at], now, *play[at + 1 :])


def die(record: MatchRecord) -> Changes:
    return _turn(lambda turn: turn._replace(dice=(turn.dice[0] % 6 + 1, turn.dice[1])))(record)


def opening_double(record: MatchRecord) -> Changes:
    for index, game in enumerate(record.games):
        actions = actions_of(game)
        first = actions[0] if actions else None
        if isinstance(first, Turn):
            yield _with(record, index, [first._replace(dice=(first.dice[0], first.dice[0])), *actions[1:]])


def wrong_beginner(record: MatchRecord) -> Changes:
    for index, game in enumerate(record.games):
        actions = actions_of(game)
        if isinstance(actions[0], Turn):
            yield _with(record, index, [actions[0]._replace(side=actions[0].side.other), *actions[1:]])


def swapped_cells(record: MatchRecord) -> Changes:
    def swap(actions: Actions, at: int) -> Actions | None:
        pair = actions[at : at + 2]
        if len(pair) < 2 or not all(isinstance(one, Turn) for one in pair):
            return None
        left, right = pair
        return [*actions[:at], right._replace(side=left.side), left._replace(side=right.side), *actions[at + 2 :]]  # type: ignore[union-attr]

    return each(record, swap)


def further(play: Play, _dice: tuple[int, int]) -> Play | None:
    start, end, hit = play[0]
    return _hop(play, 0, Hop(start, end - 1, hit)) if end > 1 else None


def backwards(play: Play, _dice: tuple[int, int]) -> Play | None:
    start, end, _hit = play[-1]
    return _hop(play, len(play) - 1, Hop(end, start)) if end > 0 and start < 25 else None


def unmarked(play: Play, _dice: tuple[int, int]) -> Play | None:
    at = next((at for at, hop in enumerate(play) if hop.hit), None)
    return None if at is None else _hop(play, at, Hop(play[at].start, play[at].end))


def marked(play: Play, _dice: tuple[int, int]) -> Play | None:
    at = next((at for at, hop in enumerate(play) if not hop.hit and hop.end), None)
    return None if at is None else _hop(play, at, Hop(play[at].start, play[at].end, hit=True))


def entry_skipped(play: Play, dice: tuple[int, int]) -> Play | None:
    at = next((at for at, hop in enumerate(play) if hop.start == 25), None)
    return None if at is None else _hop(play, at, Hop(13, 13 - dice[0]))


def off_too_early(play: Play, _dice: tuple[int, int]) -> Play | None:
    outside = any(hop.start > 6 for hop in play)
    at = next((at for at, hop in enumerate(play) if hop.end), None)
    return _hop(play, at, Hop(play[at].start, 0)) if outside and at is not None else None


def partial(play: Play, _dice: tuple[int, int]) -> Play | None:
    return play[:-1] if len(play) > 1 else None


def half_doublet(play: Play, dice: tuple[int, int]) -> Play | None:
    return play[:2] if dice[0] == dice[1] and len(play) == 4 else None


def unowned_double(record: MatchRecord) -> Changes:
    """Let the player double who has just doubled, and whose opponent owns the cube."""

    def again(actions: Actions, at: int) -> Actions | None:
        action, before = actions[at], actions[at - 1] if at else None
        if not (isinstance(action, Took) and isinstance(before, Doubled)):
            return None
        rest = actions[at + 1 :]
        turn = next((place for place, one in enumerate(rest[2:], 2) if one.side is before.side), None)  # type: ignore[union-attr]
        if turn is None or not isinstance(rest[turn], Turn):
            return None
        more = [Doubled(before.side, before.value * 2), Took(before.side.other)]
        return [*actions[: at + 1], *rest[:turn], *more, *rest[turn:]]

    return each(record, again)


def crawford_double(record: MatchRecord) -> Changes:
    done = False
    for index, game in enumerate(record.games):
        if record.length > 1 and record.crawford and not done and max(game.score) == record.length - 1:
            done = True
            actions = actions_of(game)
            third = actions[2] if len(actions) > 2 else None
            if isinstance(third, Turn):
                double = [Doubled(third.side, 2), Took(third.side.other)]
                yield _with(record, index, [*actions[:2], *double, *actions[2:]])


def points(change: Callable[[int], int]) -> Kind:
    """Return the kind that gives a game other points in its result alone."""
    return _of(Won, lambda actions, at: replaced(actions, at, replace(actions[at], points=change(actions[at].points))))  # type: ignore[arg-type,union-attr]


def level(was: int, now: int) -> Kind:
    """Return the kind that turns a game worth `was` times the cube into one worth `now` times."""

    def one(actions: Actions, at: int) -> Actions | None:
        won = actions[at]
        cube = max([1, *(one.value for one in actions if isinstance(one, Doubled))])
        dropped = any(isinstance(one, Dropped) for one in actions)
        if not isinstance(won, Won) or dropped or won.points != was * cube:
            return None
        return replaced(actions, at, replace(won, points=now * cube))

    return _of(Won, one)


def other_winner(*, given_up: bool) -> Kind:
    """Return the kind that moves the result to the other column, of games that were given up or of the others."""

    def one(actions: Actions, at: int) -> Actions | None:
        won = actions[at]
        off = sum(
            hop.end == 0
            for turn in actions
            if isinstance(turn, Turn) and turn.side is won.side
            for hop in turn.play or ()
        )  # type: ignore[union-attr]
        played_out = off >= 15 or any(isinstance(action, Dropped) for action in actions)
        if played_out is given_up:
            return None
        return replaced(actions, at, replace(won, side=won.side.other))  # type: ignore[arg-type,union-attr]

    return _of(Won, one)


def game_removed(record: MatchRecord) -> Changes:
    for index in range(len(record.games) - 1):
        yield _renumbered(record, (*record.games[:index], *record.games[index + 1 :]), index)


def game_twice(record: MatchRecord) -> Changes:
    for index, game in enumerate(record.games):
        yield _renumbered(record, (*record.games[: index + 1], game, *record.games[index + 1 :]), index + 1)


def games_exchanged(record: MatchRecord) -> Changes:
    for index in range(len(record.games) - 1):
        first, second = record.games[index : index + 2]
        games = (*record.games[:index], second, first, *record.games[index + 2 :])
        yield _renumbered(record, games, index)


def game_after_the_end(record: MatchRecord) -> Changes:
    last = record.games[-1]
    extra = replace(last, number=last.number + 1, lines=record.games[0].lines[:4])
    yield Changed(replace(record, games=(*record.games, extra)), len(record.games))


def result_removed(record: MatchRecord) -> Changes:
    return _of(Won, lambda actions, at: replaced(actions, at))(record)


def truncated(record: MatchRecord) -> Changes:
    index = len(record.games) - 1
    actions = actions_of(record.games[index])
    for length in range(1, len(actions)):
        yield _with(record, index, actions[:length])


def second_winner(record: MatchRecord) -> Changes:
    return _of(Won, lambda actions, at: [*actions, replace(actions[at], side=actions[at].side.other)])(record)  # type: ignore[arg-type,union-attr]


def heading(change: Callable[[tuple[int, int]], tuple[int, int]], *, first: bool) -> Kind:
    """Return the kind that changes the score in the heading of the first game, or of one after it."""

    def kind(record: MatchRecord) -> Changes:
        for index, game in enumerate(record.games):
            if (index == 0) is first and change(game.score) != game.score:
                yield _with_game(record, index, replace(game, score=change(game.score)))

    return kind


def length(record: MatchRecord) -> Changes:
    for other in (record.length - 2, record.length - 1, record.length + 1, record.length + 2):
        if other > 0:
            yield Changed(replace(record, length=other), 0)


def names_everywhere(record: MatchRecord) -> Changes:
    games = tuple(replace(game, names=(game.names[1], game.names[0])) for game in record.games)
    yield Changed(replace(record, games=games), 0)


def names_once(record: MatchRecord) -> Changes:
    for index, game in enumerate(record.games[1:], 1):
        yield _with_game(record, index, replace(game, names=(game.names[1], game.names[0])))


def columns_of_a_game(record: MatchRecord) -> Changes:
    """Let each player of one game have done what the other did."""
    for index, game in enumerate(record.games):
        actions = [
            action._replace(side=action.side.other)
            if isinstance(action, Turn)
            else replace(action, side=action.side.other)  # type: ignore[type-var,union-attr]
            for action in actions_of(game)
        ]
        yield _with(record, index, actions)


KINDS: dict[str, Kind] = {
    "die changed": die,
    "order of the dice": _turn(lambda turn: turn._replace(dice=turn.dice[::-1])),
    "opening roll a double": opening_double,
    "wrong player begins": wrong_beginner,
    "cells of a row swapped": swapped_cells,
    "one pip further": _play(further),
    "checker backwards": _play(backwards),
    "hit not marked": _play(unmarked),
    "hit marked that is none": _play(marked),
    "entry from the bar skipped": _play(entry_skipped),
    "borne off too early": _play(off_too_early),
    "part of a play missing": _play(partial),
    "doublet played twice": _play(half_doublet),
    "play removed": _turn(lambda turn: turn._replace(play=None)),
    "dance instead of a play": _turn(lambda turn: turn._replace(play=()) if turn.play else None),
    "roll removed": _of(Turn, lambda actions, at: replaced(actions, at)),
    "turn twice": _of(Turn, lambda actions, at: replaced(actions, at, actions[at], actions[at])),
    "cube value": _of(
        Doubled,
        lambda actions, at: replaced(actions, at, Doubled(actions[at].side, actions[at].value * 2)),  # type: ignore[union-attr]
    ),
    "drop to take": _of(Dropped, lambda actions, at: replaced(actions, at, Took(actions[at].side))),  # type: ignore[union-attr]
    "take to drop": _of(Took, lambda actions, at: replaced(actions, at, Dropped(actions[at].side))),  # type: ignore[union-attr]
    "double without an answer": _of(Took, lambda actions, at: replaced(actions, at)),
    "take without a double": _of(Doubled, lambda actions, at: replaced(actions, at)),
    "doubled twice in a turn": _of(
        Took,
        lambda actions, at: replaced(actions, at, actions[at], actions[at - 1]) if at else None,
    ),
    "double without owning the cube": unowned_double,
    "double in the Crawford game": crawford_double,
    "points one too many": points(lambda number: number + 1),
    "points one too few": points(lambda number: max(number - 1, 0)),
    "single game to gammon": level(1, 2),
    "gammon to single game": level(2, 1),
    "gammon to backgammon": level(2, 3),
    "backgammon to gammon": level(3, 2),
    "resignation in the other column": other_winner(given_up=True),
    "win in the other column": other_winner(given_up=False),
    "second winner": second_winner,
    "result removed": result_removed,
    "score at the start": heading(lambda score: (score[0] + 1, score[1]), first=True),
    "score of a later heading": heading(lambda score: (score[0] + 1, score[1]), first=False),
    "length": length,
    "names exchanged in one heading": names_once,
    "names exchanged throughout": names_everywhere,
    "columns of a game exchanged": columns_of_a_game,
    "game removed": game_removed,
    "game twice": game_twice,
    "order of the games": games_exchanged,
    "game after the end": game_after_the_end,
    "cut off at the end": truncated,
}
"""Each kind by its name."""
