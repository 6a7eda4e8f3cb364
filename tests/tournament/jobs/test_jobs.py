"""Jobs: done once, watched, cancelled, refused with a sentence, and begun again when their worker is gone."""

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client

from matches.import_records import Imported, import_batch
from matches.models import Record
from players.models import Player, RankingList, User
from tests.builders import AT, after_each_save, build_director, build_event
from tests.tournament.api.client import CheckedClient
from tournament.entries.lists import EntryLine
from tournament.jobs import kinds, watch
from tournament.jobs.kinds import JOBS, MOST_AT_ONCE, given_lines
from tournament.jobs.lease import LOST_SECONDS, LostError, claim, extend, locked
from tournament.jobs.services import cancel_job, lost_job_ids, run_job, start_job
from tournament.jobs.watch import ask_to_stop, progress_of
from tournament.models import Event, Job, JobState

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> User:
    return build_director()


@pytest.fixture
def event(director: User) -> Event:
    return build_event(director, players=0, drawn=False)


@pytest.fixture(autouse=True)
def _every_step_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "REPORT_SECONDS", 0)


def names(count: int) -> list[EntryLine]:
    return [EntryLine(name=f"Player {number}", line=number) for number in range(1, count + 1)]


def stopped_at(moment: datetime) -> Callable[[], datetime]:
    """A clock that stands still."""
    return lambda: moment


def after(seconds: float) -> datetime:
    return AT + timedelta(seconds=seconds)


def list_job(event: Event, director: User, lines: list[EntryLine]) -> Job:
    return start_job("entries", event=event, given=given_lines(lines), by=director, at=AT)


def test_a_list_is_entered_and_says_how_many(event: Event, director: User) -> None:
    job = list_job(event, director, names(3))
    run_job(job.pk, clock=stopped_at(AT))
    job.refresh_from_db()
    assert (job.state, job.sentence, job.ended_at) == (JobState.DONE, "Entries added: 3.", AT)
    assert event.entries.count() == 3


def test_a_job_is_done_once(event: Event, director: User) -> None:
    job = list_job(event, director, names(3))
    assert run_job(job.pk, clock=stopped_at(AT))
    assert not run_job(job.pk, clock=stopped_at(after(LOST_SECONDS)))
    assert (event.entries.count(), Job.objects.get().state) == (3, JobState.DONE)


def test_a_job_that_a_worker_is_doing_is_left_alone(event: Event, director: User) -> None:
    job = list_job(event, director, names(3))
    assert claim(job, at=AT)
    assert not run_job(job.pk, clock=stopped_at(AT))
    assert (event.entries.count(), Job.objects.get().state) == (0, JobState.RUNNING)


def test_a_refused_list_enters_nobody_and_says_why(event: Event, director: User) -> None:
    job = list_job(event, director, [*names(2), EntryLine(name="Player 1", line=3)])
    run_job(job.pk, clock=stopped_at(AT))
    job.refresh_from_db()
    assert (job.state, job.sentence) == (JobState.REFUSED, "Line 3: Player 1 is already entered.")
    assert event.entries.count() == 0


def test_a_list_is_refused_if_its_sender_has_lost_their_role_since(event: Event, director: User) -> None:
    job = list_job(event, director, names(2))
    director.appointments.all().delete()
    run_job(job.pk, clock=stopped_at(AT))
    job.refresh_from_db()
    refused = "Only these roles may do this in “Main”: owner, director, deputy."
    assert (job.state, job.sentence, event.entries.count()) == (JobState.REFUSED, refused, 0)


def test_a_job_that_waits_is_cancelled_at_once(event: Event, director: User) -> None:
    job = list_job(event, director, names(3))
    assert cancel_job(job, at=AT).state == JobState.CANCELLED
    run_job(job.pk, clock=stopped_at(AT))
    assert event.entries.count() == 0


