"""The desk lists what to do now, in order, and each act takes one tap; queries stay the same in every field."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of, open_matches, win
from tests.fresh import forget_everything
from tournament.draw.make import make_draw
from tournament.draw.reconcile import Repair
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.forecast.day import plan_of_the_day
from tournament.forecast.event import HALF, NINE_TENTHS, forecasts
from tournament.hall.calling import call_match, call_ready, start_match
from tournament.hall.desk import Desk, take_desk
from tournament.hall.search import find_in_hall
from tournament.hall.tables import add_break, add_tables
from tournament.models import Appointment, Call, Event, LogEntry, Table, Tournament
from tournament.pages.hall.following import hall_page
from tournament.pictures.wall import hall_blocks
from tournament.rehearsal.pace import MODEL
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=8)
    add_tables(event.tournament, first=1, last=4, by=director, at=AT)
    return event


def after(minutes: int):
    return AT + timedelta(minutes=minutes)


def desk_of(event: Event, minutes: int = 0) -> Desk:
    return take_desk(event.tournament, at=after(minutes))


def keys(matches) -> list[str]:
    return [match.key for match in matches]


def match_of(event: Event, key: str):
    return fixture_of(event, key).match


def start(event: Event, key: str, minutes: int = 0) -> None:
    call_match(match_of(event, key), by=None, at=after(minutes))
    start_match(match_of(event, key), by=None, at=after(minutes))


def side_event(event: Event, *names: str, **terms: object) -> Event:
    other = build_event(
        build_director("side", event.tournament), tournament=event.tournament, players=0, drawn=False, **terms
    )
    add_entries(other, lines=[EntryLine(name=name, line=1) for name in names], by=None, at=AT)
    make_draw(other, by=None, at=AT)
    return other


def test_matches_go_from_ready_to_called_to_played_and_leave_the_desk(event):
    assert keys(desk_of(event).ready) == ["M1-1", "M1-2", "M1-3", "M1-4"]
    call_match(match_of(event, "M1-2"), by=None, at=AT)
    start(event, "M1-3")
    desk = desk_of(event)
    assert (keys(desk.ready), keys(desk.called), keys(desk.playing)) == (["M1-1", "M1-4"], ["M1-2"], ["M1-3"])
    assert [table.number for table in desk.free] == [3, 4]
    win(match_of(event, "M1-3"), Side.A)
    assert keys(desk_of(event).playing) == []
    assert [table.number for table in desk_of(event).free] == [2, 3, 4]


def test_a_match_entered_game_by_game_is_being_played_even_if_it_was_not_called(event):
    enter_result(match_of(event, "M1-1"), claim=claim(games=(GameResult(Side.A, 2, Level.SINGLE),)), by=None, at=AT)
    (playing,) = desk_of(event).playing
    assert (playing.key, playing.score, playing.table, playing.base) == ("M1-1", (2, 0), None, 1)


def test_a_busy_player_is_named_with_the_match_they_play(event):
    names = [str(entry) for entry in (fixture_of(event, "M1-1").entry_a, fixture_of(event, "M1-2").entry_b)]
    side_event(event, *names)
    start(event, "M1-1")
    (busy,) = desk_of(event).busy
    assert busy.busy == f"{names[0]} is playing M1-1 of Main at table 1."


def test_the_player_of_a_pair_who_plays_elsewhere_is_named(event):
    first, second = fixture_of(event, "M1-1").entry_a, fixture_of(event, "M1-2").entry_b
    side_event(event, f"{first} & {second}", "Ann & Bo", doubles=True)
    start(event, "M1-2")
    (busy,) = desk_of(event).busy
    assert busy.busy == f"{second} is playing M1-2 of Main at table 1."


def test_only_the_player_who_is_missing_from_a_match_of_pairs_is_named(event):
    """M1-1 of Main waits for one of a pair that is playing."""
    one = fixture_of(event, "M1-1").entry_a
    pairs = side_event(event, f"Ann & {one}", "Bo & Cy", doubles=True)
    start(pairs, "M1-1")
    (busy,) = desk_of(event).busy
    assert busy.busy == f"{one} is playing M1-1 of Main at table 1."


def test_numbers_of_new_tables_go_on_from_the_last(event, as_director):
    page = as_director.get(reverse("tables", args=[event.tournament.slug]))
    assert page.context["form"]["first"].value() == 5


def test_the_longest_way_to_the_end_and_the_longest_wait_come_first(event):
    """A final behind a match of 5 points counts 10 more; a wait as long as those take goes before."""
    side_event(event, "Ann", "Bo", lengths=(5,))
    assert keys(desk_of(event).ready)[-1] == "M1-1"
    assert {match.event for match in desk_of(event).ready[:4]} == {"Main"}
    short = Event.objects.latest("pk")
    match = match_of(short, "M1-1")
    match.created_at = AT - timedelta(seconds=10 * MODEL.seconds_a_point + 1)
    match.save()
    forget_everything()
    assert desk_of(event).ready[0].event_id == short.pk


def test_a_match_is_late_once_it_takes_eleven_eighths_of_the_expected_time(event):
    start(event, "M1-1")
    (playing,) = desk_of(event, 55).playing
    assert (playing.minutes, playing.ends_at, playing.is_late) == (55, after(40), False)
    assert keys(desk_of(event, 56).late) == ["M1-1"]


def test_a_break_is_not_playing_time_and_no_match_is_called_into_it(event):
    add_break(event.tournament, name="Lunch", starts_at=after(30), ends_at=after(60), by=None, at=AT)
    start(event, "M1-1")
    (playing,) = desk_of(event, 85).playing
    assert (playing.minutes, playing.ends_at, playing.is_late) == (55, after(70), False)
    assert {match.pause for match in desk_of(event).ready} == {"Lunch"}
    assert call_ready(event.tournament, by=None, at=AT) == []
    assert desk_of(event, 30).pause.name == "Lunch"
    assert len(call_ready(event.tournament, by=None, at=after(60))) == 3


def test_calling_all_fills_every_table_but_the_streamed_one(event):
    Table.objects.filter(number=2).update(streamed=True)
    assert [call.table.number for call in call_ready(event.tournament, by=None, at=AT)] == [1, 3, 4]
    assert call_ready(event.tournament, by=None, at=AT) == []


def queries_of(client: Client, path: str, forgets: bool) -> int:
    if forgets:
        forget_everything()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def within_a_minute(measure: Callable[[], list[int]]) -> list[int]:
    """Measure again if the minute has changed meanwhile, as pages of the hall are made anew in each."""
    while True:
        minute = timezone.now().replace(second=0, microsecond=0)
        measured = measure()
        if timezone.now() < minute + timedelta(minutes=1):
            return measured


@pytest.mark.parametrize(("players", "events"), [(8, 1), (64, 1), (8, 4), (64, 4)])
def test_the_desk_takes_the_same_queries_in_every_field(director, as_director, players, events):
    tournament = build_tournament(director)
    add_tables(tournament, first=1, last=12, by=director, at=AT)
    for _number in range(events):
        event = build_event(director, tournament=tournament, players=players)
    call_ready(tournament, by=director, at=AT)
    call = Call.objects.first()
    start_match(call.match, by=director, at=AT)
    live = claim(games=(GameResult(Side.A, 1, Level.SINGLE),))
    enter_result(open_matches(event)[-1], claim=live, by=director, at=AT)
    pages = [
        ("desk", ""),
        ("desk", "?fragment"),
        ("hall-screen", ""),
        ("day", ""),
        ("tables", ""),
        ("desk-find", "?q=player"),
    ]
    taken = []
    for name, query in pages:
        path = reverse(name, args=[tournament.slug]) + query
        as_director.get(path)
        made_and_kept = within_a_minute(
            lambda path=path: [queries_of(as_director, path, forgets) for forgets in (True, False)]
        )
        taken.append((name + query, *made_and_kept))
    assert taken == [
        ("desk", 21, 5),
        ("desk?fragment", 19, 5),
        ("hall-screen", 27, 4),
        ("day", 10, 10),
        ("tables", 17, 9),
        ("desk-find?q=player", 18, 10),
    ]


def post(client: Client, event: Event, at: str, action: str, **data: object):
    path = reverse("desk-act", args=[event.tournament.slug, match_of(event, at).pk, action])
    return client.post(path, data, headers={"HX-Request": "true"})


def test_a_match_goes_through_the_desk_with_one_tap_for_each_step(as_director, event):
    match = match_of(event, "M1-1")
    assert "table 1" in post(as_director, event, "M1-1", "call").content.decode()
    post(as_director, event, "M1-1", "start")
    post(as_director, event, "M1-1", "move", table=4)
    assert keys(take_desk(event.tournament, at=timezone.now()).playing) == ["M1-1"]
    score = {"key": uuid.uuid4().hex, "base": 0, "final_a": 5, "final_b": 3}
    assert post(as_director, event, "M1-1", "enter", **score).status_code == 200
    assert match.sheets.get().final_b == 3
    verbs = LogEntry.objects.filter(event=event).order_by("-id").values_list("verb", flat=True)[:4]
    assert list(verbs) == ["enter_result", "move_match", "start_match", "call_match"]
    post(as_director, event, "M1-2", "call", table=2)
    assert "recalled" in post(as_director, event, "M1-2", "recall").content.decode()


def test_a_refusal_is_shown_on_the_desk_with_or_without_scripts(as_director, event):
    call_match(match_of(event, "M1-1"), by=build_director("Anna", event.tournament), at=timezone.now())
    answer = post(as_director, event, "M1-1", "call")
    assert (answer.status_code, "Anna called this match to table 1" in answer.content.decode()) == (409, True)
    path = reverse("desk-act", args=[event.tournament.slug, match_of(event, "M1-1").pk, "call"])
    plain = as_director.post(path)
    assert (plain.status_code, "<!doctype html>" in plain.content.decode()) == (409, True)
    for action, data, status in (
        ("move", {"table": "x"}, 400),
        ("move", {}, 400),
        ("enter", {"final_a": "5"}, 400),
        ("enter", {"key": "k", "base": 0, "final_a": 5, "final_b": 5}, 400),
        ("call", {"table": 99999}, 400),
    ):
        answer = post(as_director, event, "M1-1", action, **data)
        assert (action, answer.status_code, "desk-said" in answer.content.decode()) == (action, status, True)


def test_an_act_answers_with_its_message_and_whether_to_read_the_hall_again(as_director, event):
    called = post(as_director, event, "M1-1", "call")
    assert ("event-changed" in called["HX-Trigger"], "data-row" in called.content.decode()) == (True, False)
    assert "event-changed" in post(as_director, event, "M1-1", "call")["HX-Trigger"]
    assert "HX-Trigger" not in post(as_director, event, "M1-1", "move", table="x")


def test_a_match_that_has_left_the_draw_meanwhile_is_refused_on_the_desk(as_director, event):
    first = win(match_of(event, "M1-1"), Side.A)
    win(match_of(event, "M1-2"), Side.A)
    gone = match_of(event, "M2-1")
    call_match(gone, by=None, at=AT)
    correction = claim(final=(0, 5), base=first.number)
    enter_result(match_of(event, "M1-1"), claim=correction, repair=Repair.SWAP, may_repair=True, by=None, at=AT)
    for action in ("start", "enter"):
        path = reverse("desk-act", args=[event.tournament.slug, gone.pk, action])
        answer = as_director.post(path, headers={"HX-Request": "true"})
        assert (answer.status_code, "no longer in the draw" in answer.content.decode()) == (409, True)


def test_an_act_leads_back_to_the_desk_without_scripts(as_director, event):
    path = reverse("desk-act", args=[event.tournament.slug, match_of(event, "M1-1").pk, "call"])
    answer = as_director.post(path, follow=True)
    assert answer.redirect_chain == [(reverse("desk", args=[event.tournament.slug]), 302)]
    assert "table 1." in answer.content.decode()


def test_the_fragment_is_the_same_until_something_happens_in_the_hall_or_a_minute_is_over(event, director):
    """By its ETag: what is the same for everybody is whole here, and :mod:`config.quick` answers it with a 304."""

    def ask(seconds: int) -> HttpResponse:
        request = RequestFactory().get("/?fragment")
        request.user = director
        tournament, at = Tournament.objects.get(), AT + timedelta(seconds=seconds)
        desk = take_desk(tournament, at=at)
        shown = {"desk": desk, "blocks": hall_blocks(desk)}
        return hall_page(request, tournament, template="hall/hall_screen", at=at, context=lambda _versions: shown)

    tags = [ask(0)["ETag"]]
    assert ask(59)["ETag"] == tags[-1]
    for happens in (lambda match: call_match(match, by=None, at=AT), lambda match: win(match, Side.A)):
        happens(match_of(event, "M1-1"))
        tags.append(ask(59)["ETag"])
        assert ask(59)["ETag"] == tags[-1]
    assert len(set(tags)) == 3
    later, before = ask(60), ask(59)  # made anew; it may read the same
    assert (later["ETag"] == before["ETag"]) is (later.content == before.content)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4", ["Table 4"]),
        ("table 1", ["Table 1"]),
        ("tab1", ["Table 1"]),
        ("m1-2", ["M1-2 Main"]),
        ("yer 7", ["Player 7 · Main"]),
        ("", []),
        ("zzz", []),
    ],
)
def test_a_few_letters_find_a_player_a_match_or_a_table(event, text, found):
    start(event, "M1-1")
    names = [line.name.split(":")[0] for line in find_in_hall(event.tournament, text, at=AT)]
    assert names == found


def test_a_player_is_found_with_their_place(event):
    start(event, "M1-1")
    fixture = fixture_of(event, "M1-1")
    (found,) = find_in_hall(event.tournament, fixture.entry_a.name, at=AT)
    assert found.where == f"M1-1: {fixture.entry_a} – {fixture.entry_b}, being played at table 1"


def test_a_player_with_a_match_on_the_desk_is_found_first(event):
    """Of Player 1 to 8 the losers have no open match; the others are waiting, or playing in the second round."""
    for key in ("M1-1", "M1-2", "M1-3", "M1-4"):
        win(match_of(event, key), Side.A)
    found = find_in_hall(event.tournament, "player", at=AT)
    assert [line.match is not None for line in found] == [True] * 4 + [False] * 4


def test_the_day_plan_shows_when_an_event_will_be_over_and_computes_it_in_a_task(event, eager_tasks):
    tournament = Tournament.objects.get(pk=event.tournament_id)
    (line,) = plan_of_the_day(tournament, at=AT)["lines"]
    assert (line["event"].decided, line["event"].matches) == (0, 7)
    now = timezone.now()
    (line,) = plan_of_the_day(tournament, at=now)["lines"]
    assert now + timedelta(minutes=60) < line["half"] <= line["nine_tenths"] < now + timedelta(minutes=400)


def test_a_forecast_moves_on_as_the_event_does(event, eager_tasks):
    forecasts([event], at=AT)
    before = forecasts([event], at=AT)[event.pk]
    for match in open_matches(event)[:4]:
        win(match, Side.A)
    event.refresh_from_db()
    cache.delete(f"forecast-{event.pk}-asked")
    forecasts([event], at=AT)
    after_round = forecasts([event], at=AT)[event.pk]
    assert after_round.version == event.version > before.version
    assert after_round.over_at(HALF, []) < before.over_at(HALF, []) <= before.over_at(NINE_TENTHS, [])


def test_a_scorer_corrects_nothing_from_the_desk_once_the_next_match_has_begun(event):
    for key in ("M1-1", "M1-2"):
        win(match_of(event, key), Side.A)
    scorer = Client()
    user = build_director("Scorer")
    Appointment.objects.create(tournament=event.tournament, user=user, role="scorer", since=AT)
    scorer.force_login(user)
    score = {"key": uuid.uuid4().hex, "base": 1, "final_a": 5, "final_b": 3, "reason": "Seen."}
    assert post(scorer, event, "M1-1", "enter", **score).status_code == 200
    start_match(call_match(match_of(event, "M2-1"), by=None, at=after(5)).match, by=None, at=after(5))
    again = {**score, "key": uuid.uuid4().hex, "base": 2, "final_b": 4}
    assert post(scorer, event, "M1-1", "enter", **again).status_code == 403
    assert match_of(event, "M1-1").sheets.count() == 2
