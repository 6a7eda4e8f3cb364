"""Several processes on PostgreSQL and Redis: a result entered in one counts in all, and failures are made good."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from socket import gethostname
from threading import Barrier
from time import monotonic

import pytest

from tests.desks import Answer, Desk, open_desk
from tests.federation import COMPOSE, Federation
from tests.processes import PATIENCE_SECONDS, ROOT, Running, Site, children, free_port, site, wait_until

pytestmark = pytest.mark.cluster


def key() -> str:
    return uuid.uuid4().hex


def at_once(desk: Desk, webs: list[str], match: int, submissions: list[tuple[str, tuple[int, int]]]) -> list[Answer]:
    """Send the submissions (key and final score) at the same moment, each to one of ``webs``; return the answers."""
    barrier = Barrier(len(submissions))

    def enter(web: str, key: str, final: tuple[int, int]) -> Answer:
        barrier.wait()
        return desk.enter(web, match, key=key, final=final)

    with ThreadPoolExecutor(len(submissions)) as pool:
        sent = [pool.submit(enter, web, *submission) for web, submission in zip(webs, submissions, strict=True)]
        return [answer.result() for answer in sent]


@pytest.fixture(params=["federation", "laptop"])
def place(request: pytest.FixtureRequest) -> tuple[Site, list[str]]:
    """A site and two addresses at which it takes results: two processes on PostgreSQL, two threads on SQLite."""
    if request.param == "federation":
        federation = request.getfixturevalue("federation")
        return federation.site(), federation.webs
    site = request.getfixturevalue("live_site")
    return site, [site.url, site.url]


def test_result_entered_in_one_process_is_seen_in_the_other(federation: Federation) -> None:
    desk = open_desk(federation.site(), name="Seen")
    entered = desk.enter(federation.webs[0], desk.matches[0], key=key(), final=(5, 3))
    assert entered.status == 201
    seen = desk.get(federation.webs[1], f"matches/{desk.matches[0]}/")
    assert (seen.body["score"], seen.body["winner"]) == ([5, 3], "A")
    federation.wait_for_standings(desk.event)


def test_only_one_of_two_users_who_take_an_invitation_at_once_gets_it(place: tuple[Site, list[str]]) -> None:
    site, webs = place
    desk = open_desk(site, name="Invited")
    tournament = desk.get(webs[0], f"events/{desk.event}/").body["tournament"]["id"]
    made = desk.post(webs[0], f"tournaments/{tournament}/invitations/", {"role": "scorer"})
    barrier = Barrier(2)

    def sign_up(web: str) -> Answer:
        barrier.wait()
        taken = {"token": made.body["token"], "username": f"guest-{key()}", "password": "a-Sound-phrase-of-1807"}
        return desk.post(web, "invitations/sign-up/", taken)

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(sign_up, webs))
    assert sorted(answer.status for answer in answers) == [201, 409]
    assert [answer.body["code"] for answer in answers if answer.status == 409] == ["invitation_used"]
    roles = desk.get(webs[0], f"tournaments/{tournament}/roles/").body
    assert [held["role"] for held in roles] == ["owner", "scorer"]


def test_two_users_who_enter_the_same_result_at_once_are_told_apart(place: tuple[Site, list[str]]) -> None:
    site, webs = place
    desk = open_desk(site, name="Race", players=16)
    for match in desk.matches:
        answers = at_once(desk, webs, match, [(key(), (5, 0)), (key(), (2, 5))])
        assert sorted(answer.status for answer in answers) == [201, 409]
        won, lost = sorted(answers, key=lambda answer: answer.status)
        assert lost.body["code"] == "sheet_changed"
        seen = [desk.get(web, f"matches/{match}/").body for web in webs]
        assert seen[0] == seen[1]
        assert seen[0]["score"] == won.body["score"]
        assert [sheet["state"] for sheet in seen[0]["sheets"]] == ["confirmed"]


def test_submission_sent_twice_at_once_counts_once(place: tuple[Site, list[str]]) -> None:
    site, webs = place
    desk = open_desk(site, name="Twice", players=16)
    for match in desk.matches:
        submission = (key(), (5, 1))
        answers = at_once(desk, webs, match, [submission, submission])
        assert sorted(answer.status for answer in answers) == [200, 201]
        assert answers[0].body == answers[1].body
        assert len(desk.get(webs[0], f"matches/{match}/").body["sheets"]) == 1


def test_whole_event_entered_from_both_sides_is_consistent(place: tuple[Site, list[str]]) -> None:
    site, webs = place
    desk = open_desk(site, name="Both sides", players=16)
    with ThreadPoolExecutor(8) as pool:
        entered = pool.map(
            lambda pair: desk.enter(webs[pair[0] % 2], pair[1], key=key(), final=(5, 0)), enumerate(desk.matches)
        )
        assert [answer.status for answer in entered] == [201] * 8
    event = f"events/{desk.event}/"
    wait_until(lambda: desk.get(webs[0], event).body["standings_are_current"], why="the standings are current")
    assert site.manage("audit") == "No differences.\n"


def test_tournaments_made_at_once_under_one_name_have_addresses_of_their_own(place: tuple[Site, list[str]]) -> None:
    site, webs = place
    desk = open_desk(site, name="At once")
    barrier = Barrier(len(webs))

    def make(web: str, name: str) -> Answer:
        barrier.wait()
        return desk.post(web, "tournaments/", {"name": name, "starts_on": "2026-03-06"})

    with ThreadPoolExecutor(len(webs)) as pool:
        for number in range(10):
            made = [pool.submit(make, web, f"Cup {number}") for web in webs]
            slugs = {answer.result().body.get("slug") for answer in made}
            assert slugs == {f"cup-{number}", f"cup-{number}-2"}


def test_open_page_is_told_of_result_and_of_standings(federation: Federation) -> None:
    desk = open_desk(federation.site(), name="Heard")
    federation.wait_for_standings(desk.event)
    with urllib.request.urlopen(f"{federation.live_url}/live/events/{desk.event}", timeout=PATIENCE_SECONDS) as stream:
        until = monotonic() + PATIENCE_SECONDS
        lines = takewhile(lambda _line: monotonic() < until, stream)
        heard = (json.loads(line.removeprefix(b"data: ")) for line in lines if line.startswith(b"data: {"))
        versions = ([int(part) for part in message["versions"].split(".")] for message in heard)
        version = next(versions)[0] + 1
        desk.enter(federation.webs[1], desk.matches[0], key=key(), final=(5, 3))
        assert (version, version) in ((event, standings) for event, standings, _hall in versions)


def test_the_clock_is_healthy_while_its_process_goes_on(federation: Federation) -> None:
    """As Docker asks it, but that nobody waits five seconds for one that hangs."""
    _shell, check = COMPOSE["services"]["beat"]["healthcheck"]["test"]
    command = check.replace("$$", "$").replace("--timeout 5", "--timeout 1")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = federation.env | {"HOSTNAME": gethostname(), "PATH": path}

    def is_healthy() -> bool:
        return subprocess.run(["sh", "-c", command], cwd=ROOT, env=env, capture_output=True).returncode == 0

    _command, clock = federation.commands["beat"]
    wait_until(is_healthy, why="the clock answers")
    with clock.hanging():
        assert not is_healthy()


def test_time_that_only_a_worker_sees_has_not_come(federation: Federation) -> None:
    code = """
