"""The replay of a match record under the rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from rules.actions import Doubled
from rules.errors import Finding, gettext_noop
from rules.profiles import USUAL, WBGF, RuleProfile, Variants
from rules.records.formats import loads
from rules.records.game_replay import GameReplay
from rules.records.known import NOTHING, Known, as_single_game
from rules.records.record import GameRecord, Line, MatchRecord, RecordError
from rules.records.verdict import Doubtful, Refused, Stop, Verdict, note
from rules.score import MatchScore, Side
from rules.sheet import GameResult

__all__ = ["Replay", "Verdict", "refused", "replay", "verify"]


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay: `games` and `score` go as far as the record held, `finding` says why it went no further.

    `names` are side A's (the left column) and side B's. `plays` counts the rolls that were played, dances included.
    `both_moved` is true once each side has finished a turn. `crawford` says that the Crawford rule was in force.
    `length` is 0 and the names are empty if the record could not be read; it is also 0 in a money session, which
    `money` marks, and `variants` are then those that its games were played with. `finding` is None if the record is
    PROVED or INCOMPLETE. `notes` say what was read into the record, and what nothing but its word shows.
    """

    verdict: Verdict
    length: int
    names: tuple[str, str]
    games: tuple[GameResult, ...]
    plays: int
    score: MatchScore
    finding: Finding | None
    both_moved: bool
    crawford: bool
    money: bool = False
    variants: Variants = USUAL
    notes: tuple[Finding, ...] = ()


def verify(
    data: bytes,
    profile: RuleProfile = WBGF,
    reader: Callable[[bytes], MatchRecord] = loads,
    start: MatchScore | None = None,
    known: Known = NOTHING,
) -> Replay:
    """Replay a record given as bytes. Never raises because of the bytes: what cannot be read is REFUSED."""
    try:
        record = reader(data)
    except RecordError as error:
        return refused(error)
    return replay(record, profile, start, known=known)


def refused(error: RecordError) -> Replay:
    """Return the replay of a record that could not even be read."""
    return Replay(
        Verdict.REFUSED,
        length=0,
        names=("", ""),
        games=(),
        plays=0,
        score=MatchScore(0),
        finding=error.finding,
        both_moved=False,
        crawford=True,
    )


def replay(
    record: MatchRecord,
    profile: RuleProfile = WBGF,
    start: MatchScore | None = None,
    watch: Callable[[GameReplay, Line | None], None] | None = None,
    known: Known = NOTHING,
) -> Replay:
    """Replay the record: every heading, roll, play, cube action and result is checked against the rules.

    `start` is the score that the first game is known to begin at: after penalty points, or where another record ended.
    Without it game 1 begins at 0-0, and a record whose first game is a later one is played from the score in its
    heading, and QUARANTINED. A money session is played with beavers and the Jacoby rule as the record says; where it is
    silent, the Jacoby rule is on if its points add up only with it. Invariant I11. `watch` is called with every game
    before its first line (None), and with every line that holds, once the game is in the state that the line left.

    `known` takes the place of what the record says. Without a known length, a single game that is headed as a match as
    programs head an unlimited one is played as money.
    """
    notes: tuple[Finding, ...] = ()
    record = known.applied(record)
    if (
        known.length is None
        and start is None
        and known.start is None
        and (single := as_single_game(record)) is not None
    ):
        record, notes = single[0], (single[1],)
    if known.start is not None:
        if record.length and max(known.start) >= record.length:
            template = gettext_noop("The record cannot begin at %(start)s: a match to %(length)s is over by then.")
            begins = f"{known.start[0]}-{known.start[1]}"
            return refused(RecordError("known_start", template, start=begins, length=record.length))
        start = score_at(record, known.start)
    variants = USUAL if record.length else _agreed(record, profile, start)
    judged = _replay(record, profile, start, variants, watch, known.gave_up)
    return replace(judged, notes=(*notes, *judged.notes)) if notes else judged


