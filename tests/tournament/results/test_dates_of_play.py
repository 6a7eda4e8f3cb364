"""The date of play of any match: typed in later, in any order, and taken by the ratings in the order of play."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from matches.ratings import rated_matches
from players.errors import Refusal
from tests.builders import AT, build_event, claim, fixture_of
from tests.pages import text_of
from tests.tournament.api.client import CheckedClient
from tournament.models import Tournament
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


@pytest.fixture
def event(director):
    """A knockout of four whose first day was a week ago and which is drawn just now."""
    event = build_event(director, players=4)
    Tournament.objects.filter(pk=event.tournament_id).update(starts_on=(AT - WEEK).date())
    return event


def enter(event, director, key: str, *, at: datetime = AT, may_repair: bool = False, **said: object):
    told = claim(final=(5, 0), **said)
    return enter_result(fixture_of(event, key).match, claim=told, may_repair=may_repair, by=director, at=at)


def test_an_event_of_last_week_has_its_real_dates_though_it_is_drawn_today(event, director):
    played = AT - WEEK + timedelta(hours=1)
    sheet = enter(event, director, "M1-1", played_at=played)
    assert (sheet.played_at, sheet.at) == (played, AT)


@pytest.mark.parametrize("days", [-9, 1])
def test_not_before_the_first_day_nor_in_the_future(event, director, days):
    with pytest.raises(Refusal) as refused:
        enter(event, director, "M1-1", played_at=AT + timedelta(days=days))
    assert (refused.value.code, refused.value.field) == ("played_at_out_of_range", "played_at")


def test_the_first_day_begins_in_the_time_zone_of_the_tournament(event, director):
    Tournament.objects.filter(pk=event.tournament_id).update(time_zone="Asia/Tokyo")
    event.refresh_from_db()
    first = datetime.combine((AT - WEEK).date(), datetime.min.time(), tzinfo=Tournament.objects.get().zone)
    with pytest.raises(Refusal):
        enter(event, director, "M1-1", played_at=first - timedelta(minutes=1))
    assert enter(event, director, "M1-1", played_at=first).played_at == first


def test_a_final_is_not_played_before_its_semifinals(event, director):
    for key in ("M1-1", "M1-2"):
        enter(event, director, key, played_at=AT - timedelta(days=2))
    with pytest.raises(Refusal) as refused:
        enter(event, director, "M2-1", played_at=AT - timedelta(days=3))
    assert refused.value.code == "played_at_out_of_range"
    assert enter(event, director, "M2-1", played_at=AT - timedelta(days=1)).played_at == AT - timedelta(days=1)


def test_a_match_that_was_drawn_before_the_first_day_may_be_played_from_then_on(event, director):
    Tournament.objects.filter(pk=event.tournament_id).update(starts_on=(AT + WEEK).date())
    played = AT + timedelta(days=1)
    assert enter(event, director, "M1-1", at=AT + timedelta(days=2), played_at=played).played_at == played


def test_ratings_take_the_matches_in_the_order_of_play(event, director):
    enter(event, director, "M1-1", played_at=AT - timedelta(days=1))
    enter(event, director, "M1-2", played_at=AT - timedelta(days=2))
    order = [fixture_of(event, key).match_id for key in ("M1-2", "M1-1")]
    assert [match.match_id for match in rated_matches()] == order


def test_form_and_address_take_it_on_the_day_of_the_draw(director):
    event = build_event(director, players=4)
    now = timezone.localtime().replace(second=0, microsecond=0)
    Tournament.objects.update(starts_on=(now - WEEK).date())
    type(event).objects.update(created_at=now)
    event.stages.update(drawn_at=now)
    first, second = (fixture_of(event, key).match for key in ("M1-1", "M1-2"))
    client = Client()
    client.force_login(director)
    assert "Played on another day?" in client.get(first.get_absolute_url()).content.decode()
    played = now - timedelta(days=3)
    typed = {"key": "c", "base": 0, "final_a": 5, "final_b": 1, "played_at": f"{played:%Y-%m-%dT%H:%M}"}
    assert client.post(reverse("enter", args=[first.pk, "final"]), typed).status_code == 302
    assert first.sheets.get().played_at == played
    api = CheckedClient()
    api.force_authenticate(director)
    sent = {"key": "a", "base": 0, "final": [5, 1], "played_at": played.isoformat()}
    assert api.post(f"matches/{second.pk}/result/", sent).status_code == 201
    assert second.sheets.get().played_at == played
    assert "Ended" in client.get(second.get_absolute_url()).content.decode()


def test_a_semifinal_is_not_moved_behind_its_final(event, director):
    for key in ("M1-1", "M1-2", "M2-1"):
        enter(event, director, key, played_at=AT - timedelta(days=2))
    late = {"played_at": AT - timedelta(days=1), "base": 1, "reason": "It was Thursday."}
    with pytest.raises(Refusal) as refused:
        enter(event, director, "M1-1", may_repair=True, **late)
    assert (refused.value.code, str(refused.value)[:45]) == (
        "played_at_out_of_range",
        "A match that this one leads to ended on 4 Mar",
    )
    assert enter(event, director, "M2-1", **late).played_at == late["played_at"]
    assert enter(event, director, "M1-1", may_repair=True, **late).played_at == late["played_at"]


def told_of(client: Client, event, name: str) -> str:
    return text_of(client.get(reverse(name, args=[event.tournament.slug, event.slug])))


def test_history_and_log_say_from_which_day_to_which_a_match_was_moved(event, director):
    client = Client()
    client.force_login(director)
    Tournament.objects.filter(pk=event.tournament_id).update(time_zone="Asia/Tokyo")
    days = [AT - timedelta(days=3), AT - timedelta(days=2)]
    enter(event, director, "M1-1", played_at=days[0])
    assert all("date of play" not in told_of(client, event, name) for name in ("history", "event-log"))
    enter(event, director, "M1-1", played_at=days[1], base=1, reason="It was Thursday.")
    zone = Tournament.objects.get().zone
    before, after = (date_format(timezone.localtime(day, zone), "DATETIME_FORMAT") for day in days)
    for name in ("history", "event-log"):
        assert f"date of play corrected from {before} to {after}" in told_of(client, event, name)
    enter(event, director, "M1-1", played_at=days[1], base=2, reason="The same day.", confirmed=True)
    row = event.log.latest("pk")
    assert "dated_before" not in row.detail


@pytest.mark.parametrize(
    ("days", "sentence"),
    [
        (1, "A match has ended when its result is entered: this date is in the future."),
        (-9, "The tournament and its draw were not before 27 February 2026, 00:00, so no match was."),
    ],
)
def test_a_refused_date_says_why(event, director, days, sentence):
    Tournament.objects.update(time_zone="UTC")
    event.refresh_from_db()
    with pytest.raises(Refusal) as refused:
        enter(event, director, "M1-1", played_at=AT + timedelta(days=days))
    assert str(refused.value) == sentence


@pytest.mark.parametrize("moment", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_the_ends_of_the_calendar_are_refused_at_their_field(director, moment):
    event = build_event(director, players=4)
    Tournament.objects.update(time_zone="Asia/Tokyo" if moment[0] == "0" else "America/New_York")
    match = fixture_of(event, "M1-1").match
    desk = Client()
    desk.force_login(director)
    form = {"key": "0" * 32, "base": "0", "final_a": "5", "final_b": "0", "played_at": moment}
    page = desk.post(reverse("enter", args=[match.pk, "final"]), form)
    assert (page.status_code, list(page.context["final_form"].errors)) == (400, ["played_at"])
    api = CheckedClient()
    api.force_login(director)
    for path, body in ((f"matches/{match.pk}/result/", {"final": [5, 0], "played_at": moment}),):
        assert api.post(path, body).status_code == 400
    assert api.patch(f"events/{event.pk}/", {"starts_at": moment}).status_code == 400
