"""The roll of a federation: who belongs to it, by family name, and how their membership stands on a day."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from players.models import ExternalId, Federation, Membership, Player
from players.registry.find import people_called
from players.registry.names import own_parts
from players.services import name_key


class Standing(models.TextChoices):
    """How somebody's membership of a federation stands on a day."""

    VALID = "valid", _("valid")
    LAPSED = "lapsed", _("lapsed")
    NONE = "none", _("no membership")


@dataclass(frozen=True, slots=True)
class RollLine:
    """A person on the roll, and how their membership stands."""

    player: int
    standing: Standing


def roll_of(
    federation: Federation,
    day: date,
    *,
    text: str = "",
    club: int | None = None,
    standings: Collection[Standing] = (Standing.VALID,),
) -> list[RollLine]:
    """Return the people of the federation whose membership stands so on the day, by family name, in one query.

    They are those who are or were its members or a club's of it, who are in one of its clubs, or who have its number
    and are in no other federation. ``text`` is looked for as officers find people: in own names and by number.
    """
    rows = Membership.objects.filter(federation=federation, player=OuterRef("pk"))
    people = people_called(text, sees_all=True).filter(_belongs_to(federation))
    if club is not None:
        people = people.filter(club=club)
    people = people.annotate(
        holds=Exists(rows.filter(Membership.on(day))), began=Exists(rows.filter(starts__lte=day))
    ).only("name", "given", "family")
    found = []
    for player in people:
        standing = _standing(holds=player.holds, began=player.began)
        if standing in standings:
            given, family = own_parts(player)
            found.append((name_key(family), name_key(given), player.pk, standing))
    return [RollLine(pk, standing) for _family, _given, pk, standing in sorted(found)]


def people_on(lines: Collection[RollLine]) -> list[Player]:
    """Return the people of these lines, in their order, with their clubs, in one query."""
    found = Player.objects.select_related("club").in_bulk([line.player for line in lines])
    return [found[line.player] for line in lines if line.player in found]


def _standing(*, holds: bool, began: bool) -> Standing:
    if holds:
        return Standing.VALID
    return Standing.LAPSED if began else Standing.NONE


def _belongs_to(federation: Federation) -> Q:
    inside = Q(federation=federation) | Q(club__federation=federation)
    federated = Membership.objects.filter(Q(federation__isnull=False) | Q(club__federation__isnull=False))
    numbered = ExternalId.objects.filter(issuer=federation.issuer).values("player")
    return (
        Q(pk__in=Membership.objects.filter(inside).values("player"))
        | Q(club__federation=federation)
        | Q(pk__in=numbered) & ~Q(pk__in=federated.values("player")) & _in_no_federated_club()
    )


def _in_no_federated_club() -> Q:
    return Q(club__isnull=True) | Q(club__federation__isnull=True)
