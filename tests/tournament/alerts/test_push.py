"""Notifications: what is due is told once, to the right browser, in its language; nothing after the link has ended."""

from datetime import date, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import translation

from matches.models import Match
from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, play_out, win
from tests.tournament.alerts.pushing import entry_of, follow, send, told
from tournament.alerts.send import (
    AFTERWARDS,
    AGAIN,
    SENDERS,
    forget_ended,
    send_alerts,
    tournaments_with_subscribers,
)
from tournament.alerts.subscribe import MOST, subscribe_push
from tournament.alerts.telling import Told
from tournament.corrections.undo import undo_step
from tournament.draw.make import make_draw
from tournament.entries.attendance import leave_event
from tournament.entries.identity import replace_player
from tournament.entries.links import LinkEnded, token_of
from tournament.entries.lists import EntryLine
from tournament.entries.renew import renew_links
from tournament.events.services import finish_event
from tournament.hall.announcements import announce, withdraw_announcement
from tournament.hall.calling import call_match, move_match, recall_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Alert, Event, Subscription
from tournament.results.deadlines import move_deadline, offer_to_play
from tournament.results.reports import report_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db

WHO = {"by": None, "at": AT}


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    add_tables(event.tournament, first=1, last=4, by=director, at=AT)
    return event


def test_a_called_match_is_told_once_with_the_table_and_the_page(event, service, browser):
    entry, match = entry_of(event), fixture_of(event, "M1-1").match
    follow(entry, service, browser)
    call_match(match, table=3, **WHO)
    for _time in range(3):
        send(event)
    ((path, headers, body),) = service.got
    said = browser.read(body)
    assert (path, said["title"]) == ("/one", "Table 3")
    assert said["url"] == f"{reverse('my-entry', args=[token_of(entry)])}#m{match.pk}"
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "3600")
    assert headers["Authorization"].startswith("vapid t=")


def test_a_call_that_is_taken_back_or_begun_before_it_is_sent_is_not_told(event, service, browser):
    follow(entry_of(event), service, browser)
    match = fixture_of(event, "M1-1").match
    call_match(match, **WHO)
    recall_match(match, **WHO)
    send(event)
    assert service.got == []
    call_match(match, by=None, at=AT + timedelta(minutes=1))
    start_match(match, by=None, at=AT + timedelta(minutes=2))
    send(event)
    assert service.got == []


def test_another_table_and_a_second_call_are_told_again(event, service, browser):
    follow(entry_of(event), service, browser, kinds=["table"])
    match = fixture_of(event, "M1-1").match
    call_match(match, table=1, **WHO)
    send(event)
    move_match(match, table=2, **WHO)
    send(event)
    recall_match(match, **WHO)
    call_match(match, table=1, by=None, at=AT + timedelta(minutes=5))
    send(event)
    assert told(service, browser) == ["Table 1", "Table 2", "Table 1"]


def test_the_others_and_those_who_did_not_ask_for_it_are_told_nothing(event, service, browser):
    follow(entry_of(event, "M1-2"), service, browser)
    follow(entry_of(event), service, browser, kinds=["result"], path="/two")
    call_match(fixture_of(event, "M1-1").match, **WHO)
    send(event)
    assert service.got == []


def test_the_next_match_is_told_with_the_opponent_and_what_was_there_before_is_not(event, service, browser):
    follow(entry_of(event), service, browser)
    send(event)
    win(fixture_of(event, "M1-1").match, Side.A)
    send(event)
    assert service.got == []
    win(fixture_of(event, "M1-2").match, Side.A)
    send(event)
    ((_path, _headers, body),) = service.got
    opponent = fixture_of(event, "M1-2").entry_a.name
    assert browser.read(body)["body"] == f"Main: you play {opponent}, 5 points."


def test_a_draw_is_told(director, service, browser):
    event = build_event(director, players=4, drawn=False)
    for number, entry in enumerate(event.entries.select_related("player", "partner", "event__tournament")):
        follow(entry, service, browser, path=f"/{number}")
    make_draw(event, **WHO)
    send(event)
    assert sorted(path for path, *_more in service.got) == ["/0", "/1", "/2", "/3"]


def test_a_result_that_awaits_a_yes_is_told_to_the_other_side_alone(event, service, browser):
    follow(entry_of(event), service, browser, kinds=["result"])
    report_result(fixture_of(event, "M1-1").match, claim=claim(final=(3, 5)), side=Side.B, **WHO)
    send(event)
    assert told(service, browser) == ["Is this result right?"]
    follow(entry_of(event, "M1-2"), service, browser, kinds=["result"])
    report_result(fixture_of(event, "M1-2").match, claim=claim(final=(5, 3)), side=Side.A, **WHO)
    send(event)
    assert len(service.got) == 1


