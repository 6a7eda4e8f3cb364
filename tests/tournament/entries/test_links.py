"""Private links: replaced with the player and by the director, closed while an entry is out of the event."""

import re

import pytest
from django.core.signing import Signer
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from matches.models import Scoresheet
from players.errors import Conflict
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of, win
from tests.meanwhile import before_query
from tests.tournament.api.client import CheckedClient
from tournament.corrections.undo import undo_step
from tournament.entries.attendance import leave_event, undo_leaving
from tournament.entries.identity import replace_player
from tournament.entries.links import LinkEnded, link_of, token_of
from tournament.entries.lists import EntryLine
from tournament.entries.renew import renew_links
from tournament.entries.report import confirm_by_link, dispute_by_link, report_by_link
from tournament.entries.services import remove_entry
from tournament.events.services import finish_event
from tournament.log.words import PUBLIC_VERBS, tell
from tournament.models import Entry, Event
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db

REPLACED = "This private link has been replaced: the director has the new one."


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


def replace(entry: Entry, name: str = "Somebody Else") -> Entry:
    return replace_player(entry, line=EntryLine(name=name), by=None, at=AT)


def get(link: str):
    return Client().get(link)


def report(entry: Entry, token: str, match, **fields):
    return Client().post(reverse("my-report", args=[token, match.pk, "final"]), {"key": "k", "base": 0, **fields})


def test_a_token_is_an_id_an_epoch_and_a_signature(event):
    entry = event.entries.first()
    said, signature = token_of(entry).split("~")
    assert said == f"{entry.pk}.1"
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", signature)


@pytest.mark.parametrize("text", ["{0}", "{0}.1.1", "a.1", "{0}.", ".1", ""])
def test_other_text_is_no_token_even_if_it_is_signed(event, text):
    signed = Signer(salt="tournament.entry").sign(text.format(event.entries.first().pk)).replace(":", "~")
    assert get(reverse("my-entry", args=[signed])).status_code == 404


def test_replacing_a_player_ends_the_link_and_nothing_is_reported_with_it(event):
    fixture = fixture_of(event, "M1-1")
    old, link = token_of(fixture.entry_a), link_of(fixture.entry_a)
    assert get(link).status_code == 200
    now = replace(fixture.entry_a)
    page = get(link)
    assert page.status_code == 410
    assert REPLACED in page.content.decode()
    assert "Somebody Else" not in page.content.decode()
    sent = report(now, old, fixture.match, final_a=5, final_b=2)
    assert (sent.status_code, fixture.match.sheets.count()) == (410, 0)
    assert get(link_of(now)).status_code == 200
    assert report(now, token_of(now), fixture.match, final_a=5, final_b=2).status_code == 302


def test_undoing_a_replacement_revives_neither_link(event):
    entry = event.entries.first()
    first = link_of(entry)
    second = link_of(replace(entry))
    undo_step(event.log.first(), by=None, at=AT)
    entry.refresh_from_db()
    assert [get(link).status_code for link in (first, second, link_of(entry))] == [410, 410, 200]


@pytest.mark.parametrize("act", ["report", "confirm", "dispute"])
def test_a_link_that_ends_between_the_page_and_the_lock_changes_nothing(event, act):
    """The page has read the entry, and waits for the lock that the replacement has."""
    fixture = fixture_of(event, "M1-1")
    match, read = fixture.match, fixture.entry_a
    report_by_link(fixture.entry_b, match, claim=claim(final=(2, 5)), at=AT)
    renew_links(event, entries=[read.pk], by=None, at=AT)
    before = list(match.sheets.values_list("state"))
    ways = {
        "report": lambda: report_by_link(read, match, claim=claim(final=(5, 2)), at=AT),
        "confirm": lambda: confirm_by_link(read, match, number=1, at=AT),
        "dispute": lambda: dispute_by_link(read, match, number=1, reason="", at=AT),
    }
    with pytest.raises(LinkEnded) as ended:
        ways[act]()
    assert (ended.value.code, ended.value.status) == ("link_replaced", 410)
    assert list(match.sheets.values_list("state")) == before


@pytest.mark.parametrize(
    "end",
    [
        lambda entry: renew_links(entry.event, entries=[entry.pk], by=None, at=AT),
        lambda entry: leave_event(entry, kind="withdrawn", by=None, at=AT),
    ],
    ids=["renewed", "left"],
)
@pytest.mark.parametrize("act", ["report", "confirm", "dispute"])
def test_a_link_may_end_before_any_query_of_its_page(event, act, end):
    fixture = fixture_of(event, "M1-1")
    match, entry, token = fixture.match, fixture.entry_a, token_of(fixture.entry_a)
    report_by_link(fixture.entry_b, match, claim=claim(final=(2, 5)), at=AT)

    def send() -> HttpResponse:
        if act == "report":
            return report(entry, token, match, final_a=2, final_b=5)
        return Client().post(reverse("my-answer", args=[token, match.pk, act]), {"number": 1})

    answers = []
    for query in range(1, 60):
        with transaction.atomic():
            answer = before_query(query, lambda: end(entry), send)
            if answer is not None:
                states = match.sheets.exclude(source="absence").values_list("state", flat=True)
                answers.append((answer.status_code, *states))
            transaction.set_rollback(True)
        if answer is None:
            break
    assert len(answers) >= 3
    # Walkovers for a player who has left take the place of the report.
    assert set(answers) <= {(410, "reported"), (410, "superseded")}


