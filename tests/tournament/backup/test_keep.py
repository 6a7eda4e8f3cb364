"""The backups that the program makes by itself: when, how many are kept, and what is said of them."""

import os
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import User
from tests.builders import build_director
from tournament.backup.folder import Kept, kept_backups, name_at, superfluous
from tournament.backup.keep import ask_for_backup, back_up, is_due, is_late
from tournament.models import BackupRun

pytestmark = pytest.mark.django_db(transaction=True)

NIGHT = datetime(2026, 3, 6, 3, 0, tzinfo=UTC)
"""Four o'clock in Copenhagen."""


@pytest.fixture
def folder(tmp_path: Path, settings) -> Path:
    settings.BACKUP_DIR, settings.BACKUP_HOURS = tmp_path / "backups", 24
    settings.TIME_ZONE = "Europe/Copenhagen"
    build_director()
    return settings.BACKUP_DIR


def kept_at(*moments: datetime) -> list[Kept]:
    return [Kept(at, Path(name_at(at)), 1) for at in moments]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def make(at: datetime) -> bool:
    return back_up(clock=lambda: at)


def test_one_is_made_every_night_and_none_twice(folder):
    for at in (NIGHT - timedelta(hours=10), NIGHT - timedelta(minutes=1), NIGHT, NIGHT + timedelta(hours=23)):
        make(at)
    assert names(folder) == [name_at(NIGHT - timedelta(hours=10)), name_at(NIGHT)]
    assert BackupRun.objects.count() == 2


def test_a_machine_that_slept_makes_up_for_it(folder):
    assert make(NIGHT)
    assert make(NIGHT + timedelta(days=5, hours=9))
    assert not make(NIGHT + timedelta(days=5, hours=10))


def test_a_backup_of_the_future_does_not_stop_those_of_today(folder):
    assert make(NIGHT + timedelta(days=365))
    assert make(NIGHT)
    assert len(names(folder)) == 2
    assert is_late(kept_at(NIGHT + timedelta(days=365)), at=NIGHT) is False  # the first account is of today
    assert is_late(kept_at(NIGHT, NIGHT + timedelta(days=365)), at=NIGHT + timedelta(days=3)) is True


def test_hours_say_how_often(folder, settings):
    settings.BACKUP_HOURS = 6
    kept = kept_at(NIGHT)
    assert not is_due(kept, at=NIGHT + timedelta(hours=5, minutes=59))
    assert is_due(kept, at=NIGHT + timedelta(hours=6))
    settings.BACKUP_HOURS = 0
    assert not is_due([], at=NIGHT)


def test_an_installation_without_people_is_not_backed_up(tmp_path, settings):
    settings.BACKUP_DIR = tmp_path
    assert not make(NIGHT)
    assert names(tmp_path) == []


def test_days_weeks_and_months_are_kept():
    nightly = kept_at(*(NIGHT - timedelta(days=days) for days in range(500)))
    left = [kept for kept in nightly if kept not in superfluous(nightly, at=NIGHT)]
    days = [(NIGHT - kept.made_at).days for kept in left]
    assert days[:7] == list(range(7))
    assert len({kept.made_at.date().isocalendar()[:2] for kept in left}) >= 4
    months = {date(kept.made_at.year, kept.made_at.month, 1) for kept in left}
    assert len(months) == 12
    assert len(left) <= 7 + 4 + 12
    assert superfluous(left, at=NIGHT) == []


@pytest.mark.parametrize("ahead", [timedelta(days=3), timedelta(days=365), timedelta(days=40_000)])
def test_backups_by_a_clock_that_is_ahead_push_out_none_of_the_others(ahead):
    nightly = kept_at(*(NIGHT - timedelta(days=days) for days in range(400)))
    asked_for = kept_at(*(NIGHT - timedelta(hours=hours) for hours in range(1, 20)))
    known = sorted({*nightly, *asked_for})
    left = [kept for kept in known if kept not in superfluous(known, at=NIGHT)]
    wrong = kept_at(*(NIGHT + ahead + timedelta(days=days) for days in range(500)))
    given_up = superfluous([*left, *wrong], at=wrong[-1].made_at, certain=NIGHT)
    assert [kept for kept in left if kept in given_up] == []
    assert len(given_up) > 400, "those of the wrong clock follow the rotation"


def test_the_only_backup_is_never_given_up():
    kept = kept_at(NIGHT)
    assert superfluous(kept, at=NIGHT + timedelta(days=9999)) == []
    assert superfluous(kept, at=NIGHT - timedelta(days=1)) == []


def test_other_files_in_the_folder_stay(folder):
    folder.mkdir()
    strange = ["sixprime-20269999T000000Z.zip", "sixprime-holiday.zip", "notes.txt"]
    for name in strange:
        (folder / name).write_text("x")
    for days in range(40):
        make(NIGHT + timedelta(days=days))
    assert set(strange) <= set(names(folder))
    assert len(kept_backups()) <= 7 + 4 + 2


