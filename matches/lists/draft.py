"""The next publication of a list as it would be: what a preview shows, and what is stored once it is confirmed."""

import zlib
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from django.utils import timezone
from django.utils.translation import gettext as _

from matches.lists.counting import Source, moment
from matches.lists.history import Issue, base_for, before_from, corrections_of, issues_of
from players.errors import Conflict, Refusal, in_words
from players.lists.document import Made, criteria_from_json, make_document
from players.lists.facts import Known, Registry
from players.lists.models import OfficialList, StartValue
from players.lists.systems import written
from players.lists.values import Base, Correction, Head, Line, Start
from players.parameters import ParameterError
from players.ratings import RatingSystem, build_system

LEVEL = 6


@dataclass(frozen=True, slots=True)
class Cut:
    """What a publication goes by: its day, the moment up to which matches count, and the day of the memberships."""

    as_of: date
    matches_until: datetime
    memberships_until: date


@dataclass(frozen=True, slots=True)
class Draft:
    """A publication that is not stored: its head, what came of it, the names, and the packed document if asked for.

    ``gone`` are the values of players who were on the publication before and are not on this one.
    """

    head: Head
    cut: Cut
    previous: Issue | None
    made: Made
    known: dict[int, Known]
    gone: dict[int, str]
    packed: bytes

    @property
    def new(self) -> list[Line]:
        return [line for line in self.made.lines if line.delta is None]

    @property
    def changed(self) -> list[Line]:
        return [line for line in self.made.lines if line.delta is not None and Decimal(line.delta)]

    @property
    def unchanged(self) -> list[Line]:
        return [line for line in self.made.lines if line.delta is not None and not Decimal(line.delta)]

    @property
    def corrections(self) -> tuple[Correction, ...]:
        return self.head.corrections


def end_of(day: date) -> datetime:
    """Return the last moment of the day, in the time zone of the reader."""
    return timezone.make_aware(datetime.combine(day, time.max))


def draft_next(official_list: OfficialList, cut: Cut, *, at: datetime, source: Source, keep: bool = False) -> Draft:
    """Return the next publication of the list as of now; nothing is stored. ``keep`` packs its document.

    The same rows give the same document, to the byte, however often. Raises Refusal for a cut-off in the future and for
    a list whose system or criteria this program does not know, Conflict for one that is no later than the last.
    """
    issues = issues_of(official_list)
    previous = issues[max(issues)] if issues else None
    _check(official_list, cut, previous, at)
    corrections = corrections_of(official_list, issues, source)
    issue, base = base_for(issues, corrections)
    system = system_of(official_list)
    head = head_for(official_list, system, cut, previous, base, corrections)
    registry = Registry(official_list, head.number, cut.memberships_until)
    packer, pieces = zlib.compressobj(LEVEL), list[bytes]()

    def pack(piece: bytes) -> None:
        pieces.append(packer.compress(piece))

    after = issue.matches_until if issue else official_list.counts_from
    matches = source.counted(official_list, after, cut.matches_until)
    made = make_document(head, system, matches, registry.facts_of, pack if keep else len)
    listed = {line.player for line in made.lines}
    gone = {player: value for player, value in head.before.values.items() if player not in listed}
    packed = b"".join([*pieces, packer.flush()]) if keep else b""
    return Draft(head, cut, previous, made, registry.known, gone, packed)


def system_of(official_list: OfficialList) -> RatingSystem:
    """Return the rating system of the list. Raises Refusal if this program does not know it."""
    try:
        return build_system(official_list.kind, official_list.parameters)
    except ParameterError as error:
        raise Refusal(error.code, in_words(error)) from error


def head_for(
    official_list: OfficialList,
    system: RatingSystem,
    cut: Cut,
    previous: Issue | None,
    base: Base,
    corrections: tuple[Correction, ...],
) -> Head:
    """Return the head of the publication after ``previous``, whose run goes on from ``base``. Raises Refusal."""
    try:
        criteria = criteria_from_json(official_list.criteria)
    except (ValueError, KeyError, TypeError) as error:
        raise Refusal("list_not_computable", _("This program does not know the criteria of this list.")) from error
    federation = official_list.federation
    return Head(
        slug=official_list.slug,
        name=official_list.name,
        federation=federation.code if federation else "",
        number=previous.number + 1 if previous else 1,
        as_of=cut.as_of,
        matches_until=moment(cut.matches_until),
        memberships_until=cut.memberships_until,
        kind=official_list.kind,
        parameters=written(system),
        places=official_list.places,
        criteria=criteria,
        base=base,
        before=before_from(previous),
        starts=_starts(official_list, set(base.standings)),
        corrections=corrections,
    )


def _starts(official_list: OfficialList, known: set[int]) -> dict[int, Start]:
    rows = StartValue.objects.filter(official_list=official_list).values_list("player", "value", "experience")
    return {player: Start(float(value), experience) for player, value, experience in rows if player not in known}


def _check(official_list: OfficialList, cut: Cut, previous: Issue | None, at: datetime) -> None:
    if cut.matches_until > at:
        raise Refusal(
            "cut_off_in_future", _("Matches can be counted up to now, not up to a later time."), field="matches_until"
        )
    earliest = previous.matches_until if previous else official_list.counts_from
    if earliest is not None and cut.matches_until <= earliest:
        raise Conflict(
            "cut_off_not_later",
            _("Matches have been counted up to then already: choose a time after that of the publication before."),
            field="matches_until",
        )