def test_a_list_cancelled_halfway_enters_nobody(event: Event, director: User) -> None:
    job = list_job(event, director, names(5))
    seen: list[tuple[str, tuple[int, int] | None]] = []

    def cancel_at_the_second(player: Player) -> None:
        seen.append((player.name, progress_of(job.pk)))
        if len(seen) == 2:
            assert cancel_job(job, at=AT).state == JobState.RUNNING

    with after_each_save(Player, cancel_at_the_second):
        run_job(job.pk, clock=stopped_at(AT))
    job.refresh_from_db()
    assert seen == [("Player 1", (0, 5)), ("Player 2", (1, 5))]
    assert (job.state, job.sentence, event.entries.count()) == (JobState.CANCELLED, "Cancelled.", 0)
    assert (progress_of(job.pk), Player.objects.count()) == (None, 0)


def test_an_earlier_request_to_stop_does_not_stop_the_next_job(event: Event, director: User) -> None:
    job = list_job(event, director, names(2))
    ask_to_stop(job.pk + 1)
    run_job(job.pk, clock=stopped_at(AT))
    assert event.entries.count() == 2


def test_a_lost_job_is_found_and_a_running_one_is_not(event: Event, director: User) -> None:
    job = list_job(event, director, names(2))
    later = AT + timedelta(seconds=10)
    assert lost_job_ids(at=AT) == []
    assert lost_job_ids(at=later) == [job.pk]
    assert claim(job, at=later)
    assert lost_job_ids(at=later) == []
    assert lost_job_ids(at=later + timedelta(seconds=LOST_SECONDS)) == [job.pk]
    assert run_job(job.pk, clock=stopped_at(later + timedelta(seconds=LOST_SECONDS)))
    assert lost_job_ids(at=later + timedelta(days=1)) == []


# Which worker holds a job.


def test_a_job_is_claimed_by_one_worker_until_its_lease_is_over(event: Event, director: User) -> None:
    job = list_job(event, director, names(3))
    another = Job.objects.get()
    assert claim(job, at=AT)
    assert not claim(another, at=after(LOST_SECONDS - 1))
    assert claim(another, at=after(LOST_SECONDS))
    with pytest.raises(LostError):
        extend(job, at=after(LOST_SECONDS))
    with pytest.raises(LostError), locked(job):
        pytest.fail("the job is another worker's")
    extend(another, at=after(LOST_SECONDS + 20))
    assert not claim(job, at=after(2 * LOST_SECONDS + 19))
    assert claim(job, at=after(2 * LOST_SECONDS + 20))


def test_a_job_that_ended_cannot_be_claimed(event: Event, director: User) -> None:
    job = list_job(event, director, names(3))
    cancel_job(job, at=AT)
    assert not claim(job, at=after(LOST_SECONDS))
    assert Job.objects.get().leased_until is None


@pytest.mark.parametrize(("state", "leased_until"), [("running", None), ("waiting", AT)])
def test_a_job_is_leased_while_it_runs_and_at_no_other_time(event, director, state, leased_until) -> None:
    job = list_job(event, director, names(3))
    with pytest.raises(IntegrityError, match="job_that_runs_is_leased"), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(state=state, leased_until=leased_until)


def records_job(director: User, count: int) -> Job:
    """A job of an officer."""
    User.objects.filter(pk=director.pk).update(is_superuser=True)
    files = packed(**{f"m{number}_mat": MAT.replace(b"Anna", b"Anna %d" % number) for number in range(count)})
    return start_job("records", given={}, data=files, by=director, at=AT)


@pytest.mark.usefixtures("eager_tasks")
def test_imported_matches_reach_the_ranking_list(director: User) -> None:
    job = records_job(director, 0)
    data = (Path(__file__).parents[2] / "data" / "records" / "gnubg-7pt.mat").read_bytes()
    Job.objects.filter(pk=job.pk).update(data=packed(one_mat=data))
    assert run_job(job.pk, clock=lambda: AT)
    assert RankingList.objects.get(system="fibs").matches == 1


