"""A director corrects on the page of a match: it shows what would fall, and the director chooses the repair."""

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match, SheetState
from players.errors import Conflict
from players.models import User
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of, win
from tests.pages import form_at
from tournament.corrections.changes import EndAdvance
from tournament.corrections.paper import Paper
from tournament.draw.reconcile import Repair, RepairNeeded
from tournament.models import Advance, Appointment, Event, Role
from tournament.pages.match.forms import RepairForm
from tournament.pages.match.offering import make_or_offer
from tournament.results.enter import enter_result, void_result
from tournament.results.reports import confirm_result, dispute_result, report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(client) -> Event:
    event = build_event(User.objects.get(), players=4)
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)
    return event


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(build_director())
    return client


def text_of(page) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def history_of_result(page) -> list[str]:
    """The lines of the history of a result, without their times."""
    lines = re.findall(r"<li>\s*<time [^>]*>[^<]*</time>(.*?)</li>", page.content.decode(), re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", line)).split()) for line in lines]


def correct(client: Client, match: Match, **fields: object):
    return client.post(
        reverse("enter", args=[match.pk, "final"]), {"key": "k", "base": 1, "final_a": 1, "final_b": 5, **fields}
    )


def repair(client: Client, address: str, sent: dict[str, object], chosen: str):
    """Choose a repair as a director does, who has been shown what each of them costs."""
    shown = client.post(address, sent).context["correction"]["shown"]
    return client.post(address, {**sent, "repair": chosen, "shown": shown})


def test_a_correction_that_takes_a_player_out_first_shows_the_matches_that_would_fall(event, client):
    match = fixture_of(event, "M1-1").match
    page = correct(client, match)
    text = text_of(page)
    assert page.status_code == 409
    assert "What this correction changes" in text
    assert [name in text for name in ("Cancel and replay", "Let it stand", "Swap")] == [True, True, False]
    assert f"M2-1 {fixture_of(event, 'M2-1').match}, 5–0" in text
    assert match.sheets.count() == 1


def test_the_shown_form_sends_the_same_again_with_the_repair(event, client):
    match = fixture_of(event, "M1-1").match
    html = correct(client, match).content.decode()
    form = re.search(r'id="correction".*?</form>', html, re.DOTALL).group()
    sent = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', form))
    sent |= {"repair": "stand", "reason": "Found too late."}
    page = client.post(re.search(r'action="([^"#]*)', form).group(1), sent)
    assert page.status_code == 302
    assert Advance.objects.get().reason == "Found too late."
    shown = text_of(client.get(reverse("match", args=[match.pk])))
    assert "advances by ruling" in shown
    repair(client, reverse("end-advance", args=[match.pk]), {"reason": "No."}, "replay")
    assert Advance.objects.get().ended_at is not None
    assert fixture_of(event, "M2-1").match.sheets.count() == 0


def test_a_repair_that_would_cost_something_else_by_now_is_shown_again(event, client):
    match, final = fixture_of(event, "M1-1").match, fixture_of(event, "M2-1").match
    shown = correct(client, match).context["correction"]["shown"]
    win(final, Side.B, base=1)
    again = correct(client, match, repair="replay", reason="Seen.", shown=shown)
    assert (again.status_code, match.sheets.count(), final.sheets.count()) == (409, 1, 2)
    assert "This is no longer what you were asked about." in text_of(again)
    form = form_at(again, reverse("enter", args=[match.pk, "final"]), "repair")
    assert (form.data()["repair"], form.data()["reason"]) == (["replay"], ["Seen."])
    assert client.post(form.action, form.data()).status_code == 302
    assert final.sheets.get(number=2).state == SheetState.VOID


def test_a_repair_is_of_the_result_that_was_asked_about(event, client):
    match = fixture_of(event, "M1-1").match
    shown = correct(client, match).context["correction"]["shown"]
    again = correct(client, match, final_a=0, repair="replay", reason="Seen.", shown=shown)
    assert (again.status_code, match.sheets.count()) == (409, 1)


def test_a_repair_without_a_reason_comes_back_with_the_choice(event, client):
    match = fixture_of(event, "M1-1").match
    shown = correct(client, match).context["correction"]["shown"]
    again = correct(client, match, repair="replay", shown=shown)
    form = form_at(again, reverse("enter", args=[match.pk, "final"]), "repair")
    assert (again.status_code, form.data()["repair"], match.sheets.count()) == (400, ["replay"], 1)


def test_the_matches_that_would_fall_can_be_seen_without_correcting(event, client):
    match = fixture_of(event, "M1-2").match
    page = correct(client, match, preview="on")
    assert page.status_code == 200
    assert "Nothing has been saved yet." in text_of(page)
    assert match.sheets.count() == 1


def names_of_repairs(page) -> list[str]:
    return [str(repair["name"]) for repair in page.context["correction"]["repairs"]]


def test_a_swap_is_named_only_where_somebody_changes_seats(event, client):
    last = correct(client, fixture_of(event, "M2-1").match, preview="on")
    assert names_of_repairs(last) == ["Make the correction", "Let it stand"]
    void_result(fixture_of(event, "M2-1").match, base=1, reason="Seen.", by=None, at=AT)
    assert names_of_repairs(correct(client, fixture_of(event, "M1-2").match, preview="on"))[0] == "Swap"


def test_a_repair_is_offered_for_whatever_the_service_says_needs_one_and_for_nothing_else(event, rf):
    match, form = fixture_of(event, "M1-1").match, RepairForm({})
    assert form.is_valid()

    @dataclass(frozen=True)
    class Refusing(EndAdvance):
        refusal: Conflict

        def __call__(self, repair: Repair | None, reason: str, may_repair: bool) -> None:
            raise self.refusal

        def on_paper(self, paper: Paper, repair: Repair, reason: str) -> None:
            pass

    def refusing(refusal: Conflict):
        change = Refusing(match, "So.", refusal, by=None, at=AT)
        return partial(make_or_offer, rf.post("/"), match, form, change, may_repair=True)

    needed = RepairNeeded("of_any_code", "Later matches have begun.")
    offered = refusing(needed)()
    assert (offered["correction"]["conflict"], offered["status"]) == (needed, 409)
    with pytest.raises(Conflict) as refused:
        refusing(Conflict("later_match_begun", "Said by something else."))()
    assert type(refused.value) is Conflict


def test_a_result_is_taken_back_with_the_matches_that_followed(event, client):
    match = fixture_of(event, "M1-1").match
    address = reverse("void", args=[match.pk])
    page = client.post(address, {"base": 1, "reason": "Never played."})
    assert page.status_code == 409
    assert "Cancel and replay" in text_of(page)
    old = fixture_of(event, "M2-1").match
    assert repair(client, address, {"base": 1, "reason": "Never played."}, "replay").status_code == 302
    assert old.sheets.get().state == SheetState.VOID
    page = client.get(reverse("match", args=[old.pk]))
    assert page.status_code == 200
    assert "Never played." in text_of(page)


def test_a_ruling_that_takes_a_player_out_asks_for_a_repair_too(event, client):
    match = fixture_of(event, "M1-1").match
    address = reverse("rule", args=[match.pk, "resume"])
    sent = {"key": "r", "base": 1, "ruling_count": 0, "reason": "Stopped too early.", "score_a": 1, "score_b": 1}
    page = client.post(address, sent)
    assert page.status_code == 409
    assert "Cancel and replay" in text_of(page)
    assert repair(client, address, sent, "replay").status_code == 302
    match.refresh_from_db()
    assert (match.start_a, match.start_b) == (1, 1)
    assert fixture_of(event, "M2-1").match is None


def test_the_desk_confirms_one_of_two_reports_that_differ(client):
    event = build_event(User.objects.get(), players=4)
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(final=(5, 3)), side=Side.A, by=None, at=AT)
    report_result(match, claim=claim(final=(3, 5)), side=Side.B, by=None, at=AT)
    page = client.get(reverse("match", args=[match.pk]))
    text = text_of(page)
    assert text.count("disputed") >= 2
    a, b = match.name_a, match.name_b
    assert f"The match ended {a} 5–3 {b} according to {a}, but {a} 3–5 {b} according to {b}." in text
    assert history_of_result(page)[2:] == [
        f"{match.name_a}'s report, disputed by {match.name_b}",
        f"{match.name_b}'s report, disputed",
    ]
    assert client.post(reverse("settle-report", args=[match.pk, "confirm"]), {"number": 2}).status_code == 302
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.SUPERSEDED, SheetState.CONFIRMED]


