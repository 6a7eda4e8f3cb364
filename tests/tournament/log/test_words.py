"""The words of the log: every verb with everything that its rows keep, without a name or value of the program."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils import translation

from players.models import User
from rules.score import Side
from tests.builders import (
    AT,
    build_director,
    build_event,
    build_money_terms,
    build_terms,
    build_tournament,
    fixture_of,
    win,
)
from tests.tournament.replay.scenes import SCENES
from tests.tournament.reporting.lists import build_list, build_officer
from tests.tournament.transfer.round_trip import exported
from tournament.events.appoint import accept_invitation, change_role, invite, take_role, withdraw_invitation
from tournament.events.deletion import delete_tournament, restore_tournament
from tournament.events.redeclare import redeclare
from tournament.events.services import finish_event, update_event, update_tournament
from tournament.events.terms import terms_of
from tournament.formats import FORMATS
from tournament.formats.options import OptionField, OptionKind
from tournament.hall.site import set_site_address
from tournament.hall.tables import add_tables, update_table
from tournament.log.words import VERBS, changes_in, tell
from tournament.models import LogEntry, RatingVerdict, ReportState, Tournament
from tournament.money.calcutta import dissolve_lot, make_lots, sell_lot, take_lot_back
from tournament.money.services import reverse_payment, set_money, settle_accounts
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.reporting.decide import rule_on_rating, sanction_event, withdraw_sanction
from tournament.reporting.reports import answer_report, decide_report
from tournament.results.evidence import attach_record, detach_record
from tournament.setup.divisions import DivisionRule, set_divisions
from tournament.setup.templates import remove_template, save_template
from tournament.transfer.load import import_event_file

pytestmark = pytest.mark.django_db

RECORD = Path(__file__).parents[2] / "data" / "records" / "studio-5pt.mat"
RAW = re.compile(r"[{}_]|\[|\bNone\b|\bTrue\b|\bFalse\b")


def said(row: LogEntry) -> str:
    """Return all words of the row: its sentence, and what has changed."""
    return " | ".join([tell(row), *(f"{name}: {before} → {after}" for name, before, after in changes_in(row))])


def money(director: User) -> None:
    """Terms set and changed in everything, a payment and its reversal, a side pool, lots and a sale."""
    event = build_event(director, players=3, drawn=False, name="Money")
    who = {"by": director, "at": AT}
    set_money(event, build_money_terms(), **who)
    table = PrizeTable("fixed", values=(12345, 500))
    plan = PayoutPlan(
        (Share("", 7000, PrizeTable("percent", values=(6050, 3950))), Share("D", 3000, table)), 500, "rest-to-first"
    )
    fees = {"fee": 7550, "reentry_fee": 1000, "registration_fee": 250, "added": 123456}
    rakes = {"rake": "percent", "rake_value": 1250, "auction_rake": "per-entry", "auction_rake_value": 100}
    set_money(event, build_money_terms(payouts=plan, auction=table, **fees, **rakes), **who)
    first = event.entries.first()
    (paid,), _new = settle_accounts(event, accounts=[f"entry-{first.pk}"], amount=7550, key="paid", **who)
    reverse_payment(paid, reason="Wrong player.", key="back", **who)
    pool = open_side_pool(event, name="Side", fee=100, table=PrizeTable("template", "winner"), **who)
    join_side_pool(pool, entry=first, **who)
    leave_side_pool(pool, entry=first, **who)
    lot, other, *_rest = make_lots(event, **who)
    sell_lot(lot, buyer="Cy", price=1000, base=0, **who)
    take_lot_back(lot, base=1, **who)
    dissolve_lot(other, **who)


def people_and_tournament(director: User) -> None:
    """Invitations and roles, a template, the tournament's own terms, its deletion, and tables with everything set."""
    who = {"by": director, "at": AT}
    event = build_event(director, players=2, name="Roles")
    tournament = event.tournament
    _kept, token = invite(tournament, role="scorer", note="Bo", **who)
    unused, _token = invite(tournament, role="deputy", event=event, **who)
    withdraw_invitation(unused, **who)
    appointment = accept_invitation(token, by=build_director("bo"), at=AT)
    take_role(change_role(appointment, role="reader", **who), **who)
    remove_template(save_template(event, name="Mine", **who), **who)
    update_tournament(
        tournament, name="Open", starts_on=AT.date().replace(day=7), place="Oslo", time_zone="Europe/Oslo", **who
    )
    set_divisions(tournament, rules=[DivisionRule(event.pk)], **who)
    set_site_address(tournament, address="https://play.example.org", **who)
    add_tables(tournament, first=1, last=1, **who)
    update_table(tournament, number=1, event=event, streamed=True, out_of_order=True, **who)
    update_table(tournament, number=1, event=None, streamed=False, out_of_order=False, **who)
    delete_tournament(tournament, typed="Open", **who)
    restore_tournament(Tournament.everything.get(pk=tournament.pk), **who)


