"""What counts for an official list: what an event declared, what its policy says, and what its officers decided."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Conflict, Forbidden, Refusal
from players.models import Membership, Player
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_terms, claim, fixture_of, win
from tests.tournament.reporting.lists import build_list, build_officer, enrol
from tournament.events.redeclare import redeclare
from tournament.events.services import finish_event, reopen_event, update_event
from tournament.models import EventReport, RatingVerdict, ReportState
from tournament.reporting.counting import counts_for, verdict_on, verdicts
from tournament.reporting.decide import rule_on_rating, sanction_event, set_policy, withdraw_sanction
from tournament.reporting.facts import Asked
from tournament.reporting.reports import answer_report, decide_report
from tournament.results.enter import enter_result, void_result

LATER = AT + timedelta(hours=2)


@pytest.fixture
def dbf(db):
    return build_list()


@pytest.fixture
def officer(dbf):
    return build_officer(dbf)


@pytest.fixture
def event(director, dbf):
    """A knockout of four that counts for the list; the first three are members, of whom one is in the final."""
    event = build_event(director, players=4, rated_for=["dbf"], event_class="B")
    enrol(dbf, *Player.objects.order_by("pk")[:3])
    return event


def play(event) -> None:
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)


def why(dbf, event) -> dict[str, str | None]:
    keys = {fixture_of(event, key).match_id: key for key in ("M1-1", "M1-2", "M2-1")}
    return {keys[one.match]: one.why_not for one in verdicts(dbf, type(event).objects.filter(pk=event.pk))}


def outsider_of(event) -> set[str]:
    """The matches of the only player who is no member."""
    last = Player.objects.order_by("pk").last()
    keys = ("M1-1", "M1-2", "M2-1")
    return {
        key
        for key in keys
        if last.pk in (fixture_of(event, key).match.side_a_id, fixture_of(event, key).match.side_b_id)
    }


def test_matches_of_members_count_and_others_name_their_rule(dbf, event):
    play(event)
    outside = outsider_of(event)
    assert why(dbf, event) == {key: "not_member" if key in outside else None for key in ("M1-1", "M1-2", "M2-1")}


def test_a_membership_counts_on_the_day_of_play_alone(dbf, event):
    play(event)
    Membership.objects.update(ends=date(2026, 3, 5))
    assert set(why(dbf, event).values()) == {"not_member"}


def test_a_policy_holds_from_its_day_and_the_later_row_of_a_day_wins(dbf, officer, event):
    play(event)
    for day, rules in (
        (date(2026, 1, 1), {"members": False, "shortest": 7}),
        (date(2026, 1, 1), {"members": False}),
        (date(2026, 3, 7), {"members": False, "shortest": 9}),
    ):
        set_policy(dbf, valid_from=day, rules=rules, by=officer, at=AT)
    assert set(why(dbf, event).values()) == {None}
    with pytest.raises(Conflict) as refused:
        set_policy(dbf, valid_from=date(2026, 3, 7), rules={"members": False, "shortest": 9}, by=officer, at=AT)
    assert refused.value.code == "policy_same"


def test_a_policy_that_none_can_have_is_refused_at_its_rule(dbf, officer):
    with pytest.raises(Refusal) as refused:
        set_policy(dbf, valid_from=date(2026, 1, 1), rules={"shortest": 0}, by=officer, at=AT)
    assert (refused.value.code, refused.value.field) == ("policy_number_out_of_range", "shortest")
    with pytest.raises(Forbidden):
        set_policy(dbf, valid_from=date(2026, 1, 1), rules={}, by=build_director("other"), at=AT)
    assert not dbf.policies.exists()


def test_an_approval_lets_the_event_count_until_it_is_withdrawn(dbf, officer, event):
    set_policy(
        dbf, valid_from=date(2026, 1, 1), rules={"members": False, "sanction": True, "weights": {"B": 50}},
        by=officer, at=AT,
    )  # fmt: skip
    play(event)
    match = fixture_of(event, "M1-1").match
    assert verdict_on(dbf, event, match).why_not == "unsanctioned"
    sanction_event(event, dbf, by=officer, at=AT)
    assert (verdict_on(dbf, event, match).why_not, verdict_on(dbf, event, match).weight) == (None, 50)
    sanction_event(event, dbf, weight=150, by=officer, at=AT)
    assert verdict_on(dbf, event, match).weight == 150
    withdraw_sanction(event, dbf, by=officer, at=AT)
    assert verdict_on(dbf, event, match).why_not == "unsanctioned"


def test_a_ruling_takes_a_match_out_and_puts_it_in_again_while_its_score_stands(dbf, officer, event):
    play(event)
    key = next(key for key, code in why(dbf, event).items() if code is None)
    match = fixture_of(event, key).match
    for verdict, code in ((RatingVerdict.OUT, "ruled_out"), (RatingVerdict.POLICY, None), (RatingVerdict.COUNTS, None)):
        rule_on_rating(match, dbf, verdict=verdict, reason="Checked", by=officer, at=AT)
        assert why(dbf, event)[key] == code
    assert match.rating_rulings.count() == 3
    outside = fixture_of(event, min(outsider_of(event))).match
    rule_on_rating(outside, dbf, verdict=RatingVerdict.COUNTS, reason="Member since noon", by=officer, at=AT)
    assert verdict_on(dbf, event, outside).why_not is None
    with pytest.raises(Forbidden):
        rule_on_rating(match, dbf, verdict=RatingVerdict.OUT, reason="No", by=build_director("other"), at=AT)


# The declaration


def test_after_the_draw_only_an_officer_changes_the_declaration_and_says_why(director, dbf, officer, event):
    with pytest.raises(Conflict) as refused:
        update_event(event, build_terms(rated_for=(), event_class="B"), by=director, at=AT)
    assert refused.value.code == "declaration_fixed"
    changed = {"rated_for": [], "event_class": "B", "online": False}
    for by, reason, error in ((officer, " ", Refusal), (director, "A mistake", Forbidden)):
        with pytest.raises(error):
            redeclare(event, **changed, reason=reason, by=by, at=AT)
    play(event)
    redeclare(event, **changed, reason="A friendly", by=officer, at=AT)
    assert set(why(dbf, event).values()) == {"not_declared"}
    redeclare(event, **{**changed, "rated_for": ["dbf"]}, reason="It was not", by=officer, at=LATER)
    assert "not_declared" not in why(dbf, event).values(), "what an officer declares holds since the draw"


def test_an_unknown_list_or_class_is_refused(director, dbf):
    for terms, code in (({"rated_for": ["dbf", "nbf"]}, "list_unknown"), ({"event_class": "E"}, "class_unknown")):
        with pytest.raises(Refusal) as refused:
            build_event(director, players=0, drawn=False, name=code, **terms)
        assert refused.value.code == code


# Reports


def finished(event, director) -> EventReport:
    play(event)
    finish_event(event, by=director, at=AT)
    return event.reports.get()


def test_the_report_of_an_event_that_ends_counts_once_an_officer_accepts_it(director, dbf, officer, event):
    report = finished(event, director)
    assert (report.state, list(counts_for(dbf))) == (ReportState.ARRIVED, [])
    decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=officer, at=AT)
    counted = list(counts_for(dbf))
    assert {one.match for one in counted} == {
        one.match for one in verdicts(dbf, type(event).objects.all()) if one.why_not is None
    }
    assert [(one.at, one.match) for one in counted] == sorted((one.at, one.match) for one in counted)
    assert list(counts_for(dbf, Asked(until=AT - timedelta(minutes=1)))) == []


def test_an_event_that_declares_nothing_reports_nothing(director, dbf):
    event = build_event(director, players=2)
    win(fixture_of(event, "M1-1").match, Side.A)
    finish_event(event, by=director, at=AT)
    assert not event.reports.exists()


def test_a_question_is_answered_by_the_director_and_everything_is_kept(director, dbf, officer, event):
    report = finished(event, director)
    with pytest.raises(Refusal) as refused:
        decide_report(report, ReportState.RETURNED, digest=report.digest, said=" ", by=officer, at=AT)
    assert refused.value.code == "said_empty"
    decide_report(report, ReportState.RETURNED, digest=report.digest, said="Who is Player 4?", by=officer, at=AT)
    with pytest.raises(Forbidden):
        answer_report(report, said="Me", by=officer, at=AT)
    answer_report(report, said="A guest", by=director, at=AT)
    with pytest.raises(Conflict) as closed:
        answer_report(report, said="Again", by=director, at=AT)
    assert closed.value.code == "no_question"
    decide_report(report, ReportState.QUEUED, digest=report.digest, by=officer, at=AT)
    assert list(counts_for(dbf)) == []
    assert list(report.steps.values_list("state", "said")) == [
        ("arrived", ""),
        ("returned", "Who is Player 4?"),
        ("answered", "A guest"),
        ("queued", ""),
    ]


def test_only_an_officer_of_the_list_decides_and_only_about_what_they_saw(director, dbf, officer, event):
    report = finished(event, director)
    stranger = build_officer(build_list("nbf", "NBGF"), "stranger")
    for by in (director, stranger):
        with pytest.raises(Forbidden):
            decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=by, at=AT)
    with pytest.raises(Conflict) as refused:
        decide_report(report, ReportState.ACCEPTED, digest="0" * 64, by=officer, at=AT)
    assert refused.value.code == "report_outdated"


def on_the_inbox(officer, words: str) -> bool:
    client = Client()
    client.force_login(officer)
    return words in client.get(reverse("inbox")).content.decode()


def test_a_correction_after_acceptance_goes_on_counting_and_asks_for_another_look(director, dbf, officer, event):
    report = finished(event, director)
    decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=officer, at=AT)
    assert not on_the_inbox(officer, "open again")
    reopen_event(event, by=director, at=AT)
    assert on_the_inbox(officer, "open again")
    finish_event(event, by=director, at=LATER)
    assert not on_the_inbox(officer, "open again")
    report.refresh_from_db()
    assert report.changed_at is None, "nothing has changed"
    reopen_event(event, by=director, at=LATER)
    final = fixture_of(event, "M2-1").match
    void_result(final, base=final.sheets.last().number, reason="Wrong", may_repair=True, by=director, at=LATER)
    enter_result(final, claim=claim(final=(0, final.length)), by=director, at=LATER)
    finish_event(event, by=director, at=LATER)
    before, _is = report.digest, report.refresh_from_db()
    assert (report.state, report.changed_at is not None) == (ReportState.ACCEPTED, report.digest != before)


# The date of play


def test_a_result_typed_days_later_counts_by_the_day_of_play(director, dbf, event):
    days_later = AT + timedelta(days=9)
    match = fixture_of(event, "M1-1").match
    played = AT + timedelta(days=3)
    sheet = enter_result(match, claim=claim(final=(5, 0), played_at=played), by=director, at=days_later)
    assert (sheet.at, sheet.played_at, sheet.corrects) == (days_later, played, False)
    assert verdict_on(dbf, event, match).at == played


@pytest.mark.parametrize("played", [AT - timedelta(days=1), AT + timedelta(days=9, seconds=1)])
def test_a_match_is_played_after_the_first_day_began_and_not_in_the_future(director, event, played):
    with pytest.raises(Refusal) as refused:
        enter_result(
            fixture_of(event, "M1-1").match,
            claim=claim(final=(5, 0), played_at=played),
            by=director,
            at=AT + timedelta(days=9),
        )
    assert refused.value.code == "played_at_out_of_range"


def test_another_date_of_a_confirmed_result_takes_a_reason(director, event):
    match, now = fixture_of(event, "M1-1").match, AT + timedelta(days=9)
    first = enter_result(match, claim=claim(final=(5, 0)), by=director, at=now)
    moved = {"final": (5, 0), "base": first.number, "played_at": AT + timedelta(days=1)}
    with pytest.raises(Refusal) as refused:
        enter_result(match, claim=claim(**moved), may_repair=True, by=director, at=now + timedelta(hours=1))
    assert refused.value.code == "reason_missing"
    sheet = enter_result(
        match,
        claim=claim(**moved, reason="The card says so"),
        may_repair=True,
        by=director,
        at=now + timedelta(hours=1),
    )
    assert (sheet.played_at, sheet.corrects) == (AT + timedelta(days=1), True)
