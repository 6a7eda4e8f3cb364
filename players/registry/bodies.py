"""Federations and clubs. A superuser adds federations; their officers edit them, and keep their clubs."""

import re
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.lines import one_line
from players.models import MAX_CODE, Club, Federation, User
from players.registry.countries import alpha_2
from players.registry.records import check_pattern
from players.registry.roles import forbidden, is_officer_of, reach_of, require_club, require_federation
from players.services import clean_name


@dataclass(frozen=True, slots=True)
class FederationData:
    """A federation as it is typed; ``parent`` is a code, or empty."""

    code: str
    name: str
    country: str = ""
    parent: str = ""
    year_starts_month: int = 1
    year_starts_day: int = 1
    number_pattern: str = ""


@dataclass(frozen=True, slots=True)
class ClubData:
    """A club as it is typed; ``federation`` is a code, or empty."""

    name: str
    code: str = ""
    town: str = ""
    federation: str = ""


@transaction.atomic
def create_federation(data: FederationData, *, by: User | None) -> Federation:
    """Add a federation. Raises Forbidden unless a superuser asks, Refusal, and Conflict for a code or name in use."""
    if not reach_of(by).everywhere:
        raise forbidden()
    return _store_federation(Federation(), data)


@transaction.atomic
def edit_federation(federation: Federation, data: FederationData, *, by: User | None) -> Federation:
    """Store what is known of a federation; its code stays, because numbers and titles are issued under it.

    Raises Forbidden, Refusal and Conflict.
    """
    federation = Federation.objects.select_for_update().get(pk=federation.pk)
    require_federation(by, federation)
    if data.code.strip().upper() != federation.code:
        raise Conflict("code_stays", _("The code stays: numbers and titles are issued under it."), field="code")
    return _store_federation(federation, data)


@transaction.atomic
def create_club(data: ClubData, *, by: User | None) -> Club:
    """Add a club to a federation. Raises Forbidden, Refusal, and Conflict for a code or name in use."""
    federation = _federation(data.federation)
    if federation is None:
        if not reach_of(by).everywhere:
            raise forbidden()
    else:
        require_federation(by, federation)
    return _store_club(Club(federation=federation), data)


@transaction.atomic
def edit_club(club: Club, data: ClubData, *, by: User | None) -> Club:
    """Store what is known of a club. An officer may take a club of no federation into theirs.

    The manager may not change its federation. Raises Forbidden, Refusal, and Conflict: an officer takes no club in
    which others keep people, as its people are those of its federation.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    federation = _federation(data.federation)
    reach = reach_of(by)
    if club.federation_id is not None or not reach.is_officer:
        require_club(by, club)
    if (federation.pk if federation else None) != club.federation_id:
        for changed in (club.federation, federation):
            if changed is not None:
                require_federation(by, changed)
        if club.federation_id is None and not is_officer_of(by, list(club.players.all())):
            raise Conflict(
                "club_of_others",
                _("Members of other federations play in this club, so only an administrator can take it in."),
                field="federation",
            )
        club.federation = federation
    return _store_club(club, data)


def _store_federation(federation: Federation, data: FederationData) -> Federation:
    code = data.code.strip().upper()
    if not re.fullmatch(rf"[A-Z0-9-]{{2,{MAX_CODE}}}", code):
        raise Refusal(
            "code_unreadable", _("A code has 2 to %(most)s letters or digits.") % {"most": MAX_CODE}, field="code"
        )
    federation.code, federation.name = code, clean_name(data.name)
    federation.country = alpha_2(data.country)
    if data.country.strip() and not federation.country:
        sentence = _("“%(country)s” is not the code of a country.")
        raise Refusal("country_unknown", sentence % {"country": data.country.strip()[:20]}, field="country")
    if not (1 <= data.year_starts_month <= 12 and 1 <= data.year_starts_day <= 28):
        raise Refusal(
            "year_out_of_range",
            _("A membership year begins on a day from 1 to 28 of a month."),
            field="year_starts_day",
        )
    federation.year_starts_month, federation.year_starts_day = data.year_starts_month, data.year_starts_day
    check_pattern(data.number_pattern)
    federation.number_pattern = data.number_pattern
    others = Federation.objects.exclude(pk=federation.pk)
    for name in ("code", "name"):
        if others.filter(**{name: getattr(federation, name)}).exists():
            raise Conflict("federation_exists", _("There is a federation of this code or name already."), field=name)
    federation.parent = _parent(federation, data.parent)
    federation.save()
    return federation


def _parent(federation: Federation, code: str) -> Federation | None:
    """Return the federation above, which may not be below this one."""
    parent = above = _federation(code, field="parent")
    while above is not None:
        if above.pk == federation.pk:
            raise Refusal("federation_above_itself", _("A federation cannot belong to itself."), field="parent")
        above = above.parent
    return parent


def _federation(code: str, *, field: str = "federation") -> Federation | None:
    if not code.strip():
        return None
    found = Federation.objects.filter(code=code.strip().upper()).first()
    if found is None:
        raise Refusal("federation_unknown", _("There is no federation of this code."), field=field)
    return found


def _store_club(club: Club, data: ClubData) -> Club:
    club.name, code, club.town = clean_name(data.name), one_line(data.code).upper(), one_line(data.town)
    if club.town:
        club.town = clean_name(club.town)
    if len(code) > MAX_CODE or not code.isprintable():
        raise Refusal(
            "code_unreadable", _("A code has 2 to %(most)s letters or digits.") % {"most": MAX_CODE}, field="code"
        )
    club.code = code
    others = Club.objects.exclude(pk=club.pk)
    if others.filter(name=club.name).exists():
        raise Conflict("club_exists", _("There is a club of this name already."), field="name")
    if code and club.federation_id and others.filter(federation=club.federation_id, code=code).exists():
        raise Conflict("club_exists", _("There is a club of this code already."), field="code")
    club.save()
    return club
