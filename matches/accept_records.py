"""Accepting a record that does not prove its match, with what an officer knows and why; and taking that back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.acceptance import MOST_WORDS, Acceptance
from matches.claims import Claim, check_claim, is_decided
from matches.evidence import Evidence
from matches.holding import hold_matches
from matches.import_records import played_at
from matches.models import Match, Record, SheetSource
from matches.services import judge_fresh, store_fresh, void_everything
from players.errors import Conflict, Refusal, in_words
from players.models import Player, User
from players.registry.find import known_by
from players.registry.roles import require_importer
from players.rows import insert_rows
from players.services import clean_name, create_players, fold_name
from rules.errors import Finding
from rules.final_score import check_final
from rules.records.formats import loads
from rules.records.known import Known, parse_known
from rules.records.record import MatchRecord, RecordError
from rules.records.replay import Replay, Verdict, replay, score_at
from rules.score import MatchScore
from rules.sheet import Terms

KNOWN = ("start", "length", "left", "right", "gave_up")
"""What somebody may say of a record, as it is kept with the acceptance."""


@dataclass(frozen=True, slots=True)
class Told:
    """A record as an officer tells it: judged by the rules with what they know, and the score at which it begins."""

    record: MatchRecord
    judged: Replay
    start: MatchScore

    @property
    def is_whole(self) -> bool:
        """Whether the record's games show the end of the match."""
        return self.judged.length > 0 and self.judged.score.over

    def allows(self, final: tuple[int, int]) -> bool:
        """Whether the match can end with this score after the games that the record proves."""
        proved = self.judged.score
        start = (proved.a, proved.b)
        terms = Terms(proved.length, crawford=proved.crawford, start=start, crawford_done=proved.crawford_done)
        return not check_final(terms, *final).errors


def read_known(known: Mapping[str, str]) -> Known:
    """Read what somebody says of a record. Raises Refusal."""
    said = {key: known.get(key, "") for key in KNOWN}
    names = said.pop("left"), said.pop("right")
    try:
        return parse_known(names=names, **said)
    except RecordError as error:
        raise Refusal(error.finding.code, in_words(error.finding)) from error


def judge_told(data: bytes, known: Mapping[str, str]) -> Told:
    """Judge a record with what is said of it. Raises Refusal if it breaks a rule, or is of no match even then."""
    said = read_known(known)
    try:
        record = loads(data)
    except RecordError as error:
        raise broken(error.finding) from error
    judged = replay(record, known=said)
    if judged.verdict is Verdict.REFUSED and judged.finding is not None:
        raise broken(judged.finding)
    if judged.money:
        raise Refusal(
            "record_of_money", _("Money play makes no match. If it was a match, say its length."), field="length"
        )
    applied = said.applied(record)
    first = applied.games[0]
    return Told(record, judged, score_at(applied, said.start or (first.score if first.number > 1 else (0, 0))))


def broken(finding: Finding) -> Refusal:
    """Return the refusal of a record for this finding."""
    return Refusal("record_breaks_rule", placed_in_words(finding), findings=[finding])


def placed_in_words(finding: Finding) -> str:
    """Return the finding in the reader's language, after the game and the row that it is about."""
    place, message = {"game": finding.game, "row": finding.row}, in_words(finding)
    if finding.row is not None:
        return _("Game %(game)s, row %(row)s:") % place + f" {message}"
    return _("Game %(game)s:") % place + f" {message}" if finding.game is not None else message


def standing_acceptance(record: Record) -> Acceptance | None:
    """Return the acceptance of the record that has not been taken back, with its match; None if there is none."""
    return record.acceptances.filter(taken_back_at__isnull=True).select_related("match", "by").first()


def accept_record(
    record: Record,
    *,
    known: Mapping[str, str],
    reason: str,
    final: tuple[int, int] | None = None,
    players: tuple[int | None, int | None] = (None, None),
    by: User | None,
    at: datetime,
) -> Acceptance:
    """Accept a record without a match as one, with a confirmed score sheet; it is never rated.

    The games are those of the record judged with what is ``known``, or only a ``final`` score, left column first, where
    the record does not show how it went. ``players`` are the ids of those in the columns where names do not tell.

    Raises Forbidden, Conflict for a record whose match is here already, and Refusal for one that breaks a rule, without
    a reason, or of which the end of the match is not known or is another than its games allow.
    """
    require_importer(by)
    reason = _reason(reason)
    told = judge_told(bytes(record.data), known)
    if final is None and not told.is_whole:
        sentence = _("The record does not show the end of the match: say the final score.")
        raise Refusal("final_missing", sentence, field="final")
    kept = {key: text for key in KNOWN if (text := known.get(key, "").strip())}
    acceptance = Acceptance(record=record, known=kept, reason=reason, by=by, at=at)
    return _store_accepted(acceptance, told, final, players)


