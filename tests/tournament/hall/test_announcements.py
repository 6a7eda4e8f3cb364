"""Announcements reach everybody, or the players of one event, on every page that they have open, until they end."""

import unicodedata
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.errors import Forbidden, Refusal
from tests.builders import AT, build_director, build_event
from tournament.hall.announcements import MOST_AT_ONCE, announce, current, end_announcements, withdraw_announcement
from tournament.models import Announcement, Appointment, Event, LogEntry, Role
from tournament.tasks import heal

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4)


@pytest.fixture
def other(event, director) -> Event:
    return build_event(director, players=4, tournament=event.tournament, name="Side")


def said(inside: Event, minutes: int = 0, **announced: object) -> Announcement:
    what = {"text": "Round 2 begins at 14:00.", "by": None, "at": AT, **announced}
    if minutes:
        what["ends_at"] = AT + timedelta(minutes=minutes)
    return announce(inside.tournament, **what)


def texts(event: Event, of: Event | None = None, minutes: int = 0) -> list[str]:
    return [one.text for one in current(event.tournament, of, AT + timedelta(minutes=minutes))]


def hall_version(event: Event) -> int:
    event.tournament.refresh_from_db()
    return event.tournament.hall_version


def test_what_is_said_to_one_event_is_not_said_to_another(event, other):
    said(event, text="To all.")
    said(event, text="To Main.", event=event)
    assert texts(event, event) == ["To Main.", "To all."]
    assert texts(event, other) == ["To all."]
    assert texts(event) == ["To Main.", "To all."]
    event.deleted_at = AT
    event.save()
    assert texts(event) == ["To all."]


def test_an_announcement_ends_at_its_time_or_when_it_is_withdrawn(event):
    said(event, minutes=15, text="Short.")
    stays = said(event, text="Long.")
    assert texts(event, minutes=14) == ["Long.", "Short."]
    assert texts(event, minutes=15) == ["Long."]
    for _time in range(2):
        withdraw_announcement(stays, by=None, at=AT)
    assert texts(event) == ["Short."]
    assert LogEntry.objects.filter(verb="withdraw_announcement").count() == 1


def test_each_change_raises_the_version_of_the_hall_so_that_open_pages_follow(event):
    before = hall_version(event)
    made = said(event, minutes=15)
    assert hall_version(event) == before + 1
    end_announcements(at=AT + timedelta(minutes=14))
    assert hall_version(event) == before + 1
    for _time in range(2):
        end_announcements(at=AT + timedelta(minutes=15))
    assert hall_version(event) == before + 2
    made.refresh_from_db()
    assert made.withdrawn_at is not None
    assert [row.actor for row in LogEntry.objects.filter(verb="end_announcement")] == [None]


def test_the_worker_ends_what_is_over(event):
    now = timezone.now()
    announce(event.tournament, text="Soon.", ends_at=now + timedelta(minutes=1), by=None, at=now)
    Announcement.objects.update(made_at=AT, ends_at=now - timedelta(seconds=1))
    heal()
    assert LogEntry.objects.filter(verb="end_announcement").count() == 1


@pytest.mark.parametrize(
    ("announced", "code"),
    [
        ({"text": " \n "}, "announcement_empty"),
        ({"text": "…"}, "announcement_empty"),
        ({"text": "x" * 281}, "announcement_too_long"),
        ({"text": "\u0301" * 3}, "announcement_empty"),
        ({"text": "^ ` !"}, "announcement_empty"),
        ({"text": "a\u200bb"}, "announcement_unprintable"),
        ({"text": "a\u200db"}, "announcement_unprintable"),
        ({"text": "\u200d☕"}, "announcement_unprintable"),
        ({"text": "no\u202e"}, "announcement_unprintable"),
        ({"text": "x" + "\u0301" * 279}, "announcement_unprintable"),
        ({"text": "x" + "\u20dd" * 5}, "announcement_unprintable"),
        ({"ends_at": AT}, "announcement_is_over"),
        ({"ends_at": AT.replace(year=2300)}, "time_out_of_range"),
    ],
)
def test_what_cannot_be_announced_is_refused_and_changes_nothing(event, announced, code):
    before = LogEntry.objects.count()
    with pytest.raises(Refusal) as refusal:
        said(event, **announced)
    assert (refusal.value.code, LogEntry.objects.count(), texts(event)) == (code, before, [])


@pytest.mark.parametrize("text", ["☕", "👨‍👩‍👧" * 40, "Coffee ☕", "👩🏽‍🍳 👁️‍🗨️", "Hà Nội", "שָׁלוֹם", "हिन्दी", "สวัสดีที่"])
def test_emoji_and_the_marks_of_all_scripts_can_be_announced(event, text):
    assert said(event, text=text).text == unicodedata.normalize("NFC", text)


