"""Lists of earlier rules are checked by those; ``tests/data/lists`` has some as they were published."""

import copy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from players.lists.check import ListReport, check_list
from players.lists.read import ListFile, read_list_file
from players.lists.signing import verify
from players.lists.systems import build

FOLDER = Path(__file__).resolve().parents[2] / "data" / "lists"
NAMES = ["engine-1-1", "engine-1-2", "engine-1-3"]


def read(name: str) -> ListFile:
    return read_list_file((FOLDER / f"{name}.json").read_bytes())


def check(file: ListFile, earlier: ListFile | None = None) -> ListReport:
    return check_list(file, verify=verify, build=build, earlier=earlier)


def changed(file: ListFile, **changes: Any) -> ListFile:
    return ListFile({**copy.deepcopy(file.document), **changes}, file.sha256, file.signature, file.key, file.names)


@pytest.mark.parametrize("name", NAMES)
def test_a_list_of_the_first_engine_holds(name: str) -> None:
    told = StringIO()
    call_command("verify_list", str(FOLDER / f"{name}.json"), stdout=told)
    assert told.getvalue().splitlines()[-1] == "This list holds."


def test_a_list_of_the_first_engine_follows_from_the_one_before() -> None:
    first, second, third = map(read, NAMES)
    assert (check(second, first).findings, check(third, second).findings) == ((), ())


def test_the_first_engine_kept_what_was_reached_before_and_went_by_the_day_in_utc() -> None:
    """Ann's two last matches gave less than 1510; Cy and Di played at 23:30 in UTC."""
    second = changed(read("engine-1-2"), engine=2, zone="Europe/Copenhagen")
    found = [one.params for one in check(second).findings if one.code == "differs"]
    assert [(one["place"], one["said"], one["computed"]) for one in found] == [
        ("/document/held/0/1", "Masters", "Others"),
        ("/document/lines/1/last_played", "2026-01-15", "2026-01-16"),
        ("/document/lines/2/last_played", "2026-01-15", "2026-01-16"),
        ("/document/lines/3/class", "Masters", "Others"),
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"engine": 3}, "engine_unknown"),
        ({"engine": 0}, "engine_unknown"),
        ({"engine": "1"}, "value_wrong"),
        ({"engine": True}, "value_wrong"),
        ({"engine": 2}, "value_wrong"),
        ({"engine": 2, "zone": "Nowhere/Else"}, "zone_unknown"),
        ({"engine": 2, "zone": "../../etc/passwd"}, "zone_unknown"),
        ({"engine": 2, "zone": "Europe"}, "zone_unknown"),
        ({"engine": 2, "zone": "a\0b"}, "zone_unknown"),
        ({"engine": 2, "zone": 1}, "value_wrong"),
    ],
)
def test_an_engine_or_a_zone_that_nobody_knows_is_named(changes: dict[str, Any], code: str) -> None:
    assert check(changed(read("engine-1-1"), **changes)).findings[-1].code == code
