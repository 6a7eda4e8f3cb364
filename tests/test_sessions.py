"""Sessions while the database is held by somebody else."""

from pathlib import Path

import pytest
from django.contrib.sessions.backends.base import UpdateError

from config.sessions import SessionStore
from tests.processes import environment, manage
from tests.test_outages import printed

SIGNS_IN = """
from django.test import Client
from config.sqlite.waiting import in_page
in_page.set(True)
connection.close()
config.sqlite.base.PAGE_SECONDS = 0.05
client = Client(raise_request_exception=False)
def sign_in(password):
    answer = client.post("/accounts/login/", {"username": "owner", "password": password})
    said = "busy" if "was busy" in answer.content.decode() else ""
    print(answer.status_code, answer.headers.get("Retry-After"), said, "sessionid" in client.cookies)
for _time in range(2):
    other.execute("BEGIN IMMEDIATE")
    sign_in("wrong")
    sign_in("x")
    other.execute("ROLLBACK")
    sign_in("x")
"""


def test_nobody_signs_in_while_the_database_is_busy_and_is_told_so(tmp_path: Path) -> None:
    manage("migrate", "--verbosity", "0", env=environment(VAR_DIR=tmp_path))
    busy = "409 1 busy"
    assert printed(SIGNS_IN, tmp_path) == [
        *(f"{busy} False", f"{busy} False", "302 None  True"),
        *(f"{busy} True", f"{busy} True", "302 None  True"),
    ]


@pytest.mark.django_db
def test_a_session_that_was_deleted_meanwhile_is_not_made_again() -> None:
    session = SessionStore()
    session.create()
    SessionStore().delete(session.session_key)
    with pytest.raises(UpdateError):
        session.save()