def test_the_longest_text_is_280_characters_and_lines_become_one(event):
    assert said(event, text=" One\n\n two\t").text == "One two"
    assert len(said(event, text="x" * 280).text) == 280


def test_there_are_never_more_than_anybody_reads(event):
    for number in range(MOST_AT_ONCE):
        said(event, text=f"Number {number}.", minutes=15)
    with pytest.raises(Refusal) as refusal:
        said(event)
    assert refusal.value.code == "announcements_too_many"
    said(event, at=AT + timedelta(minutes=15))


def test_an_event_of_another_tournament_is_refused(event):
    elsewhere = build_event(build_director("elsewhere"), players=0, drawn=False)
    with pytest.raises(Refusal) as refusal:
        said(event, event=elsewhere)
    assert refusal.value.code == "event_of_another_tournament"


def test_a_deputy_of_one_event_speaks_to_its_players_alone(event, other):
    deputy = build_director("deputy")
    Appointment.objects.create(tournament=event.tournament, event=event, user=deputy, role=Role.DEPUTY, since=AT)
    said(event, event=event, by=deputy)
    for elsewhere in (None, other):
        with pytest.raises(Forbidden):
            said(event, event=elsewhere, by=deputy)
    assert Announcement.objects.count() == 1


def test_an_open_page_of_an_event_is_made_anew_with_the_announcement(event, client):
    page = f"{reverse('pairings', args=[event.tournament.slug, event.slug])}?fragment"
    before = client.get(page)
    assert client.get(page, headers={"if-none-match": before["ETag"]}).status_code == 304
    made = said(event, text="Supper <b>at</b> six.")
    after = client.get(page, headers={"if-none-match": before["ETag"]})
    assert (after.status_code, "Supper &lt;b&gt;at&lt;/b&gt; six." in after.content.decode()) == (200, True)
    withdraw_announcement(made, by=None, at=AT)
    gone = client.get(page, headers={"if-none-match": after["ETag"]})
    assert (gone.status_code, "Supper" in gone.content.decode()) == (200, False)


def test_standings_and_the_page_of_the_tournament_show_it_and_the_past_does_not(event, other, client):
    slug = event.tournament.slug
    before = LogEntry.objects.latest("id").pk
    said(event, text="Only Main.", event=event)
    shown = reverse("standings", args=[slug, event.slug])
    assert "Only Main." in client.get(shown).content.decode()
    assert "Only Main." not in client.get(shown, {"at": before}).content.decode()
    assert "Only Main." not in client.get(reverse("standings", args=[slug, other.slug])).content.decode()
    tournament = client.get(reverse("tournament", args=[slug])).content.decode()
    assert "<strong>Main:</strong> Only Main." in tournament


def test_a_director_announces_on_the_desk_and_withdraws_there(as_director, event):
    slug = event.tournament.slug
    announcing = reverse("announce", args=[slug])
    wrong = as_director.post(announcing, {"text": "…", "event": event.pk, "lasts": "15"})
    assert (wrong.status_code, "Write what you want to announce." in wrong.content.decode()) == (400, True)
    as_director.post(announcing, {"text": "Coffee is ready.", "event": "", "lasts": "60"})
    (made,) = Announcement.objects.all()
    assert (made.event, made.ends_at - made.made_at) == (None, timedelta(hours=1))
    desk = as_director.get(reverse("desk", args=[slug])).content.decode()
    assert desk.index('id="announce"') < desk.index('id="live"')
    assert "<strong>Coffee is ready.</strong>" in desk
    as_director.post(reverse("withdraw-announcement", args=[slug, made.pk]))
    after = as_director.get(f"{reverse('desk', args=[slug])}?fragment").content.decode()
    assert ("Announcement withdrawn: “Coffee is ready.”" in after, "is-announcements" in after) == (True, False)


def test_until_midnight_is_midnight_where_the_tournament_is(as_director, event):
    event.tournament.time_zone = "Asia/Tokyo"
    event.tournament.save()
    as_director.post(reverse("announce", args=[event.tournament.slug]), {"text": "Coffee.", "lasts": "day"})
    (made,) = Announcement.objects.all()
    local = made.ends_at.astimezone(event.tournament.zone)
    assert (local.hour, local.minute) == (0, 0)
    assert timedelta(0) < made.ends_at - made.made_at <= timedelta(days=1)


def test_a_deputy_of_one_event_finds_only_that_event_in_the_form(event, other):
    deputy, client = build_director("deputy"), Client()
    Appointment.objects.create(tournament=event.tournament, event=event, user=deputy, role=Role.DEPUTY, since=AT)
    client.force_login(deputy)
    page = client.get(reverse("desk", args=[event.tournament.slug])).content.decode()
    form = page.partition('id="announce"')[2].partition("</form>")[0]
    assert f'type="hidden" name="event" value="{event.pk}"' in form
    assert "Side" not in form
