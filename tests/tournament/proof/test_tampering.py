"""Whatever single value of a draw file is changed that decides the draw, the check finds it; no file breaks it."""

import json
from copy import deepcopy
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.breadth import few
from tests.builders import build_director, build_event, play_out
from tournament.past.draw_file import draw_file_bytes
from tournament.proof.check import check_file
from tournament.proof.faults import FileFault
from tournament.proof.read import read_draw_file

TOLD_ONLY = {"at", "paired_at", "drawn_at", "opened_at", "made_at", "name", "rating", "event", "tournament", "length"}
"""What decides nothing: times and names are shown. The length of the chain only limits it."""

MAY_MEAN_NOTHING = {"persons", "presence", "results", "members", "family", "club", "country"}
"""What may be changed without another draw following: a club where nobody is kept apart, a result of no effect."""

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", params=["single-elimination", "consolation", "swiss", "jackpot", "pools"])
def whole(request, django_db_setup, django_db_blocker) -> dict[str, Any]:
    with django_db_blocker.unblock(), transaction.atomic():
        options = {"size": "4"} if request.param == "jackpot" else {}
        event = build_event(build_director(), players=9, format=request.param, seed="", options=options)
        play_out(event)
        data = json.loads(draw_file_bytes(event))
        transaction.set_rollback(True)
    return data


def leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every text, number, flag and null in the file."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, inner in enumerate(value) for leaf in leaves(inner, (*path, index))]
    return [path]


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def put(value: Any, path: tuple[str | int, ...], new: object) -> dict[str, Any]:
    changed = deepcopy(value)
    at(changed, path[:-1])[path[-1]] = new
    return changed


def is_found(file: dict[str, Any]) -> bool:
    """Whether the file is refused, or something in it is wrong."""
    try:
        return not check_file(read_draw_file(json.dumps(file).encode())).holds
    except FileFault:
        return True


def other(value: object) -> object:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return ("1" if value[:1] == "0" else "0") + value[1:]
        case _:
            return 1


def decides(path: tuple[str | int, ...]) -> bool:
    return not (set(path) & (TOLD_ONLY | MAY_MEAN_NOTHING))


def test_the_file_as_it_is_holds(whole):
    assert not is_found(whole)


def test_every_single_value_that_decides_is_found_when_it_is_changed(whole):
    """Every link, public value, digest, document, entrant, option and pairing of the file, one by one."""
    paths = [path for path in leaves(whole) if decides(path)]
    assert len(paths) > 100
    assert [path for path in paths if not is_found(put(whole, path, other(at(whole, path))))] == []


def test_every_urn_entrant_and_pairing_that_is_left_out_is_found(whole):
    lists = [("urns",)]
    for number, draw in enumerate(whole["draws"]):
        for step in range(len(draw["steps"])):
            lists += [("draws", number, "steps", step, name) for name in ("entrants", "pairings")]
    for path in lists:
        for index in range(len(at(whole, path) or ())):
            rows = at(whole, path)
            assert is_found(put(whole, path, rows[:index] + rows[index + 1 :])), (path, index)


@settings(max_examples=few(150))
@given(data=st.data())
def test_no_value_whatever_breaks_the_check(whole, data):
    """Texts, numbers, lists and objects of every kind in any place: refused or found wrong, never an error."""
    path = data.draw(st.sampled_from(leaves(whole)))
    scalars = st.none() | st.booleans() | st.integers(-3, 70_000) | st.text(max_size=5) | st.just(10**30)
    new = data.draw(scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=3), scalars, max_size=2))
    is_found(put(whole, path, new))


@settings(max_examples=few(100))
@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_any_json_is_read_or_refused(value):
    with pytest.raises(FileFault):
        read_draw_file(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe", "file_not_text"),
        (b"{", "file_not_json"),
        (b"[" * 200_000 + b"]" * 200_000, "file_too_deep"),
        (b'{"a":1,"a":2}', "key_twice"),
        (b'{"a":' + b"9" * 5000 + b"}", "number_invalid"),
        (b'{"a":1.5}', "number_invalid"),
        (b'{"a":NaN}', "number_invalid"),
        (b"[1]", "not_a_draw_file"),
        (b'{"sixprime_draw_file":true}', "version_unknown"),
        (b'{"sixprime_draw_file":2}', "version_unknown"),
        (b'{"sixprime_draw_file":1}', "key_missing"),
    ],
)
def test_every_fault_has_its_code(data, code):
    with pytest.raises(FileFault) as refused:
        read_draw_file(data)
    assert refused.value.code == code
    assert str(refused.value)


def test_a_file_that_is_too_large_is_refused_before_it_is_parsed():
    with pytest.raises(FileFault) as refused:
        read_draw_file(b"[" * 2_000_000, most_bytes=1_000_000)
    assert refused.value.code == "file_too_large"