def test_announcements_reach_everybody_who_follows_and_withdrawn_ones_nobody(event, service, browser):
    follow(entry_of(event), service, browser)
    withdraw_announcement(announce(event.tournament, text="Wrong.", **WHO), **WHO)
    announce(event.tournament, text="Supper at six.", **WHO)
    announce(event.tournament, text="Clocks on the table.", event=event, **WHO)
    for _time in range(2):
        send(event)
    said = [browser.read(body) for _path, _headers, body in service.got]
    assert sorted((one["title"], one["body"]) for one in said) == [
        ("Friday Club", "Supper at six."),
        ("Main", "Clocks on the table."),
    ]


def test_a_deadline_is_told_once_so_many_days_before_it_and_not_at_night(director, service, browser):
    options = {"starts_on": "2026-03-09", "days": 7}
    event = build_event(director, players=4, format="league", options=options)
    follow(entry_of(event, "R1-1"), service, browser, kinds=["deadline"])
    last = next(one.deadline for one in take_snapshot(event.pk).stages[0].fixtures if one.key == "R1-1")
    noon = AT.replace(year=last.year, month=last.month, day=last.day, hour=12)
    for days, hour, count in ((3, 12, 0), (2, 3, 0), (2, 12, 1), (1, 12, 1)):
        moment = (noon - timedelta(days=days)).replace(hour=hour)
        send_alerts(event.tournament_id, clock=lambda moment=moment: moment)
        assert len(service.got) == count, (days, hour)


def test_a_moved_deadline_and_an_offer_of_the_opponent_are_told_once(director, service, browser):
    options = {"starts_on": "2026-03-09", "days": 7, "unplayed": "offered"}
    event = build_event(director, players=2, format="league", options=options)
    follow(entry_of(event, "R1-1"), service, browser, kinds=["deadline"])
    match = fixture_of(event, "R1-1").match
    move_deadline(match, to=date(2026, 4, 1), reason="Away.", by=director, at=AT)
    for side in Side:
        offer_to_play(match, side=side, days=[date(2026, 3, 30)], at=AT)
    for _time in range(2):
        send(event)
    (other,) = event.entries.exclude(pk=fixture_of(event, "R1-1").entry_a_id)
    said = [browser.read(body)["body"] for _path, _headers, body in service.got]
    assert said == [
        f"Main: the last day to play {other.name} is now 1 April.",
        f"Main: {other.name} offers to play on 30 March.",
    ]


def in_league(director, service, browser) -> tuple[Event, Match, str]:
    """A match of a league whose side A follows its deadline, with the name of side B."""
    event = build_event(director, players=2, format="league", options={"starts_on": "2026-03-09", "days": 7})
    follow(entry_of(event, "R1-1"), service, browser, kinds=["deadline"])
    fixture = fixture_of(event, "R1-1")
    return event, fixture.match, fixture.entry_b.name


def test_a_deadline_that_is_moved_there_and_back_is_told_each_time_with_the_day_that_holds(director, service, browser):
    event, match, other = in_league(director, service, browser)
    for day in (date(2026, 4, 1), date(2026, 4, 8), date(2026, 4, 1)):
        move_deadline(match, to=day, reason="Away.", by=director, at=AT)
        for _time in range(2):
            send(event)
    said = [browser.read(body)["body"] for _path, _headers, body in service.got]
    days = ("1 April", "8 April", "1 April")
    assert said == [f"Main: the last day to play {other} is now {day}." for day in days]


def test_a_restored_deadline_is_told(director, service, browser):
    event, match, other = in_league(director, service, browser)
    move_deadline(match, to=date(2026, 4, 1), reason="Away.", by=director, at=AT)
    send(event)
    undo_step(event.log.first(), by=director, at=AT)
    send(event)
    assert browser.read(service.got[-1][2])["body"] == f"Main: the last day to play {other} is now 15 March."


def test_a_deadline_that_is_moved_while_another_alert_is_sent_is_told_as_it_is_now(
    director, service, browser, monkeypatch
):
    event, match, other = in_league(director, service, browser)
    subscription = Subscription.objects.get()
    subscription.kinds = ["deadline", "round"]
    subscription.save()
    move_deadline(match, to=date(2026, 4, 1), reason="Away.", by=director, at=AT)
    sent = []

    def send_slowly(subscription: Subscription, told: Told, *, at: datetime) -> None:
        if not sent:
            move_deadline(match, to=date(2026, 4, 8), reason="Away longer.", by=director, at=AT)
        sent.append(told.body)

    monkeypatch.setitem(SENDERS, "push", send_slowly)
    send(event)
    assert sent == [f"Main: you play {other}, 5 points.", f"Main: the last day to play {other} is now 8 April."]