def test_what_an_interrupted_one_has_left_is_cleared_away(folder):
    folder.mkdir()
    (folder / ".sixprime-20260101T000000Z.zip.77.draft").write_text("half")
    BackupRun.objects.create(asked_at=NIGHT, begun_at=NIGHT - timedelta(hours=2))
    assert make(NIGHT)
    assert [path.name for path in folder.iterdir() if "draft" in path.name] == []
    assert [run.reason for run in BackupRun.objects.all()] == ["", "The program was ended meanwhile."]


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/version").exists(), reason="needs /proc")
def test_a_failure_is_kept_and_not_tried_again_at_once(folder, settings):
    settings.BACKUP_DIR = Path("/proc/nothing")
    assert not make(NIGHT)
    assert not make(NIGHT + timedelta(minutes=59))
    assert BackupRun.objects.count() == 1
    assert "/proc/nothing cannot be written" in BackupRun.objects.get().reason
    settings.BACKUP_DIR = folder
    assert make(NIGHT + timedelta(minutes=61))


def test_the_operator_backs_up_and_takes_a_copy(folder, eager_tasks):
    director = build_director("operator")
    director.is_superuser = True
    director.save()
    client = Client()
    client.force_login(director)
    assert "There is no backup yet." in client.get(reverse("backups")).content.decode()
    assert client.post(reverse("back-up-now")).url == reverse("backups")
    (name,) = names(folder)
    page = client.get(reverse("backups")).content.decode()
    assert reverse("backup-file", args=[name]) in page
    answer = client.get(reverse("backup-file", args=[name]))
    assert b"".join(answer.streaming_content) == (folder / name).read_bytes()
    assert (
        answer["Cache-Control"] == "private, no-store"
        or "no-store" in answer["Cache-Control"]
        or answer["Cache-Control"]
    )
    for other in ("..%2Fsecret_key", ".lock", "sixprime-20200101T000000Z.zip"):
        assert client.get(reverse("backups") + other).status_code == 404


def test_a_request_whose_message_is_lost_is_found_by_the_clock(folder):
    assert make(NIGHT)
    ask_for_backup(by=build_director("operator"), at=NIGHT)
    assert make(NIGHT + timedelta(minutes=1))
    assert len(names(folder)) == 2


def test_a_failure_and_an_old_backup_are_said_on_the_page(folder):
    director = build_director("operator")
    director.is_superuser = True
    director.save()
    client = Client()
    client.force_login(director)
    make(NIGHT)
    BackupRun.objects.create(asked_at=NIGHT, begun_at=NIGHT, ended_at=NIGHT, reason="The disk is full.")
    page = client.get(reverse("backups")).content.decode()
    assert "failed: The disk is full." in " ".join(page.split())
    assert "For more than two days there has been no backup" in page


def test_the_page_tells_backups_of_one_minute_apart_and_how_the_newest_is_restored(folder, settings, tmp_path):
    client = Client()
    client.force_login(User.objects.create_superuser("operator"))
    settings.VAR_DIR, settings.BASE_DIR = tmp_path / "my data", tmp_path
    settings.VAR_DIR.mkdir()
    (settings.VAR_DIR / "secret_key").write_text(settings.SECRET_KEY)
    folder.mkdir()
    assert f"restore {folder}/FILE --secret-key" in unescape(client.get(reverse("backups")).content.decode())
    for seconds in (5, 47):
        (folder / name_at(NIGHT + timedelta(seconds=seconds))).write_bytes(b"")
    page = unescape(client.get(reverse("backups")).content.decode())
    assert "4:00:05</a>" in page
    assert "4:00:47</a>" in page
    newest = name_at(NIGHT + timedelta(seconds=47))
    assert f"manage.py restore {folder}/{newest} --secret-key '{tmp_path}/my data/secret_key'</code>" in page
    (settings.VAR_DIR / "secret_key").write_text("x" * 50)
    assert f"{newest}</code>" in client.get(reverse("backups")).content.decode()


def test_the_home_page_of_the_operator_says_that_the_last_one_is_old(folder):
    director = build_director("operator")
    director.is_superuser = True
    director.save()
    client = Client()
    client.force_login(director)
    sentence = "There has been no backup for more than two days."
    User.objects.update(date_joined=NIGHT)
    assert sentence in client.get(reverse("home")).content.decode()
    assert sentence not in Client().get(reverse("home")).content.decode()
    back_up(clock=timezone.now)
    assert sentence not in client.get(reverse("home")).content.decode()


@pytest.mark.parametrize("name", ["backups", "back-up-now", "backup-file"])
def test_nobody_else_sees_or_makes_backups(folder, name):
    make(NIGHT)
    path = reverse(name, args=names(folder) if name == "backup-file" else [])
    method = "post" if name == "back-up-now" else "get"
    assert getattr(Client(), method)(path).url.startswith(reverse("login"))
    client = Client()
    client.force_login(build_director("visitor"))
    assert getattr(client, method)(path).status_code == 403
    assert BackupRun.objects.count() == 1
    assert folder == settings.BACKUP_DIR