def test_a_match_of_others_is_refused_under_the_lock(event):
    entry, other = fixture_of(event, "M1-1").entry_a, fixture_of(event, "M1-2").match
    with pytest.raises(Conflict) as refused:
        report_by_link(entry, other, claim=claim(final=(5, 2)), at=AT)
    assert (refused.value.code, Scoresheet.objects.count()) == ("match_of_others", 0)


def test_a_link_is_closed_while_its_player_is_out_and_valid_again_once_they_are_back(event):
    entry = fixture_of(event, "M1-1").entry_a
    leave_event(entry, kind="no-show", by=None, at=AT)
    page = get(link_of(entry))
    assert page.status_code == 410
    assert f"This private link is closed: {entry.name} has left the event." in page.content.decode()
    undo_leaving(entry, by=None, at=AT)
    assert get(link_of(entry)).status_code == 200


def test_a_player_who_leaves_after_the_match_in_play_reports_it_first(event):
    fixture = fixture_of(event, "M1-1")
    entry, match = fixture.entry_a, fixture.match
    games = (GameResult(winner=Side.A, level=Level.SINGLE, cube=1),)
    enter_result(match, claim=claim(games=games), by=None, at=AT)
    leave_event(entry, kind="withdrawn", plays_on=True, by=None, at=AT)
    assert get(link_of(entry)).status_code == 200
    win(match, Side.B, loser_points=1, base=1)
    assert get(link_of(entry)).status_code == 410


def test_a_player_who_leaves_only_the_main_bracket_keeps_the_link():
    event = build_event(build_director(), players=8, format="consolation")
    entry = fixture_of(event, "M1-1").entry_a
    leave_event(entry, kind="withdrawn", only_main=True, by=None, at=AT)
    assert get(link_of(entry)).status_code == 200


def test_the_director_makes_one_link_or_all_anew(client, event):
    client.force_login(event.log.last().actor)
    links = {entry.pk: link_of(entry) for entry in event.entries.all()}
    one = event.entries.first()
    made = client.post(reverse("renew-link", args=[event.tournament.slug, event.slug, one.pk]))
    assert made.url.endswith(f"/entries/{one.pk}/?card#card")
    assert link_of(event.entries.get(pk=one.pk)) in client.get(made.url).content.decode()
    assert {pk: get(link).status_code for pk, link in links.items()} == {
        pk: 410 if pk == one.pk else 200 for pk in links
    }
    client.post(reverse("renew-links", args=[event.tournament.slug, event.slug]))
    assert {get(link).status_code for link in links.values()} == {410}
    assert sorted(event.entries.values_list("link_epoch", flat=True)) == [2, 2, 2, 3]


def test_the_api_reads_links_and_makes_them_anew(event):
    api = CheckedClient()
    api.force_authenticate(event.log.last().actor)
    entry = event.entries.first()
    assert api.get(f"entries/{entry.pk}/link/").json() == {
        "entry": entry.pk,
        "name": entry.name,
        "link": link_of(entry),
    }
    renewed = api.post(f"entries/{entry.pk}/link/").json()["link"]
    assert (get(link_of(entry)).status_code, get(renewed).status_code) == (410, 200)
    before = [line["link"] for line in api.get(f"events/{event.pk}/links/").json()]
    after = [line["link"] for line in api.post(f"events/{event.pk}/links/").json()]
    assert [get(link).status_code for link in (*before, *after)] == [410] * 4 + [200] * 4


def test_the_log_says_whose_links_are_new_and_the_history_does_not(event):
    entry = event.entries.first()
    renew_links(event, entries=[entry.pk], by=None, at=AT)
    row = event.log.first()
    assert tell(row) == f"New private links: {entry.name}"
    assert row.detail["was"] == {str(entry.pk): {"link_epoch": 1}}
    assert row.verb not in PUBLIC_VERBS


def test_links_of_an_ended_event_or_a_removed_entry_are_not_made():
    event = build_event(build_director(), players=2, drawn=False)
    gone = event.entries.first()
    remove_entry(gone, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        renew_links(event, entries=[gone.pk], by=None, at=AT)
    assert refused.value.code == "entry_gone"
    ended = build_event(build_director("another"), players=2)
    win(fixture_of(ended, "M1-1").match, Side.A)
    finish_event(ended, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        renew_links(ended, by=None, at=AT)
    assert refused.value.code == "event_finished"