def test_it_is_said_in_the_language_of_the_subscriber(event, service, browser):
    with translation.override("da"):
        follow(entry_of(event), service, browser)
    call_match(fixture_of(event, "M1-1").match, table=3, **WHO)
    send(event)
    assert told(service, browser) == ["Bord 3"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_takes_no_more_is_forgotten(event, service, browser, status):
    follow(entry_of(event), service, browser)
    service.answers += [status]
    call_match(fixture_of(event, "M1-1").match, **WHO)
    announce(event.tournament, text="Supper.", **WHO)
    send(event)
    assert (len(service.got), Subscription.objects.count(), Alert.objects.count()) == (1, 0, 0)


@pytest.mark.parametrize("status", [500, 429, 302])
def test_what_could_not_be_sent_is_tried_again_and_never_followed_elsewhere(event, service, browser, status):
    follow(entry_of(event), service, browser)
    service.answers += [status, 201]
    call_match(fixture_of(event, "M1-1").match, **WHO)
    send(event)
    send(event)
    assert len(service.got) == 1
    for _time in range(3):
        send(event, AGAIN.total_seconds() / 60)
    assert [path for path, *_more in service.got] == ["/one", "/one"]


def test_nothing_is_tried_for_ever(event, service, browser):
    follow(entry_of(event), service, browser)
    service.answers += [500] * 9
    announce(event.tournament, text="Supper.", **WHO)
    for number in range(9):
        send(event, 10 * number)
    assert len(service.got) == 3


@pytest.mark.parametrize("end", ["renewed", "replaced", "left"])
def test_nothing_is_sent_for_a_link_that_has_ended_and_its_address_is_deleted(event, service, browser, end):
    entry = entry_of(event)
    follow(entry, service, browser)
    announce(event.tournament, text="Supper.", **WHO)
    if end == "renewed":
        renew_links(event, entries=[entry.pk], **WHO)
    elif end == "replaced":
        replace_player(entry, line=EntryLine(name="Zoe"), **WHO)
    else:
        leave_event(entry, kind="withdrawn", **WHO)
    send(event)
    assert (service.got, Subscription.objects.count()) == ([], 0)
    with pytest.raises(LinkEnded):
        follow(entry, service, browser)


def test_addresses_are_deleted_with_the_end_of_their_event(event, service, browser):
    follow(entry_of(event), service, browser)
    assert tournaments_with_subscribers() == [event.tournament_id]
    play_out(event)
    finish_event(event, confirmed=True, **WHO)
    assert tournaments_with_subscribers() == []
    announce(event.tournament, text="Thanks.", **WHO)
    send(event)
    assert service.got == []
    forget_ended(at=AT + AFTERWARDS - timedelta(minutes=1))
    assert Subscription.objects.count() == 1
    forget_ended(at=AT + AFTERWARDS + timedelta(minutes=1))
    assert Subscription.objects.count() == 0


@pytest.mark.parametrize(
    "address",
    [
        *("http://{host}/x", "https://127.0.0.1/x", "https://localhost/x", "https://example.org/x"),
        *("https://user@{host}/x", "https://{host}@example.org/x", "https://{host}.example.org/x", "https://[::1/x"),
        *("https://{host}/\r\nX: y", "https://{host}/" + "x" * 500, ""),
    ],
)
def test_only_known_push_services_are_asked(event, service, browser, address):
    keys = {"public_key": browser.public_key, "secret": browser.secret}
    asked = address.format(host=service.host)
    with pytest.raises(Refusal) as refusal:
        subscribe_push(entry_of(event), address=asked, **keys, kinds=["table"], days_before=2, at=AT)
    assert (refusal.value.code, Subscription.objects.count()) == ("push_unknown", 0)


@pytest.mark.parametrize("wrong", [{"public_key": "AAAA"}, {"public_key": "å"}, {"secret": "AA"}, {"secret": "%"}])
def test_keys_that_are_none_are_refused(event, service, browser, wrong):
    keys = {"public_key": browser.public_key, "secret": browser.secret, **wrong}
    address = f"https://{service.host}/x"
    with pytest.raises(Refusal) as refusal:
        subscribe_push(entry_of(event), address=address, **keys, kinds=["table"], days_before=2, at=AT)
    assert refusal.value.code == "push_keys_invalid"


def test_the_same_browser_again_changes_what_it_is_told_and_a_crowd_is_refused(event, service, browser):
    entry = entry_of(event)
    follow(entry, service, browser)
    assert follow(entry, service, browser, kinds=["hall"]).kinds == ["hall"]
    for number in range(MOST - 1):
        follow(entry, service, browser, path=f"/{number}")
    with pytest.raises(Conflict) as refused:
        follow(entry, service, browser, path="/more")
    assert (refused.value.code, Subscription.objects.count()) == ("alerts_too_many", MOST)
