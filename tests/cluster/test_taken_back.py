"""On PostgreSQL a name is taken back while a list is stored or a file is kept: who comes second waits, and knows."""

from collections.abc import Iterator

import pytest

from tests.processes import Shell, environment, manage, shell
from tests.servers import own_database

pytestmark = pytest.mark.cluster

BEGIN = """
import threading, uuid
from datetime import UTC, datetime, timedelta
from django.db import OperationalError, connection, transaction
from matches.lists import publish as publishing
from players.models import Federation, Player, PublishedLine, User
from tests.matches.lists.playing import build_list, build_people, play, publish_by
from tournament.career.delete_person import delete_person
from tournament.exports.profiles import ProfileData, make_profile
from tournament.jobs import exports
from tournament.jobs.services import run_job, start_job
from tournament.models import KeptExport
from tournament.registry.people import show_as

AT = datetime(2026, 1, 9, tzinfo=UTC)
word = uuid.uuid4().hex[:8]
asta, bo = build_people(f"Asta {word}", f"Bo x{word}")
play(asta, bo, day=1)

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

def waits():
    '''Wait until somebody else waits for a lock.'''
    with connection.cursor() as cursor:
        for _time in range(3000):
            cursor.execute("SELECT pg_sleep(0.02)")
            cursor.execute(WAITING)
            if cursor.fetchone() != (0,):
                return
    raise AssertionError("Nobody waits.")

def take_back():
    if WAY != "deleted":
        show_as(asta, "hidden", by=None, at=AT)
    else:
        delete_person(asta, typed=asta.name, by=None, at=AT)

def then(act, wait=lambda: None):
    def once(sees_one_state):
        with transaction.atomic(), connection.cursor() as cursor:
            if sees_one_state:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                cursor.execute("SELECT count(*) FROM players_player")
            act()
            wait()
    def run():
        try:
            once(WAY == "version")
        except OperationalError:  # the client is told to come again
            once(False)
        finally:
            connection.close()
    thread = threading.Thread(target=run)
    thread.start()
    return thread

others = []
def second(do):
    '''Let the name be taken back by somebody who has to wait, once the version of the names has been asked.'''
    def done(*args, **given):
        if not others:
            others.append(then(take_back))
            waits()
        return do(*args, **given)
    return done
"""
STORED = """
official_list = build_list(name=word, slug=word)
publishing._store = second(publishing._store)
publication = publish_by(official_list, 10)
others[0].join()
print(word in str(list(PublishedLine.objects.filter(publication=publication, player=asta).values())))
"""
COMPUTED = """
official_list = build_list(name=word, slug=word)
draft = publishing.draft_next
def drafted(*args, **given):
    made = draft(*args, **given)
    if not others:
        taken = threading.Event()
        others.append(then(lambda: (take_back(), taken.set()), waits))
        taken.wait()
    return made
publishing.draft_next = drafted
publication = publish_by(official_list, 10)
others[0].join()
print(word in str(list(PublishedLine.objects.filter(publication=publication, player=asta).values())))
"""
KEPT = """
by = User.objects.create_user(word, is_superuser=True)
data = ProfileData(name=word, kind="members", format="csv", columns=(("id", "id"), ("family", "family")))
profile = make_profile(Federation.objects.get(code="DBGF"), data, by=by, at=AT)
exports.locked = second(exports.locked)
given = {"profile": profile.pk, "first": "2026-01-01", "last": "2026-07-31"}
job = start_job("export", given=given, by=by, at=AT)
run_job(job.pk, clock=lambda: AT)
others[0].join()
print(KeptExport.objects.get(job=job).data is not None)
"""


@pytest.fixture(scope="module")
def program(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with own_database(postgres_url, "taken_back") as address:
        env = environment(VAR_DIR=tmp_path_factory.mktemp("taken-back"), DATABASE_URL=address)
        manage("migrate", "--verbosity", "0", env=env)
        with shell(env) as started:
            started.run(
                "from tests.matches.lists.playing import build_list; import uuid; build_list(slug=uuid.uuid4().hex)"
            )
            yield started


@pytest.mark.parametrize("way", ["hidden", "version", "deleted"])
@pytest.mark.parametrize("act", [STORED, COMPUTED, KEPT], ids=["stored", "computed", "kept"])
def test_a_name_that_is_taken_back_meanwhile_is_not_kept(program: Shell, act: str, way: str) -> None:
    """``version`` is a write to the version that was seen, which sees the state of one moment."""
    assert program.run(f"WAY = {way!r}\n" + BEGIN + act) == "False\n"