def test_the_history_of_a_result_names_whose_report_it_was_and_who_disputed_and_confirmed_it(client):
    match = fixture_of(build_event(User.objects.get(), players=4), "M1-1").match
    director, a, b = User.objects.get(), match.name_a, match.name_b
    report_result(match, claim=claim(final=(5, 3)), side=Side.A, by=None, at=AT)
    dispute_result(match, number=1, reason="It was 5-4", by=director, at=AT)
    report_result(match, claim=claim(final=(5, 4)), side=Side.B, by=None, at=AT)
    report_result(match, claim=replace(claim(final=(5, 2)), base=1), side=Side.A, by=None, at=AT)
    report_result(match, claim=claim(final=(5, 4)), side=None, by=director, at=AT)
    confirm_result(match, number=2, by=director, at=AT)
    assert history_of_result(client.get(match.get_absolute_url())) == [
        f"{a}'s report",
        f"{a}'s report, disputed by {director} “It was 5-4”",
        f"{b}'s report",
        f"{b}'s report, disputed",
        f"{a}'s report, set aside",
        f"{a}'s report",
        f"{a}'s report, disputed by {director} “It was 5-4”",
        f"The scorer's report, sent by {director}",
        "The scorer's report, disputed",
        f"{a}'s report, set aside by {director}",
        f"The scorer's report, set aside by {director}",
        f"{b}'s report, confirmed by {director}",
    ]


