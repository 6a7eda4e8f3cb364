"""The settings of an event, as JSON that outlives it: read from one event, and given to another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction

from players.models import User
from tournament.entries.attendance import set_door
from tournament.events.services import create_event
from tournament.events.stages import add_stage
from tournament.events.terms import COLUMNS, OF_STAGE, EventTerms, kept_terms, terms_of
from tournament.formats import FORMATS
from tournament.formats.options import OptionKind
from tournament.models import Event, EventMoney, Tournament
from tournament.money.services import set_money
from tournament.money.side_pools import open_side_pool
from tournament.money.terms import MoneyTerms, columns_of
from tournament.prizes import PayoutPlan, PrizeTable

Settings = Mapping[str, Any]
DOOR = ("max_entries", "check_in", "late_minutes")


def settings_of(event: Event) -> Settings:
    """Return everything that was set for the event: its terms, stages, entry rules, fees, prizes and side pools."""
    first, *later = event.stages.order_by("number")
    money = EventMoney.objects.filter(event=event).first()
    return {
        "terms": kept_terms(terms_of(event, first)),
        "stages": [
            {name: getattr(stage, name) for name in ("format", "options", "qualifiers", "carry")} for stage in later
        ],
        "door": {name: getattr(event, name) for name in DOOR},
        "money": columns_of(money) if money else None,
        "side_pools": [
            {"name": pool.name, "fee": pool.fee, "table": pool.table} for pool in event.side_pools.order_by("id")
        ],
    }


def terms_in(settings: Settings, *, days: int | None, tournament: Tournament) -> EventTerms:
    """Return the terms for an event of this tournament, with every date ``days`` later; None leaves dates out.

    The time of day stays the same in the tournament's zone.
    """
    kept = settings["terms"]
    terms = EventTerms(**{name: value for name, value in kept.items() if name in OF_STAGE.union(COLUMNS)})
    starts_at = None
    if kept["starts_at"] and days is not None:
        starts_at = datetime.fromisoformat(kept["starts_at"]).astimezone(tournament.zone) + timedelta(days=days)
    return replace(terms, starts_at=starts_at, options=_options_later(terms.format, terms.options, days))


def _options_later(format: str, options: Mapping[str, Any], days: int | None) -> dict[str, Any]:
    """Return the options of the format with its dates ``days`` later, or without them."""
    fields = FORMATS[format].fields if format in FORMATS else ()
    dates = {field.name for field in fields if field.kind is OptionKind.DATE and options.get(field.name)}
    if days is None:
        return {name: value for name, value in options.items() if name not in dates}
    later = {name: (date.fromisoformat(options[name]) + timedelta(days=days)).isoformat() for name in dates}
    return {**options, **later}


@transaction.atomic
def make_event(
    tournament: Tournament,
    settings: Settings,
    *,
    name: str,
    copy_of: str,
    days: int | None = None,
    starts_at: datetime | None = None,
    lengths: Sequence[int] = (),
    by: User,
    at: datetime,
) -> Event:
    """Create an event with these settings, each set by its own service; ``days`` as :func:`terms_in` reads it.

    ``starts_at`` and ``lengths`` replace those in the settings. Raises Refusal for what no event can have any more.
    """
    terms = terms_in(settings, days=days, tournament=tournament)
    options = {**terms.options, "lengths": list(lengths)} if lengths else terms.options
    terms = replace(terms, name=name, options=options, starts_at=starts_at or terms.starts_at)
    event = create_event(tournament, terms, copy_of=copy_of, by=by, at=at)
    for stage in settings["stages"]:
        later = {**stage, "options": _options_later(stage["format"], stage["options"], days)}
        add_stage(event, **later, by=by, at=at)
    if settings["door"] != {name: getattr(event, name) for name in DOOR}:
        set_door(event, **settings["door"], by=by, at=at)
    if settings["money"]:
        set_money(event, _money_in(settings["money"]), by=by, at=at)
    for pool in settings["side_pools"]:
        open_side_pool(event, name=pool["name"], fee=pool["fee"], table=PrizeTable.parse(pool["table"]), by=by, at=at)
    event.refresh_from_db()
    return event


def _money_in(columns: Mapping[str, Any]) -> MoneyTerms:
    row = EventMoney(**columns)
    plans = {"payouts": PayoutPlan.parse(columns["payouts"]), "auction": row.auction_table}
    return MoneyTerms(**{**columns, **plans})
