"""The check-in desk, on its pages and through the API."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from matches.models import Match
from players.models import Player
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, fixture_of, open_matches, win
from tests.tournament.api.client import CheckedClient
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event, put_to_wait, set_door
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Entry, Event
from tournament.money.ledger import take_ledger
from tournament.pictures.paper import draw_code
from tournament.snapshot import CallSnapshot


@pytest.fixture
def desk(client, director):
    client.force_login(director)
    return client


@pytest.fixture
def api(director) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(director)
    return client


def tap(desk, entry: Entry, action: str, **said: object):
    return desk.post(f"{entry.event.get_absolute_url()}entries/{entry.pk}/{action}/", said)


def answer_yes(desk, question):
    """Confirm a question, by the fields that its page carries."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', question.content.decode())
    asked = [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]
    data: dict[str, list[str]] = {}
    for name, value in asked:
        data.setdefault(name, []).append(value)
    return desk.post(question.request["PATH_INFO"], data)


def known_here(director, name: str, **more: str) -> Player:
    """A player who is in an event of the director, with nobody else."""
    tournament = build_tournament(director, f"Evening of {name}")
    event = build_event(director, players=0, drawn=False, tournament=tournament)
    add_entries(event, lines=[EntryLine(name=name, **more)], by=director, at=AT)
    return event.entries.get().player


def page(client, event: Event, query: str = "") -> str:
    return client.get(f"{event.get_absolute_url()}entries/{query}").content.decode()


def counts(text: str) -> dict[str, int]:
    (box,) = re.findall(r'<ul class="counts".*?</ul>', text, re.S)
    return {name: int(number) for number, name in re.findall(r"<strong>(\d+)</strong> ([a-z ]+)", box)}


def test_the_page_of_an_entry_holds_the_code_of_the_player(desk, director):
    entry = build_event(director, players=4).entries.first()
    address = f"{entry.event.get_absolute_url()}entries/{entry.pk}/"
    link = f"http://testserver{link_of(entry)}"
    text = desk.get(address).content.decode()
    assert f'href="{link}"' in text
    assert draw_code(link) in text


def test_one_tap_checks_in_and_the_page_counts(desk, director):
    event = build_event(director, players=4, drawn=False)
    set_door(event, max_entries=4, check_in=True, late_minutes=5, by=None, at=AT)
    add_entries(event, lines=[EntryLine(name="Five")], by=None, at=AT)
    entry = event.entries.get(number=1)
    assert tap(desk, entry, "check-in").url.endswith(f"/entries/#e-{entry.pk}")
    assert counts(page(desk, event)) == {"checked in": 1, "not here yet": 3, "waiting": 1, "of ": 4}
    tap(desk, entry, "undo-check-in")
    assert counts(page(desk, event))["checked in"] == 0


def test_three_letters_find_a_player_without_scripts(client, director):
    event = build_event(director, players=0, drawn=False)
    add_entries(event, lines=[EntryLine(name="Åse Lund"), EntryLine(name="Bo Madsen", line=2)], by=None, at=AT)
    text = page(client, event, "?q=ase")
    assert ("Åse Lund" in text, "Bo Madsen" in text) == (True, False)


def test_a_player_who_leaves_is_shown_with_the_reason_and_comes_back_with_a_tap(desk, director):
    event = build_event(director, players=4)
    entry = fixture_of(event, "M1-1").entry_a
    assert answer_yes(desk, tap(desk, entry, "leave", kind="disqualified", how="", reason="Shouted")).status_code == 302
    assert "disqualified: Shouted" in page(desk, event)
    store_standings(event.pk)
    assert "disqualified" in desk.get(f"{event.get_absolute_url()}standings/").content.decode()
    tap(desk, entry, "undo-leaving")
    assert "Shouted" not in page(desk, event)


def test_check_in_is_offered_before_the_draw_and_after_it_to_waiting_entries(desk, director):
    event = build_event(director, players=5, drawn=False)
    put_to_wait(event.entries.get(number=5), by=None, at=AT)
    offered = r"entries/(\d+)/check-in/"
    assert len(re.findall(offered, page(desk, event))) == 5
    make_draw(event, by=None, at=AT)
    waiting = event.entries.get(number=5)
    assert re.findall(offered, page(desk, event)) == [str(waiting.pk)]
    tap(desk, waiting, "check-in")
    assert re.findall(r"entries/(\d+)/undo-check-in/", page(desk, event)) == [str(waiting.pk)]


