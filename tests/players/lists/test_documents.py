"""Published lists as files: a stranger computes them again, and whatever was changed in them is named."""

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import Any

import pytest

from players.lists.check import ListReport, check_list, standings_after
from players.lists.document import canonical
from players.lists.read import ListFault, ListFile, counted_in, read_list_file
from players.lists.signing import verify
from players.lists.values import Base, Correction, Criteria, Provisional, Start
from players.ratings import RATINGS, RatedResult
from tests.players.lists.publishing import HEAD, build, following, make, signed, some_matches

CLASSES = Criteria(
    experience=20,
    active_months=12,
    members=True,
    provisional=Provisional.BY_NAME,
    classes=(("Masters", 1520), ("Others", 0)),
    class_matches=5,
    class_months=14,
)
FIRST = replace(HEAD, criteria=CLASSES, starts={3: Start(1610.25, 400), 99: Start(1400.0, 12)})


def check(file: ListFile, earlier: ListFile | None = None) -> ListReport:
    return check_list(file, verify=verify, build=build, earlier=earlier)


def codes(file: ListFile, earlier: ListFile | None = None) -> list[str]:
    return [finding.code for finding in check(file, earlier).findings]


def with_document(file: ListFile, document: dict[str, Any]) -> ListFile:
    return replace(file, document=document)


def test_a_run_gives_the_ratings_of_a_plain_loop() -> None:
    matches = some_matches(60)
    made, _file = make(HEAD, matches)
    plain = RATINGS["fibs"].rate(RatedResult(one.winner, one.loser, one.length) for one in matches)
    assert {player: one.rating for player, one in made.standings.items()} == plain


def test_a_published_list_holds() -> None:
    made, file = make(FIRST, some_matches(60))
    assert check(file) == ListReport(head=check(file).head, matches=60, findings=())
    assert canonical(json.loads(canonical(file.document))) == canonical(file.document)
    assert len(canonical(file.document)) == made.bytes


def test_the_next_one_follows_from_the_one_before() -> None:
    made, first = make(FIRST, some_matches(60))
    changes = {"as_of": date(2026, 12, 22), "matches_until": "2026-12-22T00:00:00+00:00"}
    _next, second = make(following(FIRST, made, **changes), some_matches(40, seed=6, month=12))
    assert check(second, first).findings == ()
    assert codes(second, make(HEAD, some_matches(60))[1]) == ["chain_broken"]


def test_two_runs_one_after_the_other_are_one_run() -> None:
    january, december = some_matches(60), some_matches(40, seed=6, month=12)
    made, _first = make(FIRST, january)
    after, second = make(following(FIRST, made), december)
    whole, _file = make(FIRST, [*january, *december])
    assert after.standings == whole.standings
    assert standings_after(second.document, counted_in(second.document), build) == whole.standings


def places(value: Any, place: str = "") -> Iterator[str]:
    """Every place of a document that holds a number or a text."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, f"{place}/{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, f"{place}/{number}")
    else:
        yield place


def changed(document: dict[str, Any], place: str) -> dict[str, Any]:
    document = copy.deepcopy(document)
    inner: Any = document
    *parents, last = place[1:].split("/")
    for key in parents:
        inner = inner[int(key) if isinstance(inner, list) else key]
    key = int(last) if isinstance(inner, list) else last
    inner[key] = inner[key] + 1 if isinstance(inner[key], int) else f"{inner[key]}1"
    return document


def test_a_change_anywhere_is_found_and_what_follows_from_the_rest_is_named() -> None:
    january, december = some_matches(30), some_matches(12, seed=6, month=12)
    made, _file = make(FIRST, january[1:])
    head = following(FIRST, made, corrections=(Correction(1000, None, january[0], "entered_late"),))
    _made, file = make(replace(head, base=Base(), starts=FIRST.starts), [*january, *december])
    assert check(file).findings == ()
    for place in places(file.document):
        assert sha256(canonical(changed(file.document, place))).hexdigest() != file.sha256, place
    assert codes(with_document(file, changed(file.document, "/list/name"))) == ["digest_differs", "signature_wrong"]
    place = "/lines/2/value"
    report = check(with_document(file, changed(file.document, place)))
    said = file.document["lines"][2]["value"]
    assert report.findings[2].params == {"place": f"/document{place}", "said": f"{said}1", "computed": said}


@pytest.mark.parametrize(
    ("place", "key", "pointer"),
    [
        ("", "zzz", "/document/zzz"),
        ("/lines/0", "zzz", "/document/lines/0/zzz"),
        ("/list", "a/b~c", "/document/list/a~1b~0c"),
        ("/base", "", "/document/base/"),
    ],
)
def test_a_key_that_no_document_has_is_named_even_with_nothing_under_it(place: str, key: str, pointer: str) -> None:
    _made, file = make(FIRST, some_matches(12))
    document = copy.deepcopy(file.document)
    inner: Any = document
    for step in filter(None, place.split("/")):
        inner = inner[int(step) if isinstance(inner, list) else step]
    inner[key] = None
    (finding,) = check(signed(document)).findings
    assert (finding.code, finding.params) == ("differs", {"place": pointer, "said": "null", "computed": "–"})


def test_a_match_that_was_turned_around_is_named() -> None:
    _made, file = make(HEAD, some_matches(6))
    document = copy.deepcopy(file.document)
    row = document["counted"][4]
    row[2], row[3] = row[3], row[2]
    places = [finding.params.get("place") for finding in check(with_document(file, document)).findings]
    assert "/document/counted/4/7" in places
    assert "/document/inputs/sha256" in places


def test_a_name_that_was_changed_is_named() -> None:
    _made, file = make(HEAD, some_matches(12))
    names = (replace(file.names[0], name="Somebody else"), *file.names[1:])
    (finding,) = check(replace(file, names=names)).findings
    assert (finding.code, finding.params) == ("name_differs", {"name": "Somebody else", "player": file.names[0].player})
    assert check(replace(file, names=file.names[1:])).holds, "names may be missing: a deleted person's is"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", "file_not_json"),
        (b"\xff", "file_not_json"),
        (b"[" * 200_000, "file_too_deep"),
        (b"[1.5]", "number_invalid"),
        (b'{"a":1,"a":1}', "key_twice"),
        (b"{}", "not_a_list_file"),
        (b'{"sixprime_list_file":1}', "keys_differ"),
    ],
)
def test_what_is_no_published_list_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(ListFault) as refused:
        read_list_file(data)
    assert refused.value.code == code


def test_a_match_may_count_in_part_and_a_guest_may_keep_their_rating() -> None:
    one, other, third = some_matches(3)
    half = one._replace(winner=1, loser=2, weight=50)
    against = other._replace(winner=1, loser=3, guest="l1500")
    lost = third._replace(winner=3, loser=2, guest="w1500")
    made, file = make(replace(HEAD, places=4), [half, against, lost])
    assert check(file).findings == ()
    rate = RATINGS["fibs"].rate_match
    newcomer = RATINGS["fibs"].newcomer
    whole = rate(newcomer, newcomer, half.length)
    first = replace(whole[0], value=(1500 + whole[0].value) / 2)
    second = replace(whole[1], value=(1500 + whole[1].value) / 2)
    assert made.standings[1].rating == rate(first, newcomer, against.length)[0]
    assert made.standings[2].rating == rate(newcomer, second, lost.length)[1]
    assert sorted(made.standings) == [1, 2], "the guest has no rating of their own"
