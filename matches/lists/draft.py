"""The next publication of a list as it would be: what a preview shows, and what is stored once it is confirmed."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from matches.lists.counting import Source, moment
from matches.lists.history import Issue, base_for, before_from, corrections_of, counts_after, issues_of
from players.errors import Conflict, Refusal
from players.lists.criteria import provisional_in
from players.lists.document import Made, criteria_from_json, make_document
from players.lists.facts import Known, Registry
from players.lists.make import check_day, system_of
from players.lists.models import OfficialList, StartValue
from players.lists.run import ENGINE
from players.lists.systems import written
from players.lists.unlisted import why_unlisted
from players.lists.values import Base, Correction, Criteria, Head, Line, Start
from players.ratings import RatingSystem
from players.registry.countries import one_code

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

    ``gone`` are the values of players who were on the publication before and are not on this one. ``unlisted`` are the
    players who have a rating and do not stand on the list, the highest first, with the code of the reason.
    """

    head: Head
    cut: Cut
    previous: Issue | None
    made: Made
    known: dict[int, Known]
    gone: dict[int, str]
    unlisted: dict[int, str]
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


def cut_on(of: date, *, matches_until: date, members_on: date) -> Cut:
    """Return the cut of a list of one day, with the matches up to the end of another and the memberships of a third.

    Raises Refusal for a day that no list can have.
    """
    for field, day in {"of": of, "matches_until": matches_until, "members_on": members_on}.items():
        check_day(day, field)
    return Cut(of, end_of(matches_until), members_on)


def draft_next(official_list: OfficialList, cut: Cut, *, at: datetime, source: Source, keep: bool = False) -> Draft:
    """Return the next publication of the list as of now; nothing is stored. ``keep`` packs its document.

    The same rows give the same document, to the byte, however often. A first one that cuts off on the day before
    matches count is made of the start values alone. Raises Refusal for a cut-off in the future or before that day, and
    for a list whose system or criteria this program does not know, Conflict for one that is no later than the last.
    """
    issues = issues_of(official_list)
    previous = issues[max(issues)] if issues else None
    _check(official_list, cut, previous, at)
    corrections = corrections_of(official_list, issues, source)
    criteria = _criteria_of(official_list)
    issue, base = base_for(issues, corrections, criteria.class_matches)
    system = system_of(official_list)
    head = _head_for(official_list, system, criteria, cut, previous, base, corrections)
    registry = Registry(official_list, head.number, cut.memberships_until)
    packer, pieces = zlib.compressobj(LEVEL), list[bytes]()

    def pack(piece: bytes) -> None:
        pieces.append(packer.compress(piece))

    matches = source.counted(official_list, counts_after(official_list, issue), cut.matches_until)
    made = make_document(head, system, matches, registry.facts_of, pack if keep else len)
    listed = {line.player for line in made.lines}
    gone = {player: value for player, value in head.before.values.items() if player not in listed}
    packed = b"".join([*pieces, packer.flush()]) if keep else b""
    unlisted = _unlisted(made, registry.known, head, system)
    return Draft(head, cut, previous, made, registry.known, gone, unlisted, packed)


def _unlisted(made: Made, known: Mapping[int, Known], head: Head, system: RatingSystem) -> dict[int, str]:
    listed = {line.player for line in made.lines}
    rest = {player: one for player, one in made.standings.items() if player not in listed}
    provisional = provisional_in(rest, head.criteria, system, head.as_of)
    return {
        player: why_unlisted(known.get(player), head.criteria, is_provisional=player in provisional)
        for player in sorted(rest, key=lambda player: (-rest[player].rating.value, player))
    }


def _criteria_of(official_list: OfficialList) -> Criteria:
    try:
        criteria = criteria_from_json(official_list.criteria)
    except (ValueError, KeyError, TypeError) as error:
        raise Refusal("list_not_computable", _("This program does not know the criteria of this list.")) from error
    return replace(criteria, nation=one_code(criteria.nation))


def _head_for(
    official_list: OfficialList,
    system: RatingSystem,
    criteria: Criteria,
    cut: Cut,
    previous: Issue | None,
    base: Base,
    corrections: tuple[Correction, ...],
) -> Head:
    """Return the head of the publication after ``previous``, whose run goes on from ``base``."""
    federation = official_list.federation
    return Head(
        engine=ENGINE,
        zone=timezone.get_default_timezone_name(),
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
    if previous is not None and cut.matches_until <= previous.matches_until:
        raise Conflict(
            "cut_off_not_later",
            _("Matches have been counted up to then already: choose a later day than the publication before."),
            field="matches_until",
        )
    if official_list.counts_from is not None:
        first = timezone.localdate(official_list.counts_from)
        before = first - timedelta(days=1)
        if timezone.localdate(cut.matches_until) < before:
            said = {"first": date_format(first), "before": date_format(before)}
            raise Refusal(
                "cut_off_too_early",
                _("Matches count from %(first)s: choose %(before)s or a later day.") % said,
                field="matches_until",
            )