@transaction.atomic
def _store_accepted(
    acceptance: Acceptance, told: Told, final: tuple[int, int] | None, players: tuple[int | None, int | None]
) -> Acceptance:
    """Store the acceptance with its match, if nobody has made that meanwhile and its officer still is one."""
    at = acceptance.at
    unchosen = [name for name, pk in zip(told.judged.names, players, strict=True) if pk is None]
    hold_matches([acceptance.record.identity], unchosen)
    require_importer(acceptance.by)
    _require_no_match(Record.objects.defer("data").get(pk=acceptance.record_id))
    left, right = _sides(told.judged.names, players, at)
    match = Match(
        side_a=left,
        side_b=right,
        length=told.judged.length,
        crawford=told.judged.crawford,
        start_a=told.start.a,
        start_b=told.start.b,
        crawford_done=told.start.crawford_done,
        created_at=at,
    )
    games, end = (told.judged.games, None) if told.is_whole else ((), final)
    claim = Claim(key=acceptance.record.sha256, games=games, final=end, confirmed=True)
    if not is_decided(claim, check_claim(match.terms, claim)[0]):
        raise Refusal("final_not_over", _("With this score the match is not over."), field="final")
    if final is not None and not told.allows(final):
        sentence = _("The record proves %(a)s–%(b)s, so the match cannot have ended %(left)s–%(right)s.")
        proved = told.judged.score
        said = {"a": proved.a, "b": proved.b, "left": final[0], "right": final[1]}
        raise Refusal("final_not_of_record", sentence % said, field="final")
    fresh = judge_fresh(match, claim, at=played_at(told.record.tags, at))
    insert_rows([match])
    store_fresh([fresh], source=SheetSource.RECORD)
    acceptance.match = match
    acceptance.save(force_insert=True)
    return acceptance


@transaction.atomic
def take_back_acceptance(record: Record, *, reason: str, by: User | None, at: datetime) -> Acceptance:
    """Take the acceptance of the record back: its match is void.

    Raises Forbidden, Refusal without a reason, and Conflict if it is not accepted.
    """
    found = Record.objects.select_for_update().defer("data").get(pk=record.pk)
    require_importer(by)
    reason = _reason(reason)
    acceptance = standing_acceptance(found)
    if acceptance is None:
        raise Conflict("record_not_accepted", _("This record is not accepted: its acceptance has been taken back."))
    void_everything(acceptance.match, by=by, at=at, reason=reason)
    acceptance.taken_back_at, acceptance.taken_back_by, acceptance.taken_back_for = at, by, reason
    acceptance.save(update_fields=["taken_back_at", "taken_back_by", "taken_back_for"])
    return acceptance


def _reason(text: str) -> str:
    reason = " ".join(text.split())
    if not reason:
        raise Refusal("reason_missing", _("Give a reason."), field="reason")
    return reason[:MOST_WORDS]


def _require_no_match(record: Record) -> None:
    if record.match_id is not None or standing_acceptance(record) is not None:
        raise Conflict("record_has_match", _("This record has made a match already."))
    if not record.identity:
        return
    same = Record.objects.filter(identity=record.identity).exclude(pk=record.pk)
    made = same.filter(match__isnull=False) | same.filter(acceptances__in=Acceptance.objects.filter(taken_back_at=None))
    if (other := made.first()) is not None:
        sentence = _("The same match has been imported as record %(number)s.") % {"number": other.pk}
        raise Conflict("record_has_match", sentence)
    attached = Evidence.attached.filter(identity=record.identity).first()
    if attached is not None:
        sentence = _("The same match is match %(number)s of an event: its record is attached there.")
        raise Conflict("record_attached", sentence % {"number": attached.match_id})


def _sides(names: tuple[str, str], players: tuple[int | None, int | None], at: datetime) -> tuple[Player, Player]:
    left, right = (_player(name, pk, at) for name, pk in zip(names, players, strict=True))
    if left.pk == right.pk:
        raise Refusal("names_equal", _("Both players are %(name)s.") % {"name": left.name})
    return left, right


def _player(name: str, pk: int | None, at: datetime) -> Player:
    """Return the player with this id, or the only one of this name, who is created if there is none."""
    if pk is not None:
        chosen = Player.objects.select_related("merged_into").filter(pk=pk).first()
        if chosen is None:
            raise Refusal("player_unknown", _("There is no such player."))
        return chosen.merged_into or chosen
    found = namesakes(name)
    if len(found) > 1:
        raise Refusal("player_ambiguous", _("Several players are called %(name)s.") % {"name": name})
    return found[0] if found else create_players([clean_name(name)], at=at)[0]


def namesakes(name: str) -> list[Player]:
    """Return the players of this name, or with it as another spelling."""
    folded = fold_name(clean_name(name))
    return sorted(known_by([folded]).get(folded, ()), key=lambda player: player.pk)
