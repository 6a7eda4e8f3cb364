"""What the lists of the API are filtered by: each filter is a parameter of its address, and of the schema."""

from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field

from matches.models import SIDES, Match
from players.models import Club, Player, Rating
from players.registry.countries import codes_of
from players.registry.find import MOST_TYPED, people_called
from tournament.api.fields import MAX_NUMBER
from tournament.models import EventReport, ReportState, Tournament

ID = {"type": "integer", "minimum": 1, "maximum": MAX_NUMBER}
DAY = {"type": "string", "format": "date"}
COUNTRY = {"type": "string", "minLength": 2, "maxLength": 3}


@extend_schema_field(ID)
class IdFilter(filters.NumberFilter):
    """Those of one club, one player: by the number in its address."""

    field_class = forms.IntegerField

    def get_max_validator(self) -> None:
        return None


@extend_schema_field(DAY)
class DayFilter(filters.DateFilter):
    """A day as ``2026-11-28``, in whatever language the client reads."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, input_formats=["%Y-%m-%d"], **kwargs)


@extend_schema_field(COUNTRY)
class CountryFilter(filters.CharFilter):
    """Those of one country, by any of its codes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_length=2, max_length=3, **kwargs)

    def filter(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(**{f"{self.field_name}__in": codes_of(value)}) if value else rows


def text(method: str, description: str) -> filters.CharFilter:
    return filters.CharFilter(method=method, max_length=MOST_TYPED, help_text=description)


class TournamentFilter(filters.FilterSet):
    q = text("called", "Part of the name or the place.")
    since = DayFilter(field_name="starts_on", lookup_expr="gte", help_text="First day on or after this one.")
    until = DayFilter(field_name="starts_on", lookup_expr="lte", help_text="First day on or before this one.")

    class Meta:
        model = Tournament
        fields: tuple[str, ...] = ()

    def called(self, tournaments: QuerySet[Tournament], _name: str, value: str) -> QuerySet[Tournament]:
        return tournaments.filter(Q(name__icontains=value) | Q(place__icontains=value))


class PlayerFilter(filters.FilterSet):
    q = text("called", "Part of a name, another spelling or a former name, or a number; accents and case are ignored.")
    club = IdFilter(field_name="club_id", help_text="The id of a club.")
    country = CountryFilter(field_name="country", help_text="Its code.")

    class Meta:
        model = Player
        fields: tuple[str, ...] = ()

    def called(self, players: QuerySet[Player], _name: str, value: str) -> QuerySet[Player]:
        return players.filter(pk__in=people_called(value).values("pk"))


class RatingFilter(filters.FilterSet):
    """Places are those in the whole list."""

    q = text("called", "Part of a name; accents and case are ignored.")
    club = IdFilter(field_name="player__club_id", help_text="The id of a club.")
    country = CountryFilter(field_name="player__country", help_text="Its code.")

    class Meta:
        model = Rating
        fields: tuple[str, ...] = ()

    def called(self, ratings: QuerySet[Rating], _name: str, value: str) -> QuerySet[Rating]:
        return ratings.filter(player__in=people_called(value).values("pk"))


class PlayerMatchFilter(filters.FilterSet):
    opponent = IdFilter(method="against", help_text="The id of another player, alone or in a pair.")
    length = IdFilter(field_name="length", help_text="Points that the match is played to.")

    class Meta:
        model = Match
        fields: tuple[str, ...] = ()

    def against(self, matches: QuerySet[Match], _name: str, value: int) -> QuerySet[Match]:
        return matches.filter(reduce(or_, [Q(**{side: value}) for side in SIDES]))


class ReportFilter(filters.FilterSet):
    state = filters.ChoiceFilter(choices=ReportState.choices, help_text="What was decided.")
    event = IdFilter(field_name="event_id", help_text="The id of an event.")

    class Meta:
        model = EventReport
        fields: tuple[str, ...] = ()


class ClubFilter(filters.FilterSet):
    q = text("called", "Part of the name.")
    federation = filters.CharFilter(
        field_name="federation__code", lookup_expr="iexact", max_length=20, help_text="The code of a federation."
    )

    class Meta:
        model = Club
        fields: tuple[str, ...] = ()

    def called(self, clubs: QuerySet[Club], _name: str, value: str) -> QuerySet[Club]:
        return clubs.filter(name__icontains=value)
