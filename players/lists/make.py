"""Making and changing official lists."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal, in_words
from players.lists.document import criteria_as_json
from players.lists.models import OfficialList
from players.lists.officers import require_keeper
from players.lists.values import Criteria
from players.models import Club, Federation, User
from players.parameters import ParameterError
from players.ratings import RatingSystem, build_system
from players.registry.countries import one_code
from players.services import clean_name
from players.slugs import chosen_slug, taken

FIXED = ("federation_id", "kind", "parameters", "places", "counts_from")
"""What stays once a list has been published."""
MOST_EXPERIENCE = 100_000
MOST_MONTHS = 600
MOST_CLASSES = 12
MOST_RATING = 10_000
MOST_LOOKED_AT = 1000
YEARS = 1900, 2200


@transaction.atomic
def make_list(
    *,
    name: str,
    slug: str = "",
    federation: Federation | None,
    kind: str,
    parameters: Mapping[str, Any],
    places: int = 2,
    counts_from: datetime | None = None,
    criteria: Criteria,
    by: User | None,
    at: datetime,
) -> OfficialList:
    """Make a list. Raises Refusal for what no list can have, Conflict for an address that is taken, and Forbidden."""
    name = clean_name(name)
    made = OfficialList(
        name=name,
        federation=federation,
        kind=kind,
        parameters=dict(parameters),
        places=places,
        counts_from=counts_from,
        criteria=criteria_as_json(check_criteria(criteria)),
        made_at=at,
    )
    if by is not None:
        require_keeper(by, made)
    _check_system(kind, parameters)
    if counts_from is not None:
        check_day(counts_from, "counts_from")
    made.slug = chosen_slug(slug, name, most=40)
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError as error:
        sentence = _("There is a list with this address already.")
        raise taken("list_exists", sentence, slug=slug, made=made.slug) from error
    return made


@transaction.atomic
def change_list(official_list: OfficialList, *, by: User | None, at: datetime, **changes: Any) -> OfficialList:
    """Change a list: its ``name`` and ``criteria`` always, and before its first publication all but its address.

    Raises Refusal, Conflict once it has been published, and Forbidden.
    """
    current = OfficialList.objects.select_for_update(of=("self",)).get(pk=official_list.pk)
    if by is not None:
        require_keeper(by, current)
    before = {name: getattr(current, name) for name in FIXED}
    if "name" in changes:
        current.name = clean_name(changes.pop("name"))
    if "criteria" in changes:
        current.criteria = criteria_as_json(check_criteria(changes.pop("criteria")))
    for name, value in changes.items():
        setattr(current, name, value)
    _check_system(current.kind, current.parameters)
    if current.counts_from is not None:
        check_day(current.counts_from, "counts_from")
    if by is not None:
        require_keeper(by, current)
    differing = any(getattr(current, name) != value for name, value in before.items())
    if differing and current.publications.exists():
        raise Conflict(
            "list_published",
            _("This list has been published: its federation, rating system, decimal places and first day stay."),
        )
    current.save()
    return current


def check_criteria(criteria: Criteria) -> Criteria:
    """Return the criteria, with the country by its one code.

    Raises Refusal for numbers beyond their limits, an unknown club and classes out of order.
    """
    limits = {
        "experience": MOST_EXPERIENCE,
        "active_months": MOST_MONTHS,
        "class_matches": MOST_LOOKED_AT,
        "class_months": MOST_MONTHS,
    }
    for field, most in limits.items():
        if not 0 <= getattr(criteria, field) <= most:
            raise Refusal(
                "number_out_of_range", _("This is a number from 0 to %(most)s.") % {"most": most}, field=field
            )
    if criteria.club and not Club.objects.filter(pk=criteria.club).exists():
        raise Refusal("club_unknown", _("There is no such club."), field="club")
    names, rating = [name for name, _least in criteria.classes], [least for _name, least in criteria.classes]
    falling = all(one > other for one, other in pairwise(rating))
    within = all(-MOST_RATING <= least <= MOST_RATING for least in rating)
    if len(names) > MOST_CLASSES or len(set(names)) < len(names) or not all(names) or not falling or not within:
        raise Refusal(
            "classes_out_of_order",
            _("Classes have names of their own and stand with the highest first, each from a lower rating."),
            field="classes",
        )
    return replace(criteria, nation=one_code(criteria.nation))


def system_of(official_list: OfficialList) -> RatingSystem:
    """Return the rating system of the list. Raises Refusal if this program does not know it."""
    try:
        return build_system(official_list.kind, official_list.parameters)
    except ParameterError as error:
        raise Refusal(error.code, in_words(error)) from error


def check_day(day: date, field: str) -> None:
    """Raise Refusal for a day before 1900 or after 2200."""
    if not YEARS[0] <= day.year < YEARS[1]:
        raise Refusal("day_out_of_range", _("A day must be between the years 1900 and 2200."), field=field)


def _check_system(kind: str, parameters: Mapping[str, Any]) -> None:
    try:
        build_system(kind, parameters)
    except ParameterError as error:
        field = f"parameters.{error.field}" if error.field else "kind"
        raise Refusal(error.code, in_words(error), field=field) from error
