"""The import of match records, which become players, matches and score sheets as far as the rules prove them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.acceptance import Acceptance
from matches.claims import Claim, claim_of
from matches.counted import recount
from matches.evidence import Evidence
from matches.holding import hold_matches
from matches.models import Match, Record, Scoresheet, SheetSource, Verdict
from matches.services import Fresh, judge_fresh, store_fresh
from players.errors import Refusal
from players.models import Player
from players.registry.find import known_by
from players.rows import insert_rows
from players.services import clean_name, create_players, fold_name
from rules.errors import Finding, Severity, gettext_noop
from rules.records.formats import READERS, loads
from rules.records.identity import identity_of
from rules.records.record import RecordError
from rules.records.replay import Replay, refused, replay

HOLDS = (Verdict.PROVED, Verdict.INCOMPLETE)

MONEY_SESSION = Finding(
    "money_session",
    Severity.WARNING,
    None,
    None,
    gettext_noop(
        "The record is valid, but it is of a money session, not of a match: a money session has no length and no "
        "winner."
    ),
    {},
    "record",
)


N = TypeVar("N")
D = TypeVar("D", bound=Sized)

BATCH = 200
"""The most records that are stored in one transaction."""
TELLING = 3
"""With this many games that end alike, a score sheet and a record are of one match."""
BATCH_BYTES = 8_000_000
"""The most bytes of records in one transaction, but for the last of them."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing one record: its row, its replay, and whether the same match had been imported before.

    Then the row is that of the earlier record, which may be of other bytes (``same_bytes``).
    """

    record: Record
    replay: Replay
    known: bool
    same_bytes: bool = True


@dataclass(slots=True)
class _Judged:
    """A record that has been read and replayed: its row, not stored yet, and when its match was played.

    ``again`` is the row of the same bytes that made no match, as the record was attached when they were imported.
    """

    row: Record
    replay: Replay
    played: datetime
    sides: tuple[Player, Player] | None = None
    first: Imported | None = None
    again: Record | None = None


def import_record(data: bytes, *, name: str, at: datetime, format: str | None = None) -> Imported:
    """Store the record with its verdict and, if it holds, its match, its players and its score sheet.

    A proved record makes a confirmed sheet, an incomplete one a live sheet of the games it finishes, or none. The
    match was played when the record says (in the installation's time zone), or else ``at``, the time of the import.
    Importing the same bytes again changes nothing, and neither does a record of a match that another record made,
    whatever its format. A record that holds but whose players cannot be identified is quarantined, and so is a money
    session. Without a ``format`` it is detected from the bytes.
    """
    return import_batch([(name, data)], at=at, format=format)[0]


def import_batch(files: Sequence[tuple[str, bytes]], *, at: datetime, format: str | None = None) -> list[Imported]:
    """Import these records, each a name and its bytes, as :func:`import_record` does, in one transaction."""
    return _store([_judge(data, name=name, at=at, format=format) for name, data in files], at)


def batches(files: Iterable[tuple[N, D]], *, most: int = BATCH) -> Iterator[list[tuple[N, D]]]:
    """Yield the files, each a name and its bytes, in batches for :func:`import_batch`, in their order."""
    batch: list[tuple[N, D]] = []
    for file in files:
        batch.append(file)
        if len(batch) == most or sum(len(data) for _name, data in batch) >= BATCH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def _judge(data: bytes, *, name: str, at: datetime, format: str | None) -> _Judged:
    identity = ""
    tags: Mapping[str, str] = {}
    try:
        match_record = loads(data) if format is None else READERS[format].loads(data)
    except RecordError as error:
        result = refused(error)
    else:
        tags = match_record.tags
        result = replay(match_record)
        identity = identity_of(match_record, result)
    no_match = result.money and result.verdict.value in HOLDS
    row = Record.new(
        sha256=sha256(data).hexdigest(),
        identity=identity,
        name=name[-200:],
        data=data,
        verdict=Verdict.QUARANTINED if no_match else Verdict(result.verdict.value),
        finding=stored_finding(_of_money(result) if no_match else result.finding or _unrated(result, tags)),
        imported_at=at,
    )
    return _Judged(row, result, played_at(tags, at))


def _of_money(result: Replay) -> Finding:
    """Return why a valid record of money play makes no match."""
    return next((note for note in result.notes if note.code == "single_game"), MONEY_SESSION)


@transaction.atomic
def _store(batch: Sequence[_Judged], at: datetime) -> list[Imported]:
    # Bytes that cannot be read are known again by their digest alone.
    hold_matches(
        [one.row.identity or one.row.sha256 for one in batch],
        names=[name for one in batch if _holds(one) for name in one.replay.names],
    )
    known = _known(batch)
    new: list[_Judged] = []
    for one in batch:
        earlier = known.get(one.row.sha256) or _same_match(known.get(one.row.identity), one)
        if earlier is not None and _was_attached(earlier, one):
            one.again, one.row.pk = earlier, earlier.pk
        elif earlier is not None:
            one.first = Imported(earlier, one.replay, known=True, same_bytes=earlier.sha256 == one.row.sha256)
            continue
        known[one.row.sha256] = one.row
        if one.row.identity:
            known.setdefault(one.row.identity, one.row)
            if _holds(one):
                known[one.row.identity] = one.row
        new.append(one)
    _leave_attached(new)
    _find_sides([one for one in new if _holds(one)], at)
    _leave_told([one for one in new if _holds(one)])
    _make_matches([one for one in new if _holds(one)], at)
    insert_rows([one.row for one in new if one.again is None])
    for one in new:
        if one.again is not None:
            _judge_again(one, one.again)
    recount([one.row.match_id for one in new if one.row.match_id is not None], at=at)
    return [one.first or Imported(one.row, one.replay, known=False) for one in batch]


def _holds(one: _Judged) -> bool:
    return one.row.verdict in HOLDS


def _known(batch: Sequence[_Judged]) -> dict[str, Record]:
    """Return the stored records of these bytes and of these matches, by digest and by identity.

    Of several of one match it is the one that made the match, or else the first.
    """
    same = Q(sha256__in=[one.row.sha256 for one in batch])
    same |= Q(identity__in=[one.row.identity for one in batch if one.row.identity])
    found = list(Record.objects.filter(same).defer("data").order_by("-pk"))
    known = {record.identity: record for record in found}
    known |= {record.identity: record for record in found if record.match_id}
    return known | {record.sha256: record for record in found}


def _same_match(earlier: Record | None, one: _Judged) -> Record | None:
    """Return the earlier record of the match if this one adds nothing to it.

    A record that holds says more than an earlier one that did not, and so does one with another verdict.
    """
    if earlier is None:
        return None
    if _holds(one):
        return earlier if earlier.verdict in HOLDS else None
    alike = (earlier.verdict, earlier.finding) == (one.row.verdict, one.row.finding)
    return earlier if alike or earlier.verdict in HOLDS else None


def _was_attached(earlier: Record, one: _Judged) -> bool:
    """Whether these bytes made no match because the record was attached to one, and may make one by now."""
    finding = earlier.finding or {}
    if earlier.sha256 != one.row.sha256 or finding.get("code") != "record_attached":
        return False
    return earlier.match_id is None and not earlier.acceptances.filter(taken_back_at__isnull=True).exists()


def _judge_again(one: _Judged, earlier: Record) -> None:
    """Store what becomes of the same bytes now, in the row that they have."""
    if one.row.finding == earlier.finding:
        one.first = Imported(earlier, one.replay, known=True)
    else:
        one.row.save(force_update=True)


def _quarantine(one: _Judged, why: Finding | Refusal | ValidationError) -> None:
    found = why if isinstance(why, Finding) else _doubt(why)
    one.row.verdict, one.row.match, one.row.finding = Verdict.QUARANTINED, None, stored_finding(found)


def _leave_attached(batch: Sequence[_Judged]) -> None:
    """Quarantine the records of matches that are here already: they are attached to them, or one was accepted."""
    held = [one for one in batch if _holds(one) and one.row.identity]
    found = Evidence.attached.filter(identity__in=[one.row.identity for one in held])
    attached = dict(found.values_list("identity", "match"))
    for one in held:
        if (match := attached.get(one.row.identity)) is not None:
            template = gettext_noop("The same record is attached to match %(number)s, so it makes no match of its own.")
            _quarantine(one, _reason("record_attached", template, number=match))
    standing = Acceptance.objects.filter(taken_back_at__isnull=True)
    made = standing.filter(record__identity__in=[one.row.identity for one in held])
    accepted = dict(made.values_list("record__identity", "record"))
    for one in held:
        if (record := accepted.get(one.row.identity)) is not None:
            template = gettext_noop(
                "Record %(number)s was accepted as the same match, so this one makes none: take that back first."
            )
            _quarantine(one, _reason("record_has_match", template, number=record))


def _leave_told(batch: Sequence[_Judged]) -> None:
    """Quarantine the records of matches whose score sheets tell these people and games: they are rated already.

    A score alone, or a few games, says that only of a match to which the record has been attached: two players may meet
    again and end alike.
    """
    by_sides: dict[frozenset[int], list[_Judged]] = defaultdict(list)
    for one in batch:
        if one.sides is not None:
            by_sides[frozenset(side.pk for side in one.sides)].append(one)
    people = {pk for sides in by_sides for pk in sides}
    sheets = Scoresheet.objects.filter(state__in=Scoresheet.CURRENT, match__side_a__in=people, match__side_b__in=people)
    sheets = sheets.exclude(source=SheetSource.RECORD).select_related("match").prefetch_related("lines")
    once = Evidence.objects.filter(identity__in=[one.row.identity for one in batch if one.row.identity])
    attached = set(once.values_list("identity", "match"))
    for sheet in sheets.order_by("match"):
        match, claim = sheet.match, claim_of(sheet)
        for one in by_sides.get(frozenset((match.side_a_id, match.side_b_id)), ()):
            exchanged = one.sides is not None and one.sides[0].pk == match.side_b_id
            is_same = len(claim.games) >= TELLING or (one.row.identity, match.pk) in attached
            if is_same and match.length == one.replay.length and _tells(claim, one.replay, exchanged=exchanged):
                template = gettext_noop(
                    "The score sheet of match %(number)s tells the games of this record, so it makes no other match."
                )
                _quarantine(one, _reason("record_attached", template, number=match.pk))


def _tells(claim: Claim, result: Replay, *, exchanged: bool) -> bool:
    """Whether the claim has the games of the replay, or their score; ``exchanged`` has side A in the right column."""
    if claim.final is not None:
        return claim.final == ((result.score.b, result.score.a) if exchanged else (result.score.a, result.score.b))
    games = [(game.winner.other if exchanged else game.winner, game.points) for game in result.games]
    return [(game.winner, game.points) for game in claim.games] == games


def _find_sides(batch: Sequence[_Judged], at: datetime) -> None:
    """Find the only player with each name, or with it as another spelling, creating one where there is none.

    A record with a name that several players have, or that nobody can have, is quarantined.
    """
    spelled: dict[str, str] = {}
    named: list[tuple[_Judged, dict[str, str]]] = []
    for one in batch:
        try:
            cleaned = [clean_name(name) for name in one.replay.names]
        except (Refusal, ValidationError) as error:
            _quarantine(one, error)
            continue
        names = {fold_name(name): name for name in cleaned}
        if len(names) == 1:
            _quarantine(one, Refusal("names_equal", _("Both players are called %(name)s.") % {"name": cleaned[0]}))
            continue
        named.append((one, names))
        spelled |= {key: name for key, name in names.items() if key not in spelled}
    players = defaultdict(list, known_by(spelled))
    for one, names in named:
        shared = next((name for key, name in names.items() if len(players[key]) > 1), None)
        if shared is not None:
            several = _("Several players are called %(name)s.") % {"name": shared}
            _quarantine(one, Refusal("player_ambiguous", several))
        elif len({player.pk for key in names for player in players[key]}) == 1 and all(players[key] for key in names):
            both = " · ".join(names.values())
            _quarantine(one, Refusal("names_equal", _("%(names)s are one player.") % {"names": both}))
    wanted = {key for one, names in named if _holds(one) for key in names}
    fresh = [name for key, name in spelled.items() if key in wanted and not players[key]]
    for player in create_players(fresh, at=at):
        players[player.folded_name].append(player)
    for one, names in named:
        if _holds(one):
            left, right = (players[key][0] for key in names)
            one.sides = left, right


def _make_matches(batch: Sequence[_Judged], at: datetime) -> None:
    """Store the matches of these records, and their score sheets."""
    fresh: list[Fresh] = []
    for one in batch:
        if one.sides is None:
            continue
        result = one.replay
        match = Match.new(
            side_a_id=one.sides[0].pk,
            side_b_id=one.sides[1].pk,
            length=result.length,
            crawford=result.crawford,
            waived=[],
            penalties=[],
            created_at=at,
        )
        if result.games:
            claim = Claim(key=one.row.sha256, games=result.games, confirmed=True)
            try:
                fresh.append(judge_fresh(match, claim, at=one.played))
            except Refusal as error:
                _quarantine(one, error)
                continue
        one.row.match = match
    insert_rows([one.row.match for one in batch if one.row.match is not None])
    store_fresh(fresh, source=SheetSource.RECORD)


def _doubt(error: Refusal | ValidationError) -> Finding:
    """Return the reason why a valid record creates no match, as a finding."""
    code = error.code if isinstance(error, Refusal) else "player_invalid"
    reason = str(error) if isinstance(error, Refusal) else " ".join(error.messages)
    template = gettext_noop("The record is valid, but its result cannot be credited to two players: %(reason)s")
    return _reason(code, template, reason=reason)


def _reason(code: str, template: str, **params: str | int) -> Finding:
    return Finding(code, Severity.WARNING, None, None, template, params, "record")


def _unrated(result: Replay, tags: Mapping[str, str]) -> Finding | None:
    """Return what keeps a valid record's match out of the ratings.

    The codes are in ``matches.ratings.UNRATED``.
    """
    if tags.get("Unrated", "Off").strip().lower() not in {"off", "no", "0", ""}:
        template = gettext_noop("The record says that the match is not rated.")
        return Finding("unrated", Severity.WARNING, None, None, template, {}, "record")
    if not result.both_moved:
        template = gettext_noop("One side never moved, so the match is not rated.")
        return Finding("not_begun", Severity.WARNING, None, None, template, {}, "record")
    return None


def stored_finding(finding: Finding | None) -> dict[str, object] | None:
    """Return the finding in the form a record keeps: its sentence in English, and what is needed to translate it."""
    if finding is None:
        return None
    return {**finding.as_dict(), "template": finding.template, "params": dict(finding.params)}


def played_at(tags: Mapping[str, str], imported_at: datetime) -> datetime:
    """Return when the record says the match was played; ``imported_at`` if it says nothing or a time in the future."""
    date, time = tags.get("EventDate", "").strip(), tags.get("EventTime", "").strip()
    for text, form in ((f"{date} {time}", "%Y.%m.%d %H.%M"), (date, "%Y.%m.%d")):
        try:
            naive = datetime.strptime(text, form)  # noqa: DTZ007 - the zone follows
            played = timezone.make_aware(naive).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
        return played if played <= imported_at else imported_at
    return imported_at
