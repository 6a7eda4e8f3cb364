"""A merge is undone from the history of any of its events, by those who may, and pages show what was."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import Match, Record
from matches.ratings import rate_matches
from players.errors import Conflict
from players.models import Merge, Player
from players.services import create_player
from tests.builders import AT, build_director, build_event
from tests.tournament.entries.merging import assert_audited, everybody, known
from tournament.corrections.undo import undo_step, undoable
from tournament.entries.identity import merge_players, undo_merge
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.models import Appointment, Event, Role

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("administers")
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
    assert str(refused.value) == "Anne was merged before merges could be undone."


@pytest.mark.parametrize("role", [Role.DEPUTY, Role.DIRECTOR])
def test_a_director_of_only_one_of_the_tournaments_does_not_undo_the_merge(director, life, role):
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
def test_undoing_a_merge_is_offered_to_directors_of_all_its_tournaments(director, life, role, tournaments, is_offered):
    Match.objects.filter(pk=Record.objects.get().match_id).update(side_b=known("Carl"))
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


def test_the_events_of_the_kept_player_show_the_club_that_was_taken_over(director, life, client):
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


def test_the_events_of_the_kept_player_stay_as_they_are_if_nothing_was_taken_over(director, life):
    hers = life[4]
    Player.objects.filter(pk=known("Anne").pk).update(club=None, country="")
    before = Event.objects.get(pk=hers.pk).version
    merge_players(known("Anna"), known("Anne"), by=None, at=AT)
    undo_merge(known("Anne"), by=None, at=AT)
    assert Event.objects.get(pk=hers.pk).version == before


# Past