def test_late_entry_is_taken_out_of_its_bye_by_page_and_api(desk, api, director):
    event = build_event(director, players=6)
    late = [add_entries(event, lines=[EntryLine(name=name)], by=None, at=AT)[0] for name in ("Late", "Later")]
    text = desk.get(f"{event.get_absolute_url()}entries/{late[0].pk}/").content.decode()
    assert {"wait", "remove"} <= set(re.findall(rf"entries/{late[0].pk}/([a-z-]+)/", text))
    assert "Entered late, in place of a bye." in text
    answer_yes(desk, tap(desk, late[0], "remove"))
    assert api.delete(f"entries/{late[1].pk}/").status_code == 204
    assert event.entries.count() == 6
    assert event.stages.get().fixtures.filter(feed_b="bye").count() == 2


def test_page_of_an_entry_offers_what_can_be_done(desk, director):
    event = build_event(director, players=4, format="consolation")
    entry = event.entries.get(number=1)
    text = desk.get(f"{event.get_absolute_url()}entries/{entry.pk}/").content.decode()
    offered = set(re.findall(rf"entries/{entry.pk}/([a-z-]+)/", text))
    assert offered == {"leave", "replace", "new-link"}
    assert 'value="main"' in text
    assert desk.get(f"{event.get_absolute_url()}entries/{entry.pk + 100}/").status_code == 404


@pytest.mark.parametrize("said", [{}, {"kind": "asleep"}, {"kind": "disqualified"}, {"kind": "no-show", "how": "main"}])
def test_senseless_departure_is_refused_in_a_sentence(desk, director, said):
    event = build_event(director, players=4)
    assert tap(desk, event.entries.get(number=1), "leave", **said).status_code == 400
    assert not event.entries.filter(left_at__isnull=False).exists()


def test_door_is_set_and_absent_entries_are_left_out(desk, director):
    event = build_event(director, players=4, drawn=False)
    url = f"{event.get_absolute_url()}entries/"
    desk.post(f"{url}door/", {"max_entries": "3", "check_in": "on", "late_minutes": ""})
    event.refresh_from_db()
    assert (event.max_entries, event.check_in, event.late_minutes) == (3, True, None)
    assert desk.post(f"{url}door/", {"max_entries": "1"}).status_code == 400
    for number in (1, 2):
        tap(desk, event.entries.get(number=number), "check-in")
    answer_yes(desk, desk.post(f"{url}leave-out-absent/"))
    assert list(event.entries.filter(left_kind="no-show").values_list("number", flat=True)) == [3, 4]


def test_a_player_is_replaced_on_the_page(desk, director):
    event = build_event(director, players=4)
    entry = event.entries.get(number=1)
    tap(desk, entry, "replace", name="Somebody Else")
    assert "Somebody Else" in page(desk, event)
    assert tap(desk, entry, "replace", name="").status_code == 400


def test_lateness_is_shown_before_it_is_ruled(desk, director):
    event = build_event(director, players=4, lengths=(7,))
    match = open_matches(event)[0]
    seen = {"key": "late", "base": 0, "ruling_count": 0, "minutes_b": 10}
    shown = desk.post(f"/matches/{match.pk}/rule/late/", seen)
    assert "10 minutes late" in shown.content.decode()
    assert not match.rulings.exists()
    question = shown.context["question"]
    assert desk.post(f"/matches/{match.pk}/rule/late/", {**seen, "confirmed": question}).status_code == 302
    match.refresh_from_db()
    assert (match.terms.opening.a, match.terms.opening.b) == (2, 0)


def test_merged_player_is_found_at_one_address(desk, api, director):
    kept, gone = known_here(director, "Ann"), known_here(director, "Anne")
    assert "Anne" in desk.get(f"/players/{kept.pk}/merge/").content.decode()
    assert "Merge these players" in desk.get(f"/players/{kept.pk}/merge/?gone={gone.pk}").content.decode()
    desk.post(f"/players/{kept.pk}/merge/", {"gone": gone.pk})
    moved = desk.get(f"/players/{gone.pk}/")
    assert (moved.status_code, moved.url) == (302, f"/players/{kept.pk}/")
    assert api.get("players/?q=ann").json()["results"] == [{"id": kept.pk, "name": "Ann", "country": "", "club": ""}]
    answer = api.get(f"players/{gone.pk}/")
    assert (answer.status_code, answer["Location"]) == (302, f"http://testserver/api/v1/players/{kept.pk}/")


def test_a_director_of_other_tournaments_merges_nobody(client, director):
    event = build_event(director, players=2, drawn=False)
    other = build_director("other")
    build_tournament(other, "Elsewhere")
    client.force_login(other)
    gone = create_player(name="Player One", at=AT)
    kept = event.entries.get(number=1).player
    assert client.post(f"/players/{gone.pk}/merge/", {"gone": kept.pk}).status_code == 403
    kept.refresh_from_db()
    assert kept.merged_into is None


