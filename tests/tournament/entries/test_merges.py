"""A merge of two players is undone: what was his is his again, unless something made later stands in the way."""

import pytest
from django.db import connection
from django.db.models import ManyToOneRel, Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import Match, Record
from matches.ratings import rate_matches
from players.errors import Conflict
from players.models import Merge, Player, Rating
from players.services import create_player
from rules.profiles import PROFILES
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, fixture_of, open_matches, play_out, win
from tests.tournament.past.test_past import Scene, picture
from tests.tournament.past.test_team_past import TeamScene
from tournament.audit import audit_event, audit_everything
from tournament.corrections.undo import undo_step, undoable
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.entries.identity import merge_players, replace_player, undo_merge
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.deletion import delete_event, restore_event
from tournament.events.services import finish_event
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Appointment, Entry, Event, Fixture, Role, Seat
from tournament.past.event import snapshot_at

pytestmark = pytest.mark.django_db


LATER = ("Greens: Gry, Hans, Ida", "Whites: Jan, Kim, Liv")


def everybody() -> object:
    """Every row that says who somebody is, every player, and what the draws say of people."""
    columns = [
        (relation.related_model, relation.field.name)
        for relation in Player._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel) and relation.related_model not in (Merge, Rating)
    ]
    return (
        {(model.__name__, name): list(model.objects.order_by("pk").values_list("pk", name)) for model, name in columns},
        list(Player.objects.order_by("pk").values()),
        list(Entry.objects.order_by("pk").values_list("pk", "drawn_as")),
        list(Fixture.objects.order_by("pk").values_list("pk", "why")),
        list(Rating.objects.order_by("player_id").values_list("player_id", "value", "matches")),
    )


def assert_audited(*events: Event) -> None:
    for event in events:
        store_standings(event.pk)
    rate_matches("fibs", at=AT)
    assert [str(difference) for difference in audit_everything()] == []


def event_of(director, name: str, lines: list[str], *, drawn: bool = True, **terms) -> Event:
    event = build_event(director, players=0, drawn=False, tournament=build_tournament(director, name), **terms)
    add_entries(event, lines=[EntryLine(name=line, line=n) for n, line in enumerate(lines, 1)], by=None, at=AT)
    return make_draw(event, by=None, at=AT).event if drawn else event


def known(name: str) -> Player:
    return Player.objects.get(name=name)


@pytest.fixture
def life(director) -> list[Event]:
    """Anne, who is Anna, in events of each kind, at a table, in a match of no event; she was merged with Ana before."""
    ann = create_player(name="Anne", club="Aarhus", country="DK", at=AT)
    merge_players(ann, create_player(name="Ana", at=AT), by=None, at=AT)
    events = [
        event_of(director, "Singles", ["Anne", "Bo", "Carl", "Dora"]),
        event_of(director, "Pairs", ["Eva & Finn", "Gry & Anne", "Hans & Ida"], doubles=True),
        event_of(director, "Teams", ["Reds: Bo, Anne, Carl", "Blues: Dora, Eva, Finn", *LATER], boards=3),
        event_of(director, "Undrawn", ["Anne", "Bo"], drawn=False),
    ]
    hers = [event_of(director, name, ["Bo", "Carl", name]) for name in ("Anna", "Anne")]
    for event in (events[1], *hers):
        play_out(event)
        finish_event(event, by=None, at=AT)
    add_tables(events[0].tournament, first=1, last=2, by=None, at=AT)
    call_match(match_of(events[0], ann), by=None, at=AT)
    profile = next(iter(PROFILES))
    free = Match.objects.create(side_a=known("Bo"), side_b=ann, length=5, profile=profile, created_at=AT)
    Record.objects.create(sha256="0", name="A record", data=b"", verdict="proved", match=free, imported_at=AT)
    assert_audited(*events, *hers)
    return [*events, *hers]


def match_of(event: Event, player: Player) -> Match:
    return Match.objects.filter(fixture__stage__event=event).filter(side_a=player).first() or Match.objects.get(
        fixture__stage__event=event, side_b=player
    )


def test_everything_is_as_it_was_after_a_merge_that_is_undone(director, life):
    before = everybody()
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=director, at=AT)
    merged = known("Anna")
    assert (merged.club.name, merged.country, merged.merged_into) == ("Aarhus", "DK", None)
    assert not Seat.objects.filter(person=anne).exists()
    rate_matches("fibs", at=AT)
    assert everybody() != before
    assert undo_merge(anne, by=director, at=AT) == anne
    rate_matches("fibs", at=AT)
    assert everybody() == before
    assert_audited(*life)