from datetime import timedelta
from django.utils import timezone
from tournament.models.witness import reached
now = timezone.now()
day = timedelta(days=1)
print(reached(now - day) == now - day, now - day < reached(now + day) < now + day)
"""
    assert federation.site().python(code) == "True True\n"


# Jobs that two workers are asked for. A job that nobody has claimed for some seconds, or whose lease is over, is given
# to the site's own workers; so each is made by a process that then claims it at once.

WORKER = """
import os, signal, time
from datetime import timedelta
from itertools import count
from pathlib import Path
from django.utils import timezone
from players.models import User
from tests.builders import build_director, build_event, build_tournament
from tournament.entries.lists import EntryLine
from tournament.jobs.kinds import given_lines
from tournament.jobs.services import run_job
from tournament.models import Event, Job
folder = Path("{folder}")
readings = count(1)
def make_event():
    director = User.objects.filter(username="director").first() or build_director()
    tournament = build_tournament(director, folder.name)
    event = build_event(director, players=0, drawn=False, tournament=tournament)
    (folder / "event").write_text(str(event.pk))
    return event
def make_job(event, number=0):
    lines = [EntryLine(name=f"{{folder.name}} {{number}}-{{line}}", line=line) for line in (1, 2, 3)]
    given, by = given_lines(lines), User.objects.get(username="director")
    job = Job.objects.create(kind="entries", event=event, given=given, by=by, created_at=timezone.now()).pk
    (folder / f"making-{{number}}").write_text(str(job))
    (folder / f"making-{{number}}").rename(folder / f"job-{{number}}")
    return job