def test_a_player_of_no_tournament_is_merged_by_administrators_alone(desk, api, director):
    """Such as one of match records: there everybody who has made a tournament of their own could merge anybody."""
    here, one, other = known_here(director, "Ann"), create_player(name="Anne", at=AT), create_player(name="An", at=AT)
    for kept, gone in ((one, other), (here, one), (one, here)):
        assert desk.post(f"/players/{kept.pk}/merge/", {"gone": gone.pk}).status_code == 403
        assert api.post(f"players/{kept.pk}/merge/", {"duplicate": gone.pk}).json()["code"] == "role_missing"
    assert "/merge/" not in desk.get(f"/players/{one.pk}/").content.decode()
    director.is_superuser = True
    director.save()
    assert desk.post(f"/players/{here.pk}/merge/", {"gone": one.pk}).status_code == 302


def test_api_does_what_the_desk_does(api, director):
    event = build_event(director, players=3, drawn=False)
    door = {"max_entries": 3, "check_in": True, "late_minutes": 10}
    assert api.put(f"events/{event.pk}/door/", door).json() == {"id": event.pk, **door}
    waiting = api.post(f"events/{event.pk}/entries/", {"name": "Four"}).json()
    assert waiting["waiting"]
    first, second, third = (event.entries.get(number=number).pk for number in (1, 2, 3))
    assert api.post(f"entries/{first}/check-in/").json()["checked_in_at"] is not None
    assert api.delete(f"entries/{first}/check-in/").json()["checked_in_at"] is None
    for entry in (first, second):
        api.post(f"entries/{entry}/check-in/")
    assert api.delete(f"entries/{waiting['id']}/waiting/").json()["code"] == "event_full"
    assert [line["id"] for line in api.post(f"events/{event.pk}/absent/").json()] == [third]
    assert api.delete(f"entries/{third}/departure/").json()["waiting"]
    assert api.post(f"entries/{waiting['id']}/waiting/").json()["waiting"]
    assert not api.delete(f"entries/{waiting['id']}/waiting/").json()["waiting"]
    assert api.put(f"entries/{second}/replacement/", {"name": "Instead"}).json()["name"] == "Instead"
    assert api.put(f"entries/{second}/replacement/", {}).status_code == 400
    api.post(f"entries/{waiting['id']}/check-in/")
    assert api.post(f"events/{event.pk}/draw/").status_code in {200, 201}
    assert api.delete(f"entries/{third}/waiting/").json()["code"] == "event_full"
    gone = api.post(f"entries/{first}/departure/", {"kind": "withdrawn", "reason": "ill"}).json()
    assert (gone["left_kind"], gone["left_reason"], gone["left_bracket"]) == ("withdrawn", "ill", "")
    snapshot = api.get(f"events/{event.pk}/").json()
    assert [entry["id"] for entry in snapshot["waiting"]] == [third]
    assert {entry["id"]: entry["left_kind"] for entry in snapshot["entries"]}[first] == "withdrawn"


def test_minutes_late_are_counted_from_the_call_and_can_be_changed(desk, director):
    event = build_event(director, players=2, lengths=(9,))
    (match,) = open_matches(event)
    field = r'name="minutes"(?: value="(\d*)")?'
    assert re.findall(field, desk.get(match.get_absolute_url()).content.decode()) == [""]
    add_tables(event.tournament, first=1, last=1, by=None, at=AT)
    call = call_match(match, by=None, at=timezone.now() - timedelta(minutes=12))
    shown = CallSnapshot(1, call.called_at, None)
    first = shown.minutes_waited(timezone.now())
    (told,) = re.findall(field, desk.get(match.get_absolute_url()).content.decode())
    assert first <= int(told) <= shown.minutes_waited(timezone.now())
    said = {"key": "late", "base": 0, "ruling_count": 0, "late": "B", "minutes": "15"}
    answer = desk.post(reverse("rule", args=[match.pk, "late"]), said)
    preview = answer.content.decode()
    assert f"{match.name_b} 15 minutes late" in preview
    again = {name: re.findall(rf'type="hidden" name="{name}" value="([^"]*)"', preview)[0] for name in said}
    desk.post(reverse("rule", args=[match.pk, "late"]), {**again, "confirmed": answer.context["question"]})
    assert match.rulings.get().reason == f"{match.name_b} 15 minutes late"
    assert Match.objects.get(pk=match.pk).terms.opening.a == 3


@pytest.mark.parametrize(("seconds", "minutes"), [(0, 0), (59, 0), (60, 1), (725, 12), (-60, 0)])
def test_only_full_minutes_count_as_waiting_and_nobody_waits_for_a_player_in_a_match(seconds, minutes):
    call = CallSnapshot(1, AT, None)
    assert call.minutes_waited(AT + timedelta(seconds=seconds)) == minutes
    assert replace(call, started_at=AT).minutes_waited(AT + timedelta(seconds=seconds)) is None


