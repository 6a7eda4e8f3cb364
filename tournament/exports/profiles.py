"""Export profiles: how a federation or an organiser wants their tables. Those who keep them make, change, use them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.lines import is_visible, one_line
from players.lists.models import OfficialList
from players.models import Federation, User
from players.services import clean_name
from tournament.exports.federation import Asked
from tournament.exports.keepers import Keeper, keeper_of, locked, require_keeper
from tournament.exports.kinds import KINDS, kinds_for
from tournament.exports.layout import (
    DATES,
    DECIMALS,
    DELIMITERS,
    ENCODINGS,
    WRITERS,
    Layout,
    LongTable,
    is_made_at_once,
)
from tournament.exports.reported import OWN_ISSUER
from tournament.models import Every, ExportProfile

MAX_TITLE = 60
MOST_PROFILES = 100
"""Of a federation, or of an organiser."""
MOST_DAYS = 3653
"""The longest time of which one file may tell: ten years."""


@dataclass(frozen=True, slots=True)
class ProfileData:
    """A profile as it is typed; ``list`` is the address of a list, or empty."""

    name: str
    kind: str
    columns: Sequence[tuple[str, str]]
    list: str = ""
    format: str = "csv"
    delimiter: str = ";"
    decimal: str = ","
    encoding: str = "utf-8-sig"
    dates: str = "iso"
    names_schema: bool = False
    every: str = ""


CHOICES = {
    "format": tuple(WRITERS),
    "delimiter": DELIMITERS,
    "decimal": DECIMALS,
    "encoding": ENCODINGS,
    "dates": tuple(DATES),
    "every": tuple(Every.values),
}


@transaction.atomic
def make_profile(keeper: Keeper, data: ProfileData, *, by: User | None, at: datetime) -> ExportProfile:
    """Store a new profile. Raises Forbidden, Refusal, and Conflict for a name in use or too many of them."""
    keeper = locked(keeper)
    require_keeper(by, keeper)
    if keeper.export_profiles.count() >= MOST_PROFILES:
        raise Conflict("profiles_too_many", _("The limit on export profiles has been reached."))
    return _store(_blank(keeper, at), data, by=by, at=at)


@transaction.atomic
def change_profile(profile: ExportProfile, data: ProfileData, *, by: User | None, at: datetime) -> ExportProfile:
    """Store how the profile is from now on; its kind stays. Raises Forbidden, Refusal and Conflict."""
    require_keeper(by, locked(keeper_of(profile)))
    profile = ExportProfile.objects.select_for_update(of=("self",)).get(pk=profile.pk)
    if data.kind != profile.kind:
        raise Conflict("kind_stays", _("A profile stays one of its kind of table: make another one."), field="kind")
    return _store(profile, data, by=by, at=at)


@transaction.atomic
def remove_profile(profile: ExportProfile, *, by: User | None) -> None:
    """Remove the profile; files that were made with it stay for their time. Raises Forbidden."""
    require_keeper(by, locked(keeper_of(profile)))
    ExportProfile.objects.filter(pk=profile.pk).delete()


def checked(keeper: Keeper, data: ProfileData, *, at: datetime) -> ExportProfile:
    """Return the profile as it would be stored, for a preview. Raises Refusal."""
    return _filled(_blank(keeper, at), data)


def _blank(keeper: Keeper, at: datetime) -> ExportProfile:
    if isinstance(keeper, Federation):
        return ExportProfile(federation=keeper, made_at=at)
    return ExportProfile(organiser=keeper, made_at=at)


def open_table(profile: ExportProfile, *, first: date, last: date) -> tuple[LongTable, Layout]:
    """Return what the profile exports of these days, both included, and how it is written.

    Raises Refusal for days that cannot be, and what the kind of table raises.
    """
    if not first <= last or (last - first).days > MOST_DAYS:
        raise Refusal("days_out_of_order", _("The first day comes before the last, by ten years at most."), field="to")
    if not all(1900 <= day.year <= 2200 for day in (first, last)):
        raise Refusal("day_out_of_range", _("A day must be between the years 1900 and 2200."), field="from")
    kind = KINDS[profile.kind]
    table = kind.open(Asked(profile.federation, profile.official_list, first, last, profile.organiser))
    return table, layout_of(profile, table.schema, first, last)


def open_at_once(profile: ExportProfile, *, first: date, last: date) -> tuple[LongTable, Layout]:
    """Do as :func:`open_table`. Raises Conflict as well, for a file that takes too long to wait for."""
    table, layout = open_table(profile, first=first, last=last)
    if not is_made_at_once(table, layout):
        raise Conflict(
            "export_too_long",
            _("This file takes longer than two seconds to make: have it made and kept, and fetch it when it is ready."),
        )
    return table, layout


def layout_of(profile: ExportProfile, schema: str, first: date, last: date) -> Layout:
    whose = profile.federation.code if profile.federation is not None else OWN_ISSUER
    head = (schema, whose, first.isoformat(), last.isoformat()) if profile.names_schema else ()
    return Layout(
        tuple((name, title) for name, title in profile.columns),
        profile.format,
        profile.delimiter,
        profile.decimal,
        profile.encoding,
        profile.dates,
        head,
    )


def file_name(profile: ExportProfile, last: date) -> str:
    """Return the name of a file that the profile makes; it holds no letters that a header could not."""
    issuer = profile.federation.issuer if profile.federation is not None else OWN_ISSUER
    return f"{issuer}-{profile.kind}-{profile.pk}-{last.isoformat()}.{profile.format}"


def period_before(every: str, day: date) -> tuple[date, date]:
    """Return the latest whole day, week from Monday, or month that had ended before this day."""
    if every == Every.DAY:
        last = first = day - timedelta(days=1)
    elif every == Every.WEEK:
        last = day - timedelta(days=day.isoweekday())
        first = last - timedelta(days=6)
    else:
        last = day.replace(day=1) - timedelta(days=1)
        first = last.replace(day=1)
    return first, last


def _store(profile: ExportProfile, data: ProfileData, *, by: User | None, at: datetime) -> ExportProfile:
    before = profile.every
    profile = _filled(profile, data)
    if keeper_of(profile).export_profiles.exclude(pk=profile.pk).filter(name=profile.name).exists():
        raise Conflict("profile_exists", _("There is an export profile of this name already."), field="name")
    if not profile.every:
        profile.asked_until = profile.scheduled_by = None
    else:
        # The period that goes on now is the first of which a file is made.
        if before != profile.every:
            profile.asked_until = period_before(profile.every, timezone.localtime(at).date())[1]
        profile.scheduled_by = by
    profile.save()
    return profile


def _filled(profile: ExportProfile, data: ProfileData) -> ExportProfile:
    keeper = keeper_of(profile)
    if data.kind not in kinds_for(keeper):
        raise Refusal("export_kind_unknown", _("There is no such kind of table."), field="kind")
    for field, choices in CHOICES.items():
        if getattr(data, field) not in choices:
            raise Refusal("choice_unknown", _("This is not one of the choices."), field=field)
        setattr(profile, field, getattr(data, field))
    profile.name, profile.kind, profile.names_schema = clean_name(data.name), data.kind, data.names_schema
    profile.columns = _columns(data)
    profile.official_list = _list(keeper, data)
    return profile


def _columns(data: ProfileData) -> list[list[str]]:
    known = KINDS[data.kind].columns
    names = [name for name, _title in data.columns]
    titles = [one_line(title) or name for name, title in data.columns]
    if not names or len(set(names)) < len(names) or not set(names) <= set(known):
        raise Refusal(
            "columns_unreadable", _("A table has one column or more, each once, of those of its kind."), field="columns"
        )
    if len(set(titles)) < len(titles):
        raise Refusal("titles_twice", _("Two columns have the same name."), field="columns")
    if any(len(title) > MAX_TITLE or not is_visible(title) for title in titles):
        sentence = _("The name of a column has at most %(limit)s characters that can be shown.")
        raise Refusal("title_unreadable", sentence % {"limit": MAX_TITLE}, field="columns")
    return [[name, title] for name, title in zip(names, titles, strict=True)]


def _list(keeper: Keeper, data: ProfileData) -> OfficialList | None:
    if not data.list:
        if KINDS[data.kind].needs_list:
            raise Refusal("ranking_without_list", _("A ranking list is of one list: choose it."), field="list")
        return None
    found = OfficialList.objects.filter(slug=data.list, federation=keeper.pk).first()
    if found is None or not isinstance(keeper, Federation):
        raise Refusal("list_unknown", _("This federation has no list of this address."), field="list")
    return found