def _agreed(record: MatchRecord, profile: RuleProfile, start: MatchScore | None) -> Variants:
    """Return the variants that a money session was played with."""
    agreed = Variants(jacoby=bool(record.jacoby), beavers=record.beavers)
    if record.jacoby is not None:
        return agreed
    finding = _replay(record, profile, start, agreed, None).finding
    if finding is None or finding.code not in _POINTS:
        return agreed
    with_jacoby = replace(agreed, jacoby=True)
    return agreed if _replay(record, profile, start, with_jacoby, None).verdict is Verdict.REFUSED else with_jacoby


def score_at(record: MatchRecord, points: tuple[int, int]) -> MatchScore:
    """Return the score at which the record begins; whether Crawford is over, the first game says or a double shows."""
    score, first = MatchScore(record.length, *points, crawford=record.crawford), record.games[0]
    doubled = any(isinstance(line.action, Doubled) for line in first.lines)
    after_crawford = doubled if first.crawford is None else not first.crawford
    return replace(score, crawford_done=True) if score.is_crawford and after_crawford else score


_POINTS: Final = frozenset({"result_points", "score_mismatch"})
"""The findings about points that do not add up."""

Watch = Callable[[GameReplay, Line | None], None]


def _replay(
    record: MatchRecord,
    profile: RuleProfile,
    start: MatchScore | None,
    variants: Variants,
    watch: Watch | None,
    gave_up: Side | None = None,
) -> Replay:
    match = _Match(record, profile, start, variants, watch, gave_up)
    try:
        match.begin()
        match.play()
        match.check_names()
        match.check_doubts()
    except Stop as stop:
        return match.judged(stop.verdict, stop.finding)
    return match.judged(Verdict.PROVED if match.finished else Verdict.INCOMPLETE, None)