def test_api_rules_on_lateness(api, director):
    event = build_event(director, players=2, lengths=(7,))
    match = open_matches(event)[0]
    late = {"key": "late", "minutes_a": 10}
    shown = api.post(f"matches/{match.pk}/lateness/", {**late, "preview": True})
    assert (shown.status_code, shown.json()["after"]["score"]) == (200, [0, 2])
    ruled = api.post(f"matches/{match.pk}/lateness/", late)
    again = api.post(f"matches/{match.pk}/lateness/", late)
    assert (ruled.status_code, again.status_code, again.json()) == (201, 200, ruled.json())


def test_api_merges_a_duplicate(api, director):
    kept, gone = known_here(director, "Ann"), known_here(director, "Anne", club="Aarhus")
    merged = api.post(f"players/{kept.pk}/merge/", {"duplicate": gone.pk})
    assert merged.json() == {"id": kept.pk, "name": "Ann", "country": "", "club": "Aarhus"}
    assert api.post(f"players/{kept.pk}/merge/", {"duplicate": gone.pk}).json()["code"] == "player_merged"


def test_a_merge_is_undone_on_the_page_of_the_player_who_was_kept(desk, director):
    event = build_event(director, players=2, drawn=False)
    kept, gone = known_here(director, "Ann"), event.entries.get(number=1).player
    desk.post(f"/players/{kept.pk}/merge/", {"gone": gone.pk})
    address = f"/players/{kept.pk}/merge/{gone.pk}/undo/"
    assert address in desk.get(f"/players/{kept.pk}/").content.decode()
    page = desk.post(address, follow=True)
    assert page.redirect_chain == [(f"/players/{gone.pk}/", 302)]
    assert "Player 1 is a separate player again." in page.content.decode()
    assert event.entries.get(number=1).player == gone
    page = desk.post(address, follow=True)
    assert page.redirect_chain == [(f"/players/{kept.pk}/", 302)]
    assert "Player 1 is not merged with another player." in page.content.decode()
    assert address not in page.content.decode()


def test_api_undoes_a_merge(api, director):
    event = build_event(director, players=2, drawn=False)
    kept, gone, other = (
        known_here(director, "Ann"),
        event.entries.get(number=1).player,
        known_here(director, "Bo"),
    )
    api.post(f"players/{kept.pk}/merge/", {"duplicate": gone.pk})
    assert api.delete(f"players/{other.pk}/merge/{gone.pk}/").status_code == 404
    answer = api.delete(f"players/{kept.pk}/merge/{gone.pk}/")
    assert (answer.status_code, answer.json()["name"]) == (200, "Player 1")
    assert event.entries.get(number=1).player == gone
    assert api.delete(f"players/{kept.pk}/merge/{gone.pk}/").json()["code"] == "not_merged"


@pytest.mark.parametrize("drawn", [False, True])
def test_queries_of_the_desk_do_not_grow_with_the_players(desk, director, drawn):
    def queries(players: int) -> int:
        event = build_event(director, players=players, drawn=drawn)
        for number in (1, 2):
            tap(desk, event.entries.get(number=number), "check-in")
        entry = event.entries.get(number=3)
        with CaptureQueriesContext(connection) as captured:
            page(desk, event)
            tap(desk, entry, "check-in")
            desk.get(f"{event.get_absolute_url()}entries/{entry.pk}/")
        return len(captured)

    assert queries(8) == queries(64)


def test_queries_of_a_departure_do_not_grow_with_the_players(director):
    def queries(players: int) -> int:
        event = build_event(director, players=players)
        win(fixture_of(event, "M1-2").match, Side.A)
        entry = fixture_of(event, "M1-1").entry_a
        with CaptureQueriesContext(connection) as captured:
            leave_event(entry, kind="no-show", by=director, at=AT)
        return len(captured)

    assert queries(8) == queries(64)


def test_an_entry_that_waits_or_left_before_the_draw_owes_nothing(director):
    event = build_event(director, players=4, drawn=False)
    set_door(event, max_entries=4, check_in=False, late_minutes=5, by=None, at=AT)
    (waits,) = add_entries(event, lines=[EntryLine(name="Five")], by=None, at=AT)
    gone = event.entries.get(number=1)
    set_door(event, max_entries=None, check_in=False, late_minutes=5, by=None, at=AT)
    leave_event(gone, kind="withdrawn", by=None, at=AT)
    owing = {account.entry.id for account in take_ledger(event.pk).entries}
    assert owing == {entry.pk for entry in event.entries.all()} - {waits.pk, gone.pk}
