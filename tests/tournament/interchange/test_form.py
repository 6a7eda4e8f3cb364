"""The form of an event file: its schema, what its reader says of other files, and its canonical bytes."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import tournament.interchange
from tests.processes import ROOT
from tests.tournament.interchange.files import two_players, with_deadlines
from tests.tournament.transfer.mutations import signed
from tournament.interchange.canonical import canonical
from tournament.interchange.form import DOCUMENT, as_schema, version_of
from tournament.interchange.read import read_event_file
from tournament.interchange.shape import Reading

SCHEMA = Path(tournament.interchange.__file__).parent / "event-1.schema.json"


def found(document) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.code) for fault in read_event_file(signed(document)).faults]


def test_the_schema_that_is_shipped_is_that_of_the_form():
    assert json.loads(SCHEMA.read_text()) == as_schema()
    Draft202012Validator.check_schema(as_schema())


def test_keys_are_sorted_by_utf_16_as_the_standard_says():
    # RFC 8785, 3.2.3
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    assert list(json.loads(canonical(dict.fromkeys(keys, 1)))) == [keys[i] for i in (1, 3, 5, 6, 0, 4, 2)]
    assert canonical({"b": ['\x0f\n"\\/€'], "a": None}) == '{"a":null,"b":["\\u000f\\n\\"\\\\/€"]}'.encode()


def change(document, pointer, value):
    *names, last = [int(name) if name.isdigit() else name for name in pointer[1:].split("/")]
    for name in names:
        document = document[name]
    document[last] = value


MATCH = "/events/0/stages/0/pairings/0/matches/0"


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        ("/version", "2.0", "version_unknown"),
        ("/version", "1", "version_unknown"),
        ("/format", "other", "not_an_event_file"),
        ("/people/0/visibility", "secret", "value_wrong"),
        ("/people/1/id", "p1", "key_repeated"),
        ("/tournament/starts_on", "2026-02-30", "value_wrong"),
        ("/events/0/stages/0/drawn_at", "2026-03-06T25:00:00Z", "value_wrong"),
        ("/events/0/name", "two\nlines", "value_wrong"),
        ("/events/0/name", "x" * 81, "text_length"),
        ("/events", [], "list_length"),
        (f"{MATCH}/length", 0, "number_out_of_range"),
        (f"{MATCH}/length", True, "number_out_of_range"),
        (f"{MATCH}/sheet/games/0/level", 4, "number_out_of_range"),
        (f"{MATCH}/start", [0], "list_length"),
    ],
)
def test_what_no_event_file_has_is_named_with_its_place(pointer, value, code):
    document = two_players()
    change(document, pointer, value)
    at = "" if code in ("version_unknown", "not_an_event_file") else pointer
    assert found(document) == [(at, code)]


def test_a_missing_key_is_named_in_its_object():
    document = two_players()
    del document["events"][0]["draw"]["urns"]
    assert found(document) == [("/events/0/draw", "key_missing")]


def test_a_key_with_a_slash_is_escaped_in_the_pointer():
    document = two_players()
    document["people"][0]["a/b~c"] = 1
    assert found(document) == [("/people/0/a~1b~0c", "key_unknown")]


def test_a_file_that_was_changed_has_another_digest():
    document = two_players()
    data = signed(document).replace(b'"Friday"', b'"Monday"')
    assert [fault.code for fault in read_event_file(data).faults] == ["digest_wrong"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_not_json"),
        (b"\xff", "file_not_text"),
        (b'{"format":"\\ud800"}', "file_not_text"),
        (b"[" * 200_000, "file_too_deep"),
        (b"[]", "not_an_event_file"),
        (b'{"a":1,"a":2}', "key_twice"),
        (b'{"a":1.5}', "number_invalid"),
        (b'{"a":9007199254740992}', "number_invalid"),
        (b'{"a":NaN}', "number_invalid"),
    ],
)
def test_what_is_no_event_file_at_all_is_said_in_one_sentence(data, code):
    (fault,) = read_event_file(data).faults
    assert (fault.pointer, fault.code) == ("", code)
    assert fault.message


def test_every_code_of_a_fault_is_in_the_docs():
    raised = re.compile(r'(?:Fault|_fault|\.fault|Unreadable|Refusal|Conflict)\(\s*"(\w+)"')
    rooms = (ROOT / "tournament" / "interchange", ROOT / "tournament" / "transfer")
    codes = {code for room in rooms for path in room.glob("*.py") for code in raised.findall(path.read_text())}
    page = (ROOT / "docs" / "interchange.md").read_text()
    assert len(codes) > 60
    assert sorted(code for code in codes if f"`{code}`" not in page) == []


def test_other_programs_keep_what_is_theirs_under_x_and_later_versions_have_more():
    document = two_players()
    document["events"][0]["x"] = {"anything": [1, {"y": None}]}
    assert found(document) == []
    document["people"][0]["shoe_size"] = 44
    assert found(document) == [("/people/0/shoe_size", "key_unknown")]
    document["version"] = "1.7"
    assert found(document) == []


PAIRING, SHEET = "/events/0/stages/0/pairings/0", f"{MATCH}/sheet"


@pytest.mark.parametrize(
    ("place", "name"), [(PAIRING, "play_by"), (PAIRING, "extended_by"), (PAIRING, "offers"), (SHEET, "unplayed_by")]
)
def test_a_member_that_came_later_needs_its_version_and_no_file_needs_it(place, name):
    document = with_deadlines()
    assert (found(document), version_of(document)) == ([], "1.1")
    holder = document
    for step in place[1:].split("/"):
        holder = holder[int(step) if step.isdigit() else step]
    kept = {one: holder.pop(one) for one in ("play_by", "extended_by", "offers", "unplayed_by") if one in holder}
    assert found(document) == []
    document = two_players()
    assert (found(document), version_of(document)) == ([], "1.0")
    change(document, f"{place}/{name}", kept[name])
    assert (found(document), version_of(document)) == ([(f"{place}/{name}", "key_unknown")], "1.1")


@pytest.mark.parametrize("make", [two_players, with_deadlines])
def test_the_schema_refuses_what_the_reader_refuses(make):
    """One change of each value: the schema does not see which keys are repeated, and no days that there are not."""
    validator = Draft202012Validator(as_schema())
    document = make()
    for pointer in pointers_in(document):
        if make is with_deadlines and not re.search("play_by|extended_by|offers|unplayed_by", pointer):
            continue
        for other in (None, -1, "", "a\nb", [], {}):
            changed = json.loads(json.dumps(document))
            change(changed, pointer, other)
            reading = Reading()
            DOCUMENT.judge(changed, "", reading)
            faults = [fault for fault in reading.faults if fault.code != "key_repeated"]
            assert bool(faults) != validator.is_valid(changed), (pointer, other)


def pointers_in(value, pointer=""):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield f"{pointer}/{name}"
        yield from pointers_in(one, f"{pointer}/{name}")
