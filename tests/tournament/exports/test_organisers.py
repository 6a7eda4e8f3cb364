"""Exports of an organiser: of the events that they direct, and seen by them alone."""

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from players.errors import Forbidden, Refusal
from tests.builders import AT, build_director, build_event, play_out
from tests.tournament.api.client import PREFIX
from tests.tournament.exports.test_profiles import YEAR, rows, whole, written
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.exports.profiles import change_profile, make_profile, remove_profile
from tournament.jobs.exports import file_of
from tournament.jobs.services import run_job
from tournament.models import Appointment, ExportProfile, Job, JobState, KeptExport, Role

pytestmark = pytest.mark.django_db
DAYS = {"first": YEAR[0].isoformat(), "last": YEAR[1].isoformat()}


@pytest.fixture
def event():
    """An event of four that has ended, directed by its owner."""
    event = build_event(build_director(), players=4)
    play_out(event)
    finish_event(event, by=None, at=AT)
    store_standings(event.pk)
    return event


@pytest.fixture
def owner(event):
    return event.tournament.appointments.get().user


def test_an_organiser_has_the_results_and_the_order_of_the_events_that_they_direct(event, owner):
    other = build_director("other")
    profiles = {
        user: [make_profile(user, whole(kind), by=user, at=AT) for kind in ("results", "standings")]
        for user in (owner, other)
    }
    assert [len(rows(profile)) for profile in profiles[owner]] == [3, 4]
    assert {row["event_id"] for row in rows(profiles[owner][1])} == {f"{event.tournament.slug}/{event.slug}"}
    assert [rows(profile) for profile in profiles[other]] == [[], []]
    role = Appointment.objects.create(tournament=event.tournament, user=other, role=Role.READER, since=AT)
    assert rows(profiles[other][1]) == []
    Appointment.objects.filter(pk=role.pk).update(role=Role.DIRECTOR)
    assert len(rows(profiles[other][1])) == 4
    with pytest.raises(Refusal, match="no such kind"):
        make_profile(owner, whole("members"), by=owner, at=AT)


def test_nobody_else_reads_changes_or_has_made_what_an_organiser_keeps(event, owner):
    profile, other = make_profile(owner, whole("standings"), by=owner, at=AT), build_director("other")
    for act in (
        lambda: make_profile(owner, whole("results"), by=other, at=AT),
        lambda: change_profile(profile, whole("standings"), by=other, at=AT),
        lambda: remove_profile(profile, by=other),
    ):
        with pytest.raises(Forbidden):
            act()
    assert list(ExportProfile.objects.values_list("organiser", "kind")) == [(owner.pk, "standings")]
    pages, api = Client(), APIClient()
    pages.force_login(other)
    api.force_authenticate(other)
    for name, days in (("export-profile", {}), ("export-file", DAYS)):
        assert pages.get(reverse(name, args=[profile.pk]), days).status_code == 403
        assert api.get(reverse(f"api:{name}", args=[profile.pk]), days).status_code == 403
    assert [api.get(f"{PREFIX}exports/{path}").json()["results"] for path in ("", "profiles/")] == [[], []]
    assert reverse("export-profile", args=[profile.pk]) not in pages.get(reverse("my-exports")).content.decode()


def test_an_organiser_makes_a_profile_on_a_preview_and_has_a_file_kept(event, owner):
    client = Client()
    client.force_login(owner)
    new = reverse("my-new-export", args=["standings"])
    assert client.get(reverse("my-new-export", args=["members"])).status_code == 404
    assert 'name="list"' not in client.get(new).content.decode()
    sent = {"name": "Club", "format": "csv", "delimiter": ";", "decimal": ",", "encoding": "utf-8", "dates": "iso"}
    sent |= {"place_place": 1, "place_place_to": 2, "title_place": "From"}
    assert client.post(new, sent).url == reverse("my-exports")
    profile = ExportProfile.objects.get()
    assert (profile.organiser, profile.federation) == (owner, None)
    assert written(profile) == b"From;place_to\r\n1;1\r\n2;2\r\n3;4\r\n3;4\r\n"
    assert client.post(reverse("make-export", args=[profile.pk]), DAYS).status_code == 302
    job = Job.objects.get()
    run_job(job.pk, clock=lambda: AT)
    kept = KeptExport.objects.get()
    assert (Job.objects.get().state, kept.organiser, file_of(kept)) == (JobState.DONE, owner, written(profile))
    assert kept.sha256 in client.get(reverse("my-exports")).content.decode()
    assert reverse("my-exports") in client.get(reverse("job", args=[job.pk])).content.decode()