def federations(director: User) -> None:
    """An event rated for a list: reported, asked about, answered, queued, accepted, ruled on and declared otherwise."""
    official_list = build_list()
    officer = build_officer(official_list)
    event = build_event(director, players=2, name="Rated", lengths=(5,), rated_for=[official_list.slug])
    match = fixture_of(event, "M1-1").match
    win(match, Side.A)
    attached = attach_record(match, RECORD.read_bytes(), name="one.mat", left=Side.A, by=director, at=AT)
    detach_record(match, attached.pk, by=director, at=AT)
    finish_event(event, by=director, at=AT)
    who = {"by": officer, "at": AT}
    report = event.reports.get()
    seen = {"digest": report.digest, **who}
    decide_report(report, ReportState.RETURNED, said="Who is Player 2?", **seen)
    answer_report(report, said="A guest.", by=director, at=AT)
    decide_report(report, ReportState.QUEUED, **seen)
    decide_report(report, ReportState.ACCEPTED, **seen)
    rule_on_rating(match, official_list, verdict=RatingVerdict.OUT, reason="Another card.", **who)
    sanction_event(event, official_list, weight=120, **who)
    withdraw_sanction(event, official_list, **who)
    redeclare(event, rated_for=[], event_class="", online=False, reason="For no list.", **who)


def brought_in(director: User) -> None:
    """An event that another installation has exported."""
    event = build_event(director, players=2, name="Far")
    event_file = exported(event)
    Tournament.everything.filter(pk=event.tournament_id).update(slug="there")
    import_event_file(event_file, owner=director, by=director, at=AT)


def test_every_verb_is_told_with_all_that_its_rows_keep_and_nothing_of_it_is_raw(director):
    for scene in (*SCENES, money, people_and_tournament, federations, brought_in):
        scene(director)
    rows = list(LogEntry.objects.all())
    elsewhere = {"set_seeding", "merge_players", "undo_merge", "begin_chain", "delete_person"}
    assert set(VERBS) - {row.verb for row in rows} <= elsewhere
    assert {row.verb: said(row) for row in rows if RAW.search(said(row))} == {}


def test_a_change_of_fees_and_prizes_is_told_in_money(director):
    money(director)
    first, second = LogEntry.objects.filter(verb="set_money").order_by("id")
    assert changes_in(first) == [
        ("Currency", "–", "EUR"),
        ("Entry fee", "–", "50.00\u00a0EUR"),
        ("Re-entry", "–", "50.00\u00a0EUR"),
        ("Prizes", "–", "Main 100\u00a0%: Knockout rounds; Largest remainder"),
        ("Calcutta payout table", "–", "Winner takes all"),
    ]
    assert changes_in(second) == [
        ("Entry fee", "50.00\u00a0EUR", "75.50\u00a0EUR"),
        ("Re-entry", "50.00\u00a0EUR", "10.00\u00a0EUR"),
        ("Registration fee", "0.00\u00a0EUR", "2.50\u00a0EUR"),
        ("Rake", "No rake", "Percentage of the fees"),
        ("Amount of the rake", "–", "12.50\u00a0%"),
        ("Added money", "0.00\u00a0EUR", "1,234.56\u00a0EUR"),
        (
            "Prizes",
            "Main 100\u00a0%: Knockout rounds; Largest remainder",
            "; ".join(
                [
                    "Main 70\u00a0%: 60.50\u00a0% / 39.50\u00a0%",
                    "Second consolation 30\u00a0%: 123.45\u00a0EUR / 5.00\u00a0EUR",
                    "rounded to 5.00\u00a0EUR",
                    "Remainder to first place",
                ]
            ),
        ),
        ("Calcutta payout table", "Winner takes all", "123.45\u00a0EUR / 5.00\u00a0EUR"),
        ("Rake from the pot", "No rake", "Fixed per entry sold"),
        ("Amount of the rake from the pot", "–", "1.00\u00a0EUR"),
    ]