@dataclass(slots=True)
class _Match:
    """The replay of a match so far."""

    record: MatchRecord
    profile: RuleProfile
    start: MatchScore | None
    variants: Variants
    watch: Watch | None = None
    gave_up: Side | None = None
    score: MatchScore = field(init=False)
    games: list[GameResult] = field(default_factory=list)
    plays: int = 0
    moved: set[Side] = field(default_factory=set)
    doubts: list[Doubtful] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    given_up: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.score = self.start or MatchScore(self.record.length, crawford=self.record.crawford)

    def judged(self, verdict: Verdict, finding: Finding | None) -> Replay:
        return Replay(
            verdict=verdict,
            length=self.record.length,
            names=self.record.names,
            games=tuple(self.games),
            plays=self.plays,
            score=self.score,
            finding=finding,
            both_moved=len(self.moved) == 2,
            crawford=self.record.crawford,
            money=not self.record.length,
            variants=self.variants,
            notes=(*self.notes, *(self._unproved() if verdict is Verdict.PROVED else ())),
        )

    def _unproved(self) -> Iterator[Finding]:
        """Yield what no board can prove of a record that is proved."""
        if self.given_up:
            template = gettext_noop(
                "Given up, not played to the end: game %(games)s. No board shows who gave up, and for how much."
            )
            yield note("resignation_unproved", template, games=", ".join(map(str, self.given_up)))
        template = gettext_noop("No board shows that it was %(left)s and %(right)s who played, and on which side.")
        left, right = self.record.names
        yield note("names_unproved", template, left=left, right=right)
        template = gettext_noop(
            "Nor does it show which dice fell and which of the legal plays was made, or how long the match was: only "
            "that all of it can have been so."
        )
        yield note("rolls_unproved", template)

    @property
    def finished(self) -> bool:
        """Whether the match is over; a money session is finished when its last game is."""
        return self.score.over if self.record.length else len(self.games) == len(self.record.games)

    def begin(self) -> None:
        """Take the score in the heading of a first game that is not game 1, unless a better one is known."""
        first = self.record.games[0]
        a, b = first.score
        if self.start is not None:
            return
        if first.number == 1 and (a, b) != (0, 0):
            template = gettext_noop("The heading of game 1 says %(a)s–%(b)s, but a match begins at 0–0.")
            raise Refused("score_mismatch", "I14", template, first.number, params={"a": a, "b": b})
        if self.record.length and max(a, b) >= self.record.length:
            return
        if first.number - 1 > a + b:
            template = gettext_noop(
                "The score before this game cannot be %(a)s–%(b)s: the number of earlier games is %(games)s."
            )
            params = {"games": first.number - 1, "a": a, "b": b}
            raise Refused("start_impossible", "I9", template, first.number, params=params)
        if a == b == 0:
            return
        self.score = score_at(self.record, (a, b))
        template = gettext_noop("The record begins at %(a)s–%(b)s, and nothing in it shows how that score came about.")
        self.doubts.append(Doubtful("start_unproved", "I14", template, first.number, params={"a": a, "b": b}))

    def check_doubts(self) -> None:
        """Stop if something on the way could not be vouched for, now that everything else holds."""
        if self.doubts:
            raise self.doubts[0]

    def play(self) -> None:
        """Play every game; stop at the first place that does not hold."""
        for game in self.record.games:
            self._check_heading(game)
            result = GameReplay(self, game).result()
            if result is not None:
                self.score = self.score.after(result.winner, result.points)
                self.games.append(result)

    def check_names(self) -> None:
        left, right = self.record.names
        if not (left and right):
            template = gettext_noop("A player has no name, so the result cannot be credited to anyone.")
            raise Doubtful("name_missing", "record", template, None)
        if left == right:
            template = gettext_noop(
                "Both players are called %(name)s, so the result cannot be credited to either of them."
            )
            raise Doubtful("names_equal", "record", template, None, params={"name": left})
        if self.record.names_guessed:
            template = gettext_noop("The text does not declare its encoding, so the names are a guess.")
            raise Doubtful("names_guessed", "record", template, None)
        if (self.record.tags.get("Player 1"), self.record.tags.get("Player 2")) == (right, left):
            if "Transcriber" in self.record.tags:
                template = gettext_noop(
                    "The remarks call %(right)s player 1, as eXtreme Gammon does with the player of the right column: "
                    "the columns count."
                )
                self.notes.append(note("names_by_column", template, right=right))
                return
            template = gettext_noop(
                "The remarks call %(right)s player 1, but the games have %(left)s in the first column."
            )
            raise Doubtful("names_exchanged", "record", template, None, params={"left": left, "right": right})

    def _check_heading(self, game: GameRecord) -> None:
        a, b = self.score.a, self.score.b
        if self.score.over:
            template = gettext_noop("The match was already over at %(a)s–%(b)s; no game can follow.")
            raise Refused("game_after_match_over", "I8", template, game.number, params={"a": a, "b": b})
        if game.names != self.record.names:
            template = gettext_noop(
                "The heading of the game says %(left)s v. %(right)s, but the match is %(first)s v. %(second)s."
            )
            names = dict(zip(("left", "right", "first", "second"), game.names + self.record.names, strict=True))
            raise Refused("names_changed", "I14", template, game.number, params=names)
        if game.score != (a, b):
            template = gettext_noop(
                "The heading of the game says %(left)s–%(right)s, but the score before it is %(a)s–%(b)s."
            )
            scores = {"left": game.score[0], "right": game.score[1], "a": a, "b": b}
            raise Refused("score_mismatch", "I14", template, game.number, params=scores)
        marked, crawford = game.crawford, self.score.is_crawford
        if marked is not None and marked is not crawford and not a == b == self.score.length - 1:
            template = (
                gettext_noop("The record calls this the Crawford game, but at %(a)s–%(b)s it is not.")
                if marked
                else gettext_noop("At %(a)s–%(b)s this is the Crawford game, but the record does not say so.")
            )
            raise Refused("crawford_mismatch", "I7", template, game.number, params={"a": a, "b": b})