def test_the_history_of_a_result_numbers_the_sheets_of_the_desk(client):
    match = fixture_of(build_event(User.objects.get(), players=4), "M1-1").match
    director = User.objects.get()
    enter_result(match, claim=claim(games=(GameResult(Side.A),)), by=director, at=AT)
    win(match, Side.A, by=director, base=1)
    void_result(match, base=2, reason="Wrong match", by=director, at=AT)
    assert history_of_result(client.get(match.get_absolute_url())) == [
        f"Sheet 1, entered by {director}",
        f"Sheet 1, set aside by {director}",
        f"Sheet 2, confirmed by {director}",
        f"Sheet 2, voided by {director} “Wrong match”",
    ]


def test_the_reason_of_a_dispute_stands_beside_the_report(client):
    match = fixture_of(build_event(User.objects.get(), players=4), "M1-1").match
    report_result(match, claim=claim(final=(5, 3)), side=None, by=None, at=AT)
    dispute_result(match, number=1, reason="It was 5-4", by=None, at=AT)
    said = text_of(client.get(match.get_absolute_url()))
    assert ("The scorer: Player 1 5–3 Player 3" in said, "“It was 5-4” Confirm this report" in said) == (True, True)


def test_an_expired_clock_and_an_award_are_rulings(client):
    event = build_event(User.objects.get(), players=4)
    first, second = fixture_of(event, "M1-1").match, fixture_of(event, "M1-2").match
    usual = {"key": "r", "base": 0, "ruling_count": 0, "reason": "Seen by the director."}
    for match, way, said in ((first, "clock", {"expired": "A"}), (second, "awarded", {"awarded_to": "A"})):
        address = reverse("rule", args=[match.pk, way])
        preview = client.post(address, {**usual, **said})
        client.post(address, {**usual, **said, "confirmed": preview.context["question"]})
    final = fixture_of(event, "M2-1")
    assert (final.entry_a.name, final.entry_b.name) == (first.name_b, second.name_a)
    assert [ruling.kind for match in (first, second) for ruling in match.rulings.all()] == ["clock_lost", "awarded"]