def test_a_worker_that_lives_extends_its_lease(director: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch takes almost as long as a lease; another worker that asks in the middle gets nothing."""
    job = records_job(director, 5)
    moments = [AT]
    claimed: list[bool] = []

    def imported_slowly(batch: Sequence[tuple[str, bytes]], *, at: datetime) -> list[Imported]:
        done = import_batch(batch, at=at)
        moments.append(moments[-1] + timedelta(seconds=LOST_SECONDS - 1))
        claimed.append(claim(Job.objects.get(), at=moments[-1]))
        return done

    monkeypatch.setattr(kinds, "RECORDS_AT_ONCE", 1)
    monkeypatch.setattr(kinds, "import_batch", imported_slowly)
    assert run_job(job.pk, clock=lambda: moments[-1])
    assert claimed == [False] * 5
    assert (Job.objects.get().state, Record.objects.count()) == (JobState.DONE, 5)


def test_records_are_imported_only_as_long_as_their_sender_is_an_officer(
    director: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = records_job(director, 3)

    def dismissed_after(batch: Sequence[tuple[str, bytes]], *, at: datetime) -> list[Imported]:
        done = import_batch(batch, at=at)
        User.objects.filter(pk=director.pk).update(is_superuser=False)
        return done

    monkeypatch.setattr(kinds, "RECORDS_AT_ONCE", 2)
    monkeypatch.setattr(kinds, "import_batch", dismissed_after)
    run_job(job.pk, clock=stopped_at(AT))
    job.refresh_from_db()
    refused = "Only officers of a federation may import match records."
    assert (job.state, job.sentence, Record.objects.count()) == (JobState.REFUSED, refused, 2)


def taken_over(job: Job, at: datetime) -> Callable[[], datetime]:
    """A clock that stops; before it is read again another worker has taken over the job and done it."""
    readings = iter([True, False])

    def clock() -> datetime:
        if not next(readings, True):
            assert run_job(job.pk, clock=stopped_at(at))
        return AT

    return clock


def test_a_worker_that_was_lost_enters_no_list_again(event: Event, director: User) -> None:
    job = list_job(event, director, names(3))
    assert not run_job(job.pk, clock=taken_over(job, after(LOST_SECONDS)))
    job.refresh_from_db()
    assert (job.state, job.sentence, job.ended_at) == (JobState.DONE, "Entries added: 3.", after(LOST_SECONDS))
    assert event.entries.count() == 3


def test_a_worker_that_was_lost_says_nothing_of_records_that_another_has_imported(director: User) -> None:
    job = records_job(director, 2)
    assert not run_job(job.pk, clock=taken_over(job, after(LOST_SECONDS)))
    job.refresh_from_db()
    assert (job.state, job.ended_at, job.outcome["params"]["known"]) == (JobState.DONE, after(LOST_SECONDS), 0)


def test_a_long_list_on_the_page_becomes_a_job(client: Client, event: Event, director: User) -> None:
    client.force_login(director)
    text = "\n".join(line.name for line in names(MOST_AT_ONCE + 1))
    answer = client.post(f"{event.get_absolute_url()}entries/", {"way": "list", "text": text})
    job = Job.objects.get()
    assert answer["Location"] == job.get_absolute_url()
    assert "Starting in a moment." in client.get(job.get_absolute_url()).content.decode()
    run_job(job.pk, clock=stopped_at(AT))
    page = client.get(job.get_absolute_url(), headers={"HX-Request": "true"}).content.decode()
    assert f"Entries added: {MOST_AT_ONCE + 1}." in page
    assert f"{event.get_absolute_url()}entries/" in page
    assert "hx-get" not in page


def test_a_job_is_seen_and_cancelled_only_by_the_user_who_started_it(
    client: Client, event: Event, director: User
) -> None:
    job = list_job(event, director, names(2))
    client.force_login(build_director("another"))
    assert client.get(job.get_absolute_url()).status_code == 404
    assert client.post(f"{job.get_absolute_url()}cancel/").status_code == 404
    client.force_login(director)
    assert client.post(f"{job.get_absolute_url()}cancel/").status_code == 302
    assert Job.objects.get().state == JobState.CANCELLED


MAT = (
    b" 1 point match\n\n Game 1\n Anna : 0                   Bo : 0\n  1)                                Wins 1 point\n"
)


def packed(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as opened:
        for name, content in files.items():
            opened.writestr(name.replace("_", "."), content)
    return data.getvalue()


def test_records_are_imported_from_files_and_zip_files(client: Client, director: User) -> None:
    director.is_superuser = True
    director.save()
    client.force_login(director)
    files = [
        SimpleUploadedFile("a.mat", MAT),
        SimpleUploadedFile("b.zip", packed(c_mat=MAT.replace(b"Bo", b"Else"), d_doc=b"no")),
    ]
    job = client.post("/records/import/", {"files": files})["Location"]
    run_job(Job.objects.get().pk, clock=stopped_at(AT))
    assert Record.objects.count() == 3
    counted = Job.objects.get().outcome["params"]
    assert (counted["quarantined"] + counted["refused"], counted["known"], counted["known_files"]) == (3, 0, [])
    assert "already known" in client.get(job).content.decode()


def test_each_file_that_is_known_already_leads_to_its_record(client: Client, director: User) -> None:
    director.is_superuser = True
    director.save()
    client.force_login(director)
    first = import_batch([("first.mat", MAT)], at=AT)[0].record
    files = [SimpleUploadedFile("again.mat", MAT), SimpleUploadedFile("new.mat", MAT.replace(b"Bo", b"Else"))]
    job = client.post("/records/import/", {"files": files})["Location"]
    run_job(Job.objects.get().pk, clock=stopped_at(AT))
    page = " ".join(client.get(job).content.decode().split())
    assert f'again.mat: <a href="{first.get_absolute_url()}" >known as record {first.pk}</a>' in page
    assert page.count("known as record") == 1


def test_every_file_of_an_import_is_read_or_refused_by_its_name(client: Client, director: User) -> None:
    director.is_superuser = True
    director.save()
    client.force_login(director)
    files = [
        SimpleUploadedFile("dropped.jpg", MAT),
        SimpleUploadedFile("photo.mat", b"\xff\xd8\xff\xe0\x00"),
        SimpleUploadedFile("broken.zip", b"PK"),
    ]
    job = client.post("/records/import/", {"files": files})["Location"]
    run_job(Job.objects.get().pk, clock=stopped_at(AT))
    assert {record.name: str(record.verdict) for record in Record.objects.all()} == {
        "dropped.jpg": "quarantined",
        "photo.mat": "refused",
    }
    assert "“broken.zip” cannot be read as a zip file." in client.get(job).content.decode()
    assert "photo.mat" in client.get("/records/").content.decode()


@pytest.mark.parametrize(
    "files",
    [[], [SimpleUploadedFile("a.zip", b"no zip")], [SimpleUploadedFile("a.zip", packed(_DS_Store=b"x"))]],
    ids=["none", "no zip", "no record in it"],
)
def test_files_without_any_record_are_refused(client: Client, director: User, files: list[SimpleUploadedFile]) -> None:
    director.is_superuser = True
    director.save()
    client.force_login(director)
    assert client.post("/records/import/", {"files": files}).status_code == 400
    assert Job.objects.count() == 0


def test_users_without_the_right_import_nothing(client: Client, director: User) -> None:
    client.force_login(director)
    assert client.post("/records/import/", {"files": [SimpleUploadedFile("a.mat", MAT)]}).status_code == 403


def test_the_api_answers_with_a_job_to_ask_about(event: Event, director: User) -> None:
    client = CheckedClient()
    client.force_login(director)
    asked = client.post(f"events/{event.pk}/entries/list/?later=true", {"text": "Anna\nBo"})
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    path = f"jobs/{asked.json()['id']}/"
    run_job(asked.json()["id"], clock=stopped_at(AT))
    assert (client.get(path).json()["state"], client.get(path).json()["sentence"]) == ("done", "Entries added: 2.")
    assert client.post(f"{path}cancel/").json()["state"] == "done"
    assert client.get("jobs/999/").status_code == 404


def test_every_kind_has_a_page(director: User, event: Event) -> None:
    for kind in JOBS.values():
        assert kind.page(Job(event=event, by=director, given={"profile": 0})).startswith("/")
