"""The import of match records, which become players, matches and score sheets as far as the rules prove them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.claims import Claim
from matches.counted import recount
from matches.models import Match, Record, SheetSource, Verdict
from matches.services import submit_sheet
from players.errors import Refusal
from players.models import Player
from players.services import clean_name, create_player, fold_name
from rules.errors import Finding, Severity, gettext_noop
from rules.records.formats import FORMATS, loads
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


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing one record: its row, its replay, and whether the same bytes had been imported before."""

    record: Record
    replay: Replay
    known: bool


def import_record(data: bytes, *, name: str, at: datetime, format: str | None = None) -> Imported:
    """Store the record with its verdict and, if it holds, its match, its players and its score sheet.

    A proved record makes a confirmed sheet, an incomplete one a live sheet of the games it finishes, or none. The
    match was played when the record says (in the installation's time zone), or else ``at``, the time of the import.
    Importing the same bytes again changes nothing. A record that holds but whose players cannot be identified is
    quarantined, and so is a money session. Without a ``format`` it is detected from the bytes.
    """
    digest = sha256(data).hexdigest()
    try:
        match_record = loads(data) if format is None else FORMATS[format].loads(data)
    except RecordError as error:
        tags: Mapping[str, str] = {}
        result = refused(error)
    else:
        tags = match_record.tags
        result = replay(match_record)
    known = Record.objects.filter(sha256=digest).first()
    if known is not None:
        return Imported(known, result, known=True)
    no_match = result.money and result.verdict.value in HOLDS
    row = Record(
        sha256=digest,
        name=name[-200:],
        data=data,
        verdict=Verdict.QUARANTINED if no_match else Verdict(result.verdict.value),
        finding=stored_finding(MONEY_SESSION if no_match else result.finding or _unrated(result, tags)),
        imported_at=at,
    )
    try:
        _store(row, result, played_at=_played_at(tags, at))
    except IntegrityError:
        known = Record.objects.filter(sha256=digest).first()
        if known is None:
            raise
        return Imported(known, result, known=True)
    return Imported(row, result, known=False)


def _store(row: Record, result: Replay, *, played_at: datetime) -> None:
    try:
        with transaction.atomic():
            if row.verdict in HOLDS:
                row.match = _make_match(row, result, played_at)
            row.save()
            if row.match is not None:
                recount([row.match.pk], at=row.imported_at)
    except (Refusal, ValidationError) as error:
        row.verdict, row.match, row.pk = Verdict.QUARANTINED, None, None
        row.finding = stored_finding(_doubt(error))
        row.save()


def _make_match(row: Record, result: Replay, played_at: datetime) -> Match:
    side_a, side_b = (_player(name, at=row.imported_at) for name in result.names)
    if side_a == side_b:
        raise Refusal("names_equal", _("Both players are called %(name)s.") % {"name": side_a.name})
    match = Match(
        side_a=side_a, side_b=side_b, length=result.length, crawford=result.crawford, created_at=row.imported_at
    )
    match.full_clean()
    match.save()
    if result.games:
        claim = Claim(key=row.sha256, games=result.games, confirmed=True)
        submit_sheet(match, claim=claim, source=SheetSource.RECORD, by=None, at=played_at)
    return match


def _player(name: str, *, at: datetime) -> Player:
    """Return the only player with this name, creating one if there is none. Raises Refusal if several have it."""
    folded = fold_name(clean_name(name))
    known = list(Player.objects.filter(folded_name=folded)[:2])
    if len(known) > 1:
        raise Refusal("player_ambiguous", _("Several players are called %(name)s.") % {"name": clean_name(name)})
    return known[0] if known else create_player(name=name, at=at)


def _doubt(error: Refusal | ValidationError) -> Finding:
    """Return the reason why a valid record creates no match, as a finding."""
    code = error.code if isinstance(error, Refusal) else "player_invalid"
    reason = str(error) if isinstance(error, Refusal) else " ".join(error.messages)
    template = gettext_noop("The record is valid, but its result cannot be credited to two players: %(reason)s")
    return Finding(code, Severity.WARNING, None, None, template, {"reason": reason}, "record")


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


def _played_at(tags: Mapping[str, str], imported_at: datetime) -> datetime:
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
