"""What an event costs and pays, as an event file has it; the prizes follow from the standings.

Payments, side pools and the calcutta are not in the file: they are the books of the house that held the event.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from players.rows import with_rows
from tournament.draw.chain import Chain
from tournament.draw.standings import standing_rows
from tournament.models import Event, EventMoney, Stage
from tournament.money.ledger import prizes_from
from tournament.money.terms import MoneyTerms, check_terms, set_terms
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.snapshot import view_event

TERMS = ("currency", "fee", "reentry_fee", "registration_fee", "rake", "rake_value", "added")

Json = dict[str, Any]


def money_of(chain: Chain, money: EventMoney | None, numbers: Mapping[int, int]) -> Json | None:
    """Return the fees and prizes of the event under these terms; None without any. Amounts are smallest units."""
    if money is None:
        return None
    plan = money.plan
    return {
        **{name: getattr(money, name) for name in TERMS},
        "payouts": {
            "shares": [
                {"section": share.section, "basis_points": share.basis_points, "table": _table(share.table)}
                for share in plan.shares
            ],
            "step": plan.step,
            "rounding": plan.rounding,
        },
        "prizes": prizes_of(chain, money, numbers),
    }


def _table(table: PrizeTable) -> Json:
    """Return the table with the template, or the values, by which it pays."""
    is_template = table.kind == "template"
    return {
        "kind": table.kind,
        "template": table.template if is_template else "",
        "values": [] if is_template else list(table.values),
    }


def prizes_of(chain: Chain, money: EventMoney, numbers: Mapping[int, int]) -> list[Json]:
    """Return what each winner is due; the amount is None while the place is played for."""
    event = _bare(chain.event, money)
    stages = [_counted(chain, stage) for stage in chain.stages]
    ordered = sorted(chain.entries.values(), key=lambda entry: entry.number)
    current = Chain(event, stages, ordered, chain.fixtures, chain.lots)
    lines = {
        stage.pk: standing_rows(current, stage)
        for stage in stages
        if stage.drawn_at is not None and not current.waits(stage)
    }
    return [
        {
            "section": prizes.section,
            "entrant": numbers[account.entry.id],
            "place": account.place,
            "place_to": account.place_to,
            "amount": account.prize,
        }
        for prizes in prizes_from(view_event(current, lines), event).prize_lists
        for account in prizes.accounts
        if account.entry is not None
    ]


def _bare(event: Event, money: EventMoney) -> Event:
    """Return a copy of the event with these terms, and without anything else that has to do with money."""
    bare = copy(event)
    bare.__dict__["_prefetched_objects_cache"] = {}
    for name in ("payments", "side_pools", "lots"):
        with_rows(bare, name, ())
    bare._state.fields_cache["money"] = money
    return bare


def _counted(chain: Chain, stage: Stage) -> Stage:
    """Return a copy of the stage whose standings are those of now: whether a worker has stored them is no matter."""
    counted = copy(stage)
    if stage.drawn_at is not None:
        counted.standings_version = chain.event.version
        counted.standings_matches = 0 if chain.waits(stage) else len(chain.at(stage).results)
    return counted


def money_row(event: Event, source: Mapping[str, Any]) -> EventMoney:
    """Return the terms of the file as a row. Raises Refusal for terms that no event can have."""
    payouts = source["payouts"]
    shares = tuple(Share(one["section"], one["basis_points"], _table_of(one["table"])) for one in payouts["shares"])
    terms = MoneyTerms(
        **{name: source[name] for name in TERMS},
        payouts=PayoutPlan(shares, payouts["step"], payouts["rounding"]),
        auction=PrizeTable("template", "two"),
    )
    check_terms(terms)
    money = EventMoney(event=event)
    set_terms(money, terms)
    return money


def _table_of(table: Mapping[str, Any]) -> PrizeTable:
    kind = table["kind"]
    return PrizeTable(kind, template=table["template"] or "knockout", values=tuple(table["values"]))