def wait_for(*names):
    while not all((folder / name).exists() for name in names):
        time.sleep(0.001)
def made(number=0):
    wait_for(f"job-{{number}}")
    return int((folder / f"job-{{number}}").read_text())
def in_the_middle(act):
    def clock():
        if next(readings) == 3:  # after the claim and the start, in the transaction
            act()
        return timezone.now()
    return clock
def in_an_hour():
    return timezone.now() + timedelta(hours=1)
def found(job):
    row = Job.objects.get(pk=job)
    return row.state, row.event.entries.count()
"""
RACE = """
(folder / "{number}").touch()
event = make_event() if {number} == 0 else None
wait_for("0", "1")
for job_number in range({jobs}):
    job = make_job(event, job_number) if event else made(job_number)
    (folder / f"{number}-{{job_number}}").touch()
    wait_for(f"0-{{job_number}}", f"1-{{job_number}}")  # both ask for it at the same moment
    if run_job(job, clock=timezone.now):
        print(job)
"""
HOLD = """
event = make_event()
wait_for("waits")
job = make_job(event)
def hold():
    (folder / "held").touch()
    wait_for("asked")
    time.sleep(1)
print(run_job(job, clock=in_the_middle(hold)), *found(job))
"""
ASK = """
(folder / "waits").touch()
wait_for("held")
job = made()
(folder / "asked").touch()
print(run_job(job, clock=in_an_hour))
"""
DIE = """
event = make_event()
wait_for("waits")
run_job(make_job(event), clock=in_the_middle(lambda: os.kill(os.getpid(), signal.SIGKILL)))
"""
TAKE_OVER = """
(folder / "waits").touch()
wait_for("dead")
job = made()
print(*found(job), run_job(job, clock=timezone.now))
while not run_job(job, clock=in_an_hour):
    time.sleep(0.1)  # PostgreSQL finds out that a client is gone
