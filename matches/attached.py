"""Records beside the score sheet of a match: attaching one, detaching it, and both told game by game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import zip_longest

from django.db.models import Q
from django.utils.translation import gettext as _

from matches.accept_records import broken, placed_in_words
from matches.acceptance import Acceptance
from matches.evidence import Evidence
from matches.holding import hold_matches
from matches.models import Match, Record, Verdict
from players.errors import Conflict, Refusal
from players.models import User
from players.registry.names import own_name
from players.services import fold_name
from rules.keeper import alike
from rules.profiles import PROFILES
from rules.records.formats import loads
from rules.records.identity import identity_of
from rules.records.known import Known
from rules.records.record import MatchRecord, RecordError
from rules.records.replay import Replay, replay
from rules.score import MatchScore, Side
from rules.sheet import GameResult

PLACES = 6
"""The most records of one match that each side may propose by its link, and that those who enter results may attach."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A record that was read and replayed as one of a match, which had these ``terms`` then."""

    name: str
    data: bytes
    identity: str
    exchanged: bool
    terms: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A game of the sheet and of the record by its number; ``first`` marks the first that they tell differently.

    A record that begins with a later game tells nothing of those before it.
    """

    number: int
    sheet: GameResult | None
    record: GameResult | None
    first: bool


@dataclass(frozen=True, slots=True)
class Laid:
    """An attached record beside the sheet: its verdict, its finding in words, all games, and whether any differs.

    ``results`` are all games of the match by the record, those before it begins by the sheet; none where it does not
    tell with which game it begins. ``final`` is the score of a sheet without games, and ``end`` that of a record that
    shows the end of the match; ``is_decided`` says that the sheet decides it.
    ``names`` are those in the file, left column first, empty if they are the players'.
    """

    evidence: Evidence
    names: str
    verdict: str
    finding: str
    games: tuple[Compared, ...]
    results: tuple[GameResult, ...]
    final: MatchScore | None
    end: MatchScore | None
    is_decided: bool

    @property
    def proposer(self) -> str:
        """The name of the player who proposed the record; empty if the staff attached it."""
        match = self.evidence.match
        return {Side.A.value: match.name_a, Side.B.value: match.name_b}.get(self.evidence.side, "")

    @property
    def differs_at(self) -> int | None:
        """The number of the first game that sheet and record tell differently."""
        return next((game.number for game in self.games if game.first), None)

    @property
    def has_sheet(self) -> bool:
        """Whether the sheet tells any game, so that there is something to compare."""
        return any(game.sheet is not None for game in self.games)

    @property
    def may_be_taken(self) -> bool:
        """Whether its games may become the sheet: a match that is decided does not become an unfinished one."""
        return bool(self.results) and (self.end is not None or not self.is_decided)

    @property
    def ends_otherwise(self) -> bool:
        """Whether the final score on the sheet is not that of the record."""
        if self.final is None or self.end is None:
            return False
        return (self.final.a, self.final.b) != (self.end.a, self.end.b)


def read_submission(match: Match, data: bytes, *, name: str, left: Side | None = None) -> Submission:
    """Read the record and replay it as one of the match; nothing need be locked.

    ``left`` is the side in the left column, which the names tell if they are those of both sides. Raises Refusal for a
    record that cannot be read, breaks a rule or is of a match of another length, where nobody can tell who is who, and
    for a ``left`` that the names contradict.
    """
    try:
        record = loads(data)
    except RecordError as error:
        raise broken(error.finding) from error
    if record.length and match.length and record.length != match.length:
        sentence = _("This record is of a match to %(record)s, and this match is to %(match)s.")
        raise Refusal("record_of_other_length", sentence % {"record": record.length, "match": match.length})
    exchanged = _left_of(match, record, left) is Side.B
    judged = _judge(match, record, exchanged=exchanged)
    if judged.verdict.value == Verdict.REFUSED and judged.finding is not None:
        raise broken(judged.finding)
    return Submission(name, data, identity_of(record, replay(record)), exchanged, _terms_of(match))


def attach(
    match: Match, submission: Submission, *, by: User | None, at: datetime, side: Side | None = None
) -> tuple[Evidence, bool]:
    """Attach the record to the match, which must be locked; the second value says whether that changed anything.

    The same record again, in the same bytes or in others, changes only who is said to be in its left column, where the
    names do not tell. A ``side`` proposes the record by its private link. Raises Conflict if the match has other terms
    by now, for a record that made a match of its own, and where the side has as many as it may have.
    """
    if _terms_of(match) != submission.terms:
        raise Conflict("match_changed", _("The match has changed in the meantime. Send the record again."))
    hold_matches([submission.identity])
    digest, placed = sha256(submission.data).hexdigest(), Evidence.attached.filter(match=match, side=side or "")
    same = Q(sha256=digest) | Q(identity=submission.identity)
    known = placed.filter(same).order_by("pk").first()
    if known is not None:
        if known.exchanged == submission.exchanged:
            return known, False
        known.exchanged = submission.exchanged
        known.save(update_fields=["exchanged"])
        return known, True
    _require_unused(submission.identity)
    if placed.count() >= PLACES:
        raise Conflict("records_too_many", _("There are as many records of this match as there may be."))
    evidence = Evidence.objects.create(
        match=match,
        sha256=digest,
        identity=submission.identity,
        name=submission.name[-200:],
        data=submission.data,
        exchanged=submission.exchanged,
        by=by if side is None else None,
        side=side.value if side else "",
        at=at,
    )
    return evidence, True


def detach(match: Match, number: int, *, at: datetime) -> Evidence:
    """Take the record with this number off the match, which must be locked; score sheet and ratings stay as they are.

    The record may be attached again, here or to another match, or imported. Raises Conflict if it is not attached here.
    """
    evidence = Evidence.attached.filter(match=match, pk=number).first()
    if evidence is None:
        raise Conflict("record_not_attached", _("This record is not attached to this match, or no longer."))
    evidence.detached_at = at
    evidence.save(update_fields=["detached_at"])
    return evidence


def _require_unused(identity: str) -> None:
    standing = Acceptance.objects.filter(taken_back_at__isnull=True)
    used = Record.objects.filter(Q(match__isnull=False) | Q(acceptances__in=standing), identity=identity)
    if (other := used.defer("data").first()) is None:
        return
    sentence = (
        _("This record was accepted as a match: it is record %(number)s.")
        if other.match_id is None
        else _("This record was imported as record %(number)s and has a match of its own, which may be rated.")
    )
    raise Conflict("record_has_match", sentence % {"number": other.pk})


def _terms_of(match: Match) -> tuple[object, ...]:
    """Return what a record of the match is judged by: its rules, its length, its start and who plays."""
    people = (match.side_a_id, match.side_b_id, match.partner_a_id, match.partner_b_id)
    return (match.profile, match.length, match.start_a, match.start_b, *people)


def lay_beside(
    evidence: Evidence, games: Sequence[GameResult], *, final: MatchScore | None = None, is_decided: bool = False
) -> Laid:
    """Tell the record beside the current sheet, its games or only its ``final`` score, with the record's players on
    their sides. ``is_decided`` says that the sheet decides the match.
    """
    record = loads(bytes(evidence.data))
    judged = _judge(evidence.match, record, exchanged=evidence.exchanged)
    results, end = judged.games, judged.score if judged.score.over else None
    if evidence.exchanged:
        results = tuple(replace(game, winner=game.winner.other) for game in results)
        end = replace(end, a=end.b, b=end.a) if end is not None else None
    before = _games_before(evidence.match, record, len(games))
    if before is None:
        before, results = len(games), ()
    compared: list[Compared] = []
    differed = False
    for number, (told, proved) in enumerate(zip_longest(games, (*(None,) * before, *results)), start=1):
        differs = number > before and (told is None or proved is None or not alike(told, proved))
        compared.append(Compared(number, told, proved, differs and not differed))
        differed = differed or differs
    finding = placed_in_words(judged.finding) if judged.finding else ""
    verdict = str(Verdict(judged.verdict.value).label)
    results = (*games[:before], *results) if results else ()
    return Laid(
        evidence, _names_told(evidence, record), verdict, finding, tuple(compared), results, final, end, is_decided
    )


def _names_told(evidence: Evidence, record: MatchRecord) -> str:
    """Return the names in the record, empty if they are the players'; a person's own name is told as the public one."""
    match = evidence.match
    a, b = match.name_a, match.name_b
    shown: dict[str, str] = {}
    for name, people in ((a, (match.side_a, match.partner_a)), (b, (match.side_b, match.partner_b))):
        own = " & ".join(own_name(person) for person in people if person)
        shown |= {fold_name(own): name, fold_name(name): name}
    told = tuple(shown.get(fold_name(name), name or "?") for name in record.names)
    return "" if told == ((b, a) if evidence.exchanged else (a, b)) else " – ".join(told)


def _games_before(match: Match, record: MatchRecord, told: int) -> int | None:
    """Return how many games were played before the record begins; None if it does not tell, or the sheet has fewer."""
    first = record.games[0]
    if first.number > 1:
        return first.number - 1 if first.number - 1 <= told else None
    return 0 if first.score in ((0, 0), (match.start_a, match.start_b), (match.start_b, match.start_a)) else None


def _judge(match: Match, record: MatchRecord, *, exchanged: bool) -> Replay:
    """Replay the record as one of this match: with its rules, its length, its start and its players."""
    order = -1 if exchanged else 1
    first, second = (match.start_a, match.start_b)[::order]
    left, right = (f"A {match.name_a}", f"B {match.name_b}")[::order]
    start = (first, second) if first or second else None
    known = Known(start=start, length=match.length, names=(left[:80], right[:80]))
    return replay(record, PROFILES[match.profile], known=known)


def _left_of(match: Match, record: MatchRecord, said: Side | None) -> Side:
    """Return the side in the left column: by the names, or as it is ``said`` if they do not tell. Raises Refusal."""
    named = _named_left(match, record)
    left = named or said
    if left is None:
        raise _unclear(match, record)
    if said not in (None, left):
        sentence = _("The record says that %(name)s is in the left column.")
        name = match.name_a if left is Side.A else match.name_b
        raise Refusal("record_sides_unclear", sentence % {"name": name}, field="left")
    return left


def _named_left(match: Match, record: MatchRecord) -> Side | None:
    """Return the side whose name stands in the left column; None unless the names are those of both sides."""
    left, right = (fold_name(name) for name in record.names)
    a, b = fold_name(match.name_a), fold_name(match.name_b)
    if a == b:
        return None
    return {(a, b): Side.A, (b, a): Side.B}.get((left, right))


def _unclear(match: Match, record: MatchRecord) -> Refusal:
    left, right = (name or "?" for name in record.names)
    sentence = _(
        "The record is of %(left)s and %(right)s, and this match is between %(a)s and %(b)s:"
        " say who is in its left column."
    )
    words = {"left": left, "right": right, "a": match.name_a, "b": match.name_b}
    return Refusal("record_sides_unclear", sentence % words, field="left")