def test_another_currency_is_told_with_the_amounts_in_each(director):
    event = build_event(director, players=0, drawn=False)
    for currency, fee in (("EUR", 5000), ("ISK", 7000)):
        set_money(event, build_money_terms(currency=currency, fee=fee, reentry_fee=fee), by=director, at=AT)
    told = changes_in(LogEntry.objects.filter(verb="set_money").latest("id"))
    assert ("Entry fee", "50.00\u00a0EUR", "7,000\u00a0ISK") in told


def test_a_row_that_does_not_say_its_currency_shows_no_amount():
    row = LogEntry(verb="set_money", detail={"changes": {"fee": [5000, 6000], "payouts": [{}, {"step": 1}]}})
    assert changes_in(row) == [("Entry fee", "…", "…"), ("Prizes", "…", "…")]


def test_a_table_is_told_with_the_event_that_it_is_reserved_for(director):
    event = build_event(director, players=0, drawn=False)
    add_tables(event.tournament, first=1, last=1, by=director, at=AT)
    for reserved in (event, None):
        update_table(event.tournament, number=1, event=reserved, streamed=False, out_of_order=False, by=director, at=AT)
    first, second = LogEntry.objects.filter(verb="update_table").order_by("id")
    assert changes_in(first) == [("Reserved for", "–", "Main")]
    assert changes_in(second) == [("Reserved for", "Main", "–")]


AGREEING = {"consolation": {"reunite": "second-place"}}
"""Values that go with the other values of :func:`value_of`, where the last choice would contradict them."""
CONTRADICTING = {"consolation": {"third_place", "consolation"}}
"""Options that no choice of the others leaves open."""


def value_of(option: OptionField) -> object:
    """Return a value of the option that is not its default."""
    match option.kind:
        case OptionKind.CHOICE:
            return next(slug for slug, _name in reversed(option.choices) if slug != option.default)
        case OptionKind.NUMBER:
            return option.most if option.most != option.default else option.least
        case OptionKind.FLAG:
            return not option.default
        case OptionKind.LENGTHS:
            return [9, 7]
    return "2026-01-05"


@pytest.mark.parametrize("slug", FORMATS)
def test_each_option_of_a_format_is_told_by_its_label_and_the_words_of_its_choice(director, slug):
    options = [option for option in FORMATS[slug].fields if option.name not in CONTRADICTING.get(slug, ())]
    event = build_event(director, players=0, drawn=False, format=slug, tournament=build_tournament(director))
    before = terms_of(event, event.stages.get())
    changed = {option.name: value_of(option) for option in options} | AGREEING.get(slug, {})
    update_event(event, replace(before, options={**before.options, **changed}), by=director, at=AT)
    row = LogEntry.objects.filter(verb="update_event").get()
    assert set(row.detail["changes"]) == set(changed)
    assert sorted(name for name, _before, _after in changes_in(row)) == sorted(option.label for option in options)
    choices = {option.label: dict(option.choices)[changed[option.name]] for option in options if option.choices}
    assert {name: after for name, _before, after in changes_in(row) if name in choices} == choices
    assert not RAW.search(said(row))


def test_terms_are_told_in_the_readers_language(director):
    event = build_event(director, players=0, drawn=False)
    terms = build_terms(format="swiss", options={"lengths": [7], "seeding": "seeded"}, tiebreaks=("head-to-head",))
    update_event(event, terms, by=director, at=AT)
    row = LogEntry.objects.get(verb="update_event")
    english = said(row)
    with translation.override("de"):
        german = said(row)
    assert "Seeding: at random → by seed" in english
    assert "Setzplatz" in german or "Setz" in german
    assert (RAW.search(english), RAW.search(german)) == (None, None)