def test_the_log_of_each_event_says_that_the_merge_is_undone(director, life):
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=director, at=AT)
    undo_merge(anne, by=director, at=AT)
    for event in life[:4]:
        undone, merged = event.log.all()[:2]
        assert (merged.verb, undone.verb) == ("merge_players", "undo_merge")
        assert undone.detail["undoes"] == merged.pk
        assert (undone.detail["names"], undone.detail["before"]) == (["Anna"], "Anne")
    assert not life[4].log.filter(verb__in=["merge_players", "undo_merge"]).exists()
    merge = Merge.objects.get(kept=anna)
    assert (merge.gone, merge.by, merge.undone_by, merge.undone_at) == (anne, director, director, AT)


def test_what_his_entries_came_to_since_is_his_too(director, life):
    singles, _pairs, teams, *_rest = life
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    make_draw(life[3], by=None, at=AT)
    add_tables(life[3].tournament, first=1, last=1, by=None, at=AT)
    for event in (singles, teams):
        win_all(event, event.entries.get(Q(player=anna) | Q(members__player=anna)))
        assert len(matches(event, anna)) == 2
    call = call_match(match_of(life[3], anna), by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    for event in (singles, teams):
        assert (len(matches(event, anna)), len(matches(event, anne))) == (0, 2)
    assert set(call.seats.values_list("person__name", flat=True)) == {"Anne", "Bo"}
    assert not Seat.objects.filter(person=anna).exists()
    assert_audited(*life)


def win_all(event: Event, entry: Entry) -> None:
    """Every match is played, and this entry wins all of its own."""
    while found := open_matches(event):
        fixture = found[0].board.fixture if event.has_teams else found[0].fixture
        win(found[0], Side.B if fixture.entry_b_id == entry.pk else Side.A)


def matches(event: Event, player: Player) -> list[Match]:
    path = "board__fixture" if event.has_teams else "fixture"
    played = Match.objects.filter(**{f"{path}__stage__event": event})
    return [match for match in played if player.pk in (match.side_a_id, match.side_b_id)]


def test_a_draw_that_was_made_since_stays_the_one_that_was_made(director, life):
    undrawn = life[3]
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    make_draw(undrawn, by=None, at=AT)
    drawn = undrawn.stages.get().draw_hash
    undo_merge(anne, by=None, at=AT)
    entry = undrawn.entries.get(player=anne)
    assert entry.drawn_as == ["Anna", "Aarhus", "DK"]
    assert undrawn.stages.get().draw_hash == drawn
    assert_audited(*life)


def test_a_club_that_was_changed_since_stays(director, life):
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    Player.objects.filter(pk=anna.pk).update(country="SE")
    undo_merge(anne, by=None, at=AT)
    anna.refresh_from_db()
    assert (anna.club, anna.country) == (None, "SE")


def test_who_was_replaced_or_left_since_is_not_in_the_way(director, life):
    singles, undrawn = life[0], life[3]
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    replace_player(undrawn.entries.get(player=anna), line=EntryLine(name="Jan"), by=None, at=AT)
    leave_event(singles.entries.get(player=anna), kind="withdrawn", by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    assert undrawn.entries.get(number=1).name == "Jan"
    assert singles.entries.get(player=anne).left_kind == "withdrawn"
    assert_audited(*life)


def test_who_was_entered_since_in_an_event_of_the_other_is_in_the_way(director, life):
    undrawn = life[3]
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    replace_player(undrawn.entries.get(player=anna), line=EntryLine(name="Jan"), by=None, at=AT)
    add_entries(undrawn, lines=[EntryLine(name="Anna", player_id=anna.pk)], by=None, at=AT)
    before = everybody()
    with pytest.raises(Conflict) as refused:
        undo_merge(anne, by=None, at=AT)
    assert (refused.value.code, everybody()) == ("entered_since", before)
    assert str(refused.value) == "Anna was entered in Main after the merge. Remove that entry first."


def test_merges_are_undone_in_their_order(director, life):
    last = create_player(name="Anna B.", at=AT)
    before = everybody()
    anna, anne, ana = known("Anna"), known("Anne"), known("Ana")
    merge_players(anna, anne, by=None, at=AT)
    merge_players(last, anna, by=None, at=AT)
    for gone, refusal in ((anne, "Anna was merged with Anna B. since."), (ana, "Anne was merged with Anna B. since.")):
        with pytest.raises(Conflict) as refused:
            undo_merge(gone, by=None, at=AT)
        assert (refused.value.code, str(refused.value)) == ("merged_since", f"{refusal} Undo that first.")
    undo_merge(anna, by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    rate_matches("fibs", at=AT)
    assert everybody() == before
    undo_merge(ana, by=None, at=AT)
    ana.refresh_from_db()
    assert ana.merged_into is None


def test_of_two_who_were_merged_into_one_each_is_given_back_by_himself(director, life):
    anna, anne, bo = known("Anna"), known("Anne"), create_player(name="Annika", at=AT)
    before = everybody()
    merge_players(anna, anne, by=None, at=AT)
    merge_players(anna, bo, by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    undo_merge(bo, by=None, at=AT)
    rate_matches("fibs", at=AT)
    assert everybody() == before


def test_nobody_is_parted_who_is_not_merged_or_was_before_merges_were_kept(director):
    ann, bo = create_player(name="Ann", at=AT), create_player(name="Bo", at=AT)
    with pytest.raises(Conflict) as never:
        undo_merge(bo, by=None, at=AT)
    merge_players(ann, bo, by=None, at=AT)
    Merge.objects.update(detail={})
    with pytest.raises(Conflict) as older:
        undo_merge(bo, by=None, at=AT)
    Merge.objects.update(detail={"moved": {}, "filled": {}, "events": [], "drawn": []})
    undo_merge(bo, by=None, at=AT)
    with pytest.raises(Conflict) as twice:
        undo_merge(bo, by=None, at=AT)
    codes = (never.value.code, older.value.code, twice.value.code)
    assert codes == ("not_merged", "merge_not_kept", "not_merged")


def test_a_merge_of_an_event_that_is_deleted_is_undone_and_the_event_restored(director, life):
    singles = life[0]
    before = everybody()
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    delete_event(singles, typed=singles.name, by=director, at=AT)
    undo_merge(anne, by=None, at=AT)
    restore_event(singles, by=director, at=AT)
    after = everybody()
    assert (after[0]["Entry", "player"], after[0]["Match", "side_a"]) == (
        before[0]["Entry", "player"],
        before[0]["Match", "side_a"],
    )
    assert_audited(*life)


# From the history of an event


def test_the_history_of_one_event_undoes_the_merge_in_all(director, life):
    before = everybody()
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    singles, pairs = life[:2]
    row = singles.log.select_related("event").first()
    undone = undo_step(row, by=director, at=AT)
    assert (undone.verb, undone.event, undone.detail["undoes"]) == ("undo_merge", singles, row.pk)
    rate_matches("fibs", at=AT)
    assert everybody() == before
    with pytest.raises(Conflict) as refused:
        undo_step(pairs.log.select_related("event").all()[1], by=director, at=AT)
    assert refused.value.code == "undone_already"


def test_a_merge_of_an_older_program_is_not_undone_from_the_history(director, life):
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    row = life[0].log.select_related("event").first()
    del row.detail["merge"]
    row.save()
    Merge.objects.update(detail={})
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == "merge_not_kept"
    assert row.pk not in undoable(life[0].log.all())
    assert str(refused.value) == "Anne was merged before it was kept what a merge moves: this cannot be undone."


@pytest.mark.parametrize("role", [Role.DEPUTY, Role.DIRECTOR])
def test_who_directs_one_of_the_tournaments_alone_does_not_undo_the_merge(director, life, role):
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    singles = life[0]
    user = build_director("other")
    only = singles if role is Role.DEPUTY else None
    Appointment.objects.create(tournament=singles.tournament, event=only, user=user, role=role, since=AT)
    client = Client()
    client.force_login(user)
    row = singles.log.first()
    address = reverse("undo", args=[singles.tournament.slug, singles.slug, row.pk])
    assert client.post(address).status_code == 403
    assert client.post(reverse("undo-merge", args=[anna.pk, anne.pk])).status_code == 403
    anne.refresh_from_db()
    assert anne.merged_into == anna


@pytest.mark.parametrize(
    ("role", "tournaments", "is_offered"),
    [(Role.DEPUTY, 1, False), (Role.DIRECTOR, 1, False), (Role.DIRECTOR, 5, False), (Role.DIRECTOR, 6, True)],
)
def test_a_merge_is_offered_to_be_undone_to_who_directs_all_its_tournaments(
    director, life, role, tournaments, is_offered
):
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    singles = life[0]
    user = build_director("other")
    for event in life[:tournaments]:
        only = event if role is Role.DEPUTY else None
        Appointment.objects.create(tournament=event.tournament, event=only, user=user, role=role, since=AT)
    client = Client()
    client.force_login(user)
    page = client.get(anna.get_absolute_url()).content.decode()
    assert (reverse("undo-merge", args=[anna.pk, anne.pk]) in page) == is_offered
    page = client.get(reverse("history", args=[singles.tournament.slug, singles.slug])).content.decode()
    offered = {
        row.verb
        for row in singles.log.all()
        if reverse("undo", args=[singles.tournament.slug, singles.slug, row.pk]) in page
    }
    assert "make_draw" in offered
    assert ("merge_players" in offered) == is_offered


def test_pages_that_offer_to_undo_merges_take_the_same_queries_for_few_and_many(director, client):
    client.force_login(director)
    kept, event = create_player(name="Kept", at=AT), build_event(director, players=16, drawn=False)
    add_entries(event, lines=[EntryLine(name="Kept", player_id=kept.pk)], by=None, at=AT)

    def queries(merges: int) -> list[int]:
        for number in range(merges):
            gone = create_player(name=f"Gone {event.entries.count()}-{number}", at=AT)
            other = build_event(director, players=0, drawn=False, tournament=event.tournament, name=gone.name)
            add_entries(other, lines=[EntryLine(name=gone.name, player_id=gone.pk)], by=None, at=AT)
            merge_players(kept, gone, by=None, at=AT)
        counts = []
        for page in (kept.get_absolute_url(), reverse("history", args=[event.tournament.slug, other.slug])):
            with CaptureQueriesContext(connection) as captured:
                assert "undo" in client.get(page).content.decode()
            counts.append(len(captured))
        return counts

    assert queries(2) == queries(7)


# The pages of the other events


def test_the_events_of_who_is_kept_show_the_club_that_he_took_over(director, life, client):
    hers = life[4]
    anna, anne = known("Anna"), known("Anne")
    page = reverse("entries", args=[hers.tournament.slug, hers.slug]) + "?fragment"

    def shown() -> tuple[str, bool]:
        answer = client.get(page)
        return answer["ETag"], "Aarhus" in answer.content.decode()

    rows, before = hers.log.count(), shown()
    merge_players(anna, anne, by=None, at=AT)
    merged = shown()
    undo_merge(anne, by=None, at=AT)
    parted = shown()
    assert [has_club for _etag, has_club in (before, merged, parted)] == [False, True, False]
    assert len({etag for etag, _has_club in (before, merged, parted)}) == 3
    assert hers.log.count() == rows
    assert_audited(*life)


def test_the_events_of_who_is_kept_stay_as_they_are_where_he_takes_nothing_over(director, life):
    hers = life[4]
    Player.objects.filter(pk=known("Anne").pk).update(club=None, country="")
    before = Event.objects.get(pk=hers.pk).version
    merge_players(known("Anna"), known("Anne"), by=None, at=AT)
    undo_merge(known("Anne"), by=None, at=AT)
    assert Event.objects.get(pk=hers.pk).version == before


# Past


def test_what_was_seen_between_a_merge_and_its_undoing_is_seen_of_then(director):
    event = build_event(director, players=4)
    scene = Scene(event)
    player = event.entries.get(number=1).player
    kept = create_player(name="Somebody Else", at=AT)
    scene.win("M1-1", Side.A)
    scene.do(merge_players, kept, player)
    scene.win("M1-2", Side.A)
    scene.do(undo_merge, player)
    scene.win("M2-1", Side.B)
    for moment, seen in scene.seen:
        assert picture(snapshot_at(event.pk, moment)) == seen


def test_members_of_teams_are_told_as_they_were_known_then(director):
    event = build_event(director, players=4, boards=3)
    scene = TeamScene(event)
    sitting = fixture_of(event, "M1-1").boards.get(number=2).match.side_a
    kept = create_player(name="Somebody Else", at=AT)
    scene.win_board("M1-1", 1, Side.A)
    scene.do(merge_players, kept, sitting)
    scene.win_board("M1-1", 2, Side.B)
    scene.seat("M1-1", 3, 3)
    scene.do(undo_merge, sitting)
    scene.win_board("M1-1", 3, Side.B)
    scene.check()
    assert audit_event(event) == []


# Size


def test_queries_of_the_undoing_do_not_grow_with_the_matches(director):
    def queries(players: int) -> int:
        event = build_event(
            director, players=players, format="round-robin", tournament=build_tournament(director, f"{players}")
        )
        gone = event.entries.get(number=players).player
        kept = create_player(name="Somebody Else", at=AT)
        merge_players(kept, gone, by=None, at=AT)
        win(match_of(event, kept), Side.A)
        with CaptureQueriesContext(connection) as captured:
            undo_merge(gone, by=None, at=AT)
        return len(captured)

    assert queries(4) == queries(16)