print(*found(job))
"""
FOUND = """
event = Event.objects.get(pk=int((folder / "event").read_text()))
print(sorted(set(Job.objects.filter(event=event).values_list("state", flat=True))), event.entries.count())
"""


def test_of_two_workers_who_are_asked_for_a_job_at_once_one_runs_it(place: tuple[Site, list[str]], tmp_path) -> None:
    site, _webs = place
    code = WORKER.format(folder=tmp_path)
    with ThreadPoolExecutor(2) as pool:
        workers = [pool.submit(site.python, code + RACE.format(number=number, jobs=20)) for number in range(2)]
        done = [job for worker in workers for job in worker.result().split()]
    assert sorted(done) == sorted((tmp_path / f"job-{number}").read_text() for number in range(20))
    assert site.python(code + FOUND) == "['done'] 60\n"


def test_a_worker_in_a_transaction_keeps_its_job_however_long_it_takes(place: tuple[Site, list[str]], tmp_path) -> None:
    site, _webs = place
    code = WORKER.format(folder=tmp_path)
    with ThreadPoolExecutor(2) as pool:
        slow, other = [pool.submit(site.python, code + part) for part in (HOLD, ASK)]
        assert (slow.result(), other.result()) == ("True done 3\n", "False\n")


def test_a_worker_that_is_killed_loses_its_job_when_the_lease_is_over(place: tuple[Site, list[str]], tmp_path) -> None:
    site, _webs = place
    code = WORKER.format(folder=tmp_path)
    command = [sys.executable, "manage.py", "shell", "--command", code + DIE]
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(site.python, code + TAKE_OVER)
        assert subprocess.run(command, cwd=ROOT, env=site.env).returncode == -signal.SIGKILL
        (tmp_path / "dead").touch()
        assert other.result() == "running 0 False\ndone 3\n"


# A worker that dies in the middle of the standings.


@contextmanager
def held_in_the_middle(federation: Federation, desk: Desk) -> Iterator[None]:
    """A result is in; a worker has read it and waits to store the standings, whose table nobody may write to."""
    federation.wait_for_standings(desk.event)
    with federation.database() as connection:
        connection.execute("LOCK TABLE tournament_standing IN EXCLUSIVE MODE")
        assert desk.enter(federation.webs[0], desk.matches[0], key=key(), final=(5, 3)).status == 201
        wait_until_a_worker_waits(federation)
        yield
        assert not federation.standings_are_current(desk.event)


def wait_until_a_worker_waits(federation: Federation) -> None:
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'tournament_standing'::regclass"
    with federation.database() as other:
        other.autocommit = True
        wait_until(lambda: other.execute(waiting).fetchone() != (0,), why="a worker computes standings")


def test_standings_survive_a_killed_task(federation: Federation) -> None:
    desk = open_desk(federation.site(), name="Killed task")
    with held_in_the_middle(federation, desk):
        for worker in federation.workers:
            for child in children(worker.process.pid):
                os.kill(child, signal.SIGKILL)
    federation.wait_for_standings(desk.event)


def test_standings_heal_when_every_worker_was_killed(federation: Federation) -> None:
    desk = open_desk(federation.site(), name="Killed workers")
    with held_in_the_middle(federation, desk):
        for worker in federation.workers:
            os.killpg(worker.process.pid, signal.SIGKILL)
    federation.start_worker()
    federation.wait_for_standings(desk.event)


def result_is_taken(alone: Site, desk: Desk, match: int) -> None:
    """A result is entered and shown, and every page and the live stream answer."""
    assert desk.enter(alone.url, match, key=key(), final=(5, 3)).status == 201
    assert desk.get(alone.url, f"matches/{match}/").body["score"] == [5, 3]
    with urllib.request.urlopen(alone.url + desk.path, timeout=PATIENCE_SECONDS) as page:
        assert page.status == 200
    with urllib.request.urlopen(f"{alone.live_url}/live/events/{desk.event}", timeout=PATIENCE_SECONDS) as stream:
        assert stream.readline() == b"retry: 2000\n"


def test_results_are_taken_while_redis_is_out_of_reach(tmp_path: Path) -> None:
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    with site(tmp_path / "var", REDIS_URL=nowhere, WORKER=0) as alone:
        desk = open_desk(alone, name="Alone", players=4)
        result_is_taken(alone, desk, desk.matches[0])


def test_results_are_taken_while_redis_hangs_and_once_it_has_ended(
    tmp_path: Path, own_redis: tuple[str, Running]
) -> None:
    url, redis = own_redis
    with site(tmp_path / "var", REDIS_URL=url, WORKER=0) as alone:
        desk = open_desk(alone, name="Left alone", players=8)
        result_is_taken(alone, desk, desk.matches[0])
        with redis.hanging():
            result_is_taken(alone, desk, desk.matches[1])
        redis.stop()
        result_is_taken(alone, desk, desk.matches[2])
