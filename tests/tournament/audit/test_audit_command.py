"""``manage.py audit``: what it prints, and its exit code."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tournament.models import Fixture

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[int, list[str]]:
    out, code = StringIO(), 0
    try:
        call_command("audit", *arguments, stdout=out)
    except SystemExit as end:
        code = end.code
    return code, out.getvalue().splitlines()


def test_command_exits_1_only_if_there_is_a_difference(event):
    assert run() == run("--event", "friday-club/main") == run("--records") == (0, ["No differences."])
    assert run("--json") == (0, [])
    Fixture.objects.filter(key="M2-2").update(length=3)
    line = "friday-club/main M2-2: length: stored 3, computed 5"
    assert run() == run("--event", "friday-club/main") == (1, [line])
    code, (text,) = run("--json")
    assert (code, json.loads(text)) == (
        1,
        {
            "check": "plan",
            "place": "friday-club/main M2-2",
            "what": "length",
            "stored": "3",
            "computed": "5",
        },
    )


def test_command_refuses_what_it_cannot_audit(db):
    with pytest.raises(CommandError, match="There is no event"):
        run("--event", "friday-club/main")
    with pytest.raises(CommandError, match="whole database"):
        run("--event", "x/y", "--records")