def test_a_correction_of_a_board_shows_the_matches_that_would_fall_too(client):
    event = build_event(User.objects.get(), players=4, boards=3)
    for key in ("M1-1", "M1-2", "M2-1"):
        for board in fixture_of(event, key).boards.order_by("number"):
            win(board.match, Side.A)
    first, second = (fixture_of(event, "M1-1").boards.get(number=number).match for number in (1, 2))
    win(second, Side.B, base=1)
    page = correct(client, first)
    text = text_of(page)
    assert page.status_code == 409
    assert "What this correction changes" in text
    assert [name in text for name in ("Cancel and replay", "Let it stand")] == [True, True]
    assert all(str(board.match) in text for board in fixture_of(event, "M2-1").boards.all())


@pytest.fixture
def scorer(event) -> Client:
    user = build_director("a scorer")
    Appointment.objects.create(tournament=event.tournament, user=user, role=Role.SCORER, since=AT)
    client = Client()
    client.force_login(user)
    return client


WHO_MAY = "Only these roles may do this in “Main”: owner, director, deputy."


def test_a_scorer_is_told_who_corrects_a_locked_result_and_is_given_no_form(event, scorer):
    locked, last = fixture_of(event, "M1-1").match, fixture_of(event, "M2-1").match
    last.sheets.update(at=AT + timedelta(hours=1), played_at=AT + timedelta(hours=1))
    assert WHO_MAY in text_of(scorer.get(locked.get_absolute_url()))
    assert reverse("enter", args=[locked.pk, "final"]) not in scorer.get(locked.get_absolute_url()).content.decode()
    assert reverse("enter", args=[last.pk, "final"]) in scorer.get(last.get_absolute_url()).content.decode()
    assert WHO_MAY in text_of(correct(scorer, locked))
    assert locked.sheets.count() == 1


def test_a_scorer_is_refused_a_correction_that_needs_a_repair(event, scorer):
    match = fixture_of(event, "M1-1").match
    refused = correct(scorer, match)
    assert (refused.status_code, WHO_MAY in text_of(refused)) == (403, True)
    assert match.sheets.count() == 1


def test_a_scorer_sees_the_matches_that_would_fall_and_is_given_no_choice_of_repair(event, scorer):
    page = correct(scorer, fixture_of(event, "M2-1").match, preview="on")
    assert (page.status_code, "What this correction changes" in text_of(page)) == (200, True)
    assert 'name="repair"' not in page.content.decode()
    html = page.content.decode()
    form = html[html.index('id="correction"') :]
    sent = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', form[: form.index("</form>")]))
    sent.pop("csrfmiddlewaretoken", None)
    corrected = scorer.post(reverse("enter", args=[fixture_of(event, "M2-1").match_id, "final"]), sent)
    assert corrected.status_code == 302
    assert fixture_of(event, "M2-1").match.sheets.count() == 2


def test_who_undoes_a_correction_is_told_that_voided_results_are_entered_again(event, client):
    match = fixture_of(event, "M1-1").match
    shown = correct(client, match).context["correction"]["shown"]
    correct(client, match, repair="replay", reason="Seen.", shown=shown)
    row = event.log.filter(verb="correct_result").latest("id")
    address = reverse("undo", args=[event.tournament.slug, event.slug, row.pk])
    said = text_of(client.post(address, follow=True))
    assert "The step has been undone. Results that this correction voided have to be entered again." in said


def test_a_preview_of_an_unlikely_correction_shows_the_changes_once_it_is_meant(event, client):
    match = fixture_of(event, "M1-1").match
    address = reverse("enter", args=[match.pk, "sheet"])
    form = form_at(client.get(match.get_absolute_url()), address)
    game = {"winner": "B", "cube": "4", "level": "3", "ending": "resigned"}
    typed = {**form.data(), **{f"games-0-{name}": value for name, value in game.items()}, "preview": "on"}
    asked = form_at(client.post(address, typed), address)
    [yes] = [button for button in asked.buttons if button.get("name") == "confirmed"]
    page = client.post(address, {**asked.data(), "confirmed": yes["value"]})
    assert "What this correction changes" in text_of(page)
    assert match.sheets.count() == 1
