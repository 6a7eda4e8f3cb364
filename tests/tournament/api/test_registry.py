"""The registry over the API: what a client writes is answered whole, and each role may do its own."""

import pytest

from players.models import RegistryImport
from tests.players.registry.people import Registry, build_registry
from tests.players.registry.test_member_import import FILE
from tests.tournament.api.client import CheckedClient

pytestmark = pytest.mark.django_db
PERSON = {"given": "Bo", "family": "Lund", "country": "DEN", "club": "Odense", "born": "1980-02-03"}
DAYS = {"starts": "2026-08-01", "ends": "2027-07-31"}


@pytest.fixture
def registry() -> Registry:
    return build_registry()


@pytest.fixture
def officer(registry) -> CheckedClient:
    return client_of(registry.officer)


def client_of(user) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(user)
    return client


def test_a_person_is_taken_in_and_everything_is_recorded(officer):
    made = officer.post("people/", PERSON)
    assert made.status_code == 201
    person = f"players/{made.json()['id']}/"
    sent = [
        ("post", "memberships/", {"federation": "DBGF", "kind": "ordinary", **DAYS}),
        ("post", "numbers/", {"issuer": "dbgf", "value": "1771"}),
        ("post", "titles/", {"issuer": "dbgf", "code": "gm", "on": "2026-08-02"}),
        ("post", "norms/", {"issuer": "dbgf", "kind": "bn", "thirds": 1, "on": "2026-08-02"}),
        ("post", "aliases/", {"spelling": "Bosse Lund"}),
        ("put", "registry/", {**PERSON, "family": "Berg"}),
        ("put", "visibility/", {"visibility": "initials"}),
    ]
    assert [getattr(officer, method)(person + path, body).status_code for method, path, body in sent] == [201] * 5 + [
        200
    ] * 2
    told = officer.get(person + "registry/").json()
    assert (told["name"], told["own_name"], told["country"], told["born"]) == ("B. B.", "Bo Berg", "DK", "1980-02-03")
    assert [(one["field"], one["value"]) for one in told["former"]] == [("family", "Lund"), ("visibility", "public")]
    assert {one["spelling"] for one in told["aliases"]} == {"Bosse Lund", "Bo Lund", "Bo Berg"}
    membership, number, norm = (told[name][0]["id"] for name in ("memberships", "numbers", "norms"))
    alias = told["aliases"][0]["id"]
    changed = [
        ("put", f"memberships/{membership}/", {**DAYS, "paid_on": "2026-08-05"}),
        ("delete", f"numbers/{number}/", None),
        ("post", f"norms/{norm}/void/", {"reason": "Cheating"}),
        ("delete", f"aliases/{alias}/", None),
    ]
    answers = [getattr(officer, method)(person + path, body) for method, path, body in changed]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert answers[-1].json()["memberships"][0]["paid_on"] == "2026-08-05"


REFUSED = [
    ("put", "registry/", {**PERSON, "country": "XX"}, 400, "country_unknown"),
    ("put", "registry/", {**PERSON, "born": "soon"}, 400, "birth_unreadable"),
    ("put", "registry/", {**PERSON, "born": "2199"}, 400, "birth_in_future"),
    ("post", "memberships/", {"federation": "DBGF", "club": 1, "kind": "ordinary", **DAYS}, 400, "body_unclear"),
    ("post", "memberships/", {"federation": "DBGF", "kind": "royal", **DAYS}, 400, "kind_unknown"),
    (
        "post",
        "memberships/",
        {"federation": "DBGF", "kind": "ordinary", "starts": "2026-01-01"},
        409,
        "memberships_overlap",
    ),
    (
        "post",
        "memberships/",
        {"federation": "DBGF", "kind": "youth", "starts": "2026-01-02", "ends": "2026-01-01"},
        400,
        "membership_ends_early",
    ),
    ("post", "numbers/", {"issuer": "dbgf", "value": "A1"}, 400, "number_of_another_kind"),
    ("post", "numbers/", {"issuer": "db gf", "value": "1"}, 400, "issuer_unreadable"),
    ("post", "norms/", {"issuer": "dbgf", "kind": "bn", "thirds": 31, "on": "2026-01-01"}, 400, "norm_out_of_range"),
    ("put", "visibility/", {"visibility": "secret"}, 400, "visibility_unknown"),
    ("post", "users/", {"username": "nobody"}, 400, "user_unknown"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), REFUSED, ids=[row[4] for row in REFUSED])
def test_what_cannot_be_is_refused_and_changes_nothing(registry, officer, unchanged, method, path, body, status, code):
    with unchanged():
        answer = getattr(officer, method)(f"players/{registry.holm.pk}/{path}", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_federations_clubs_and_roles(registry, officer):
    body = {"code": "DBGF", "name": "Dansk Backgammon", "country": "DK", "number_pattern": "\\d{1,5}"}
    assert officer.put("federations/DBGF/", body).json()["number_pattern"] == "\\d{1,5}"
    assert officer.post("federations/", {**body, "code": "X1"}).status_code == 403
    assert officer.put("federations/DBGF/", {**body, "number_pattern": "(a+)+"}).json()["code"] == "pattern_unreadable"
    club = officer.post("clubs/", {"name": "Vejle", "federation": "DBGF"}).json()["id"]
    assert officer.put(f"clubs/{club}/", {"name": "Vejle BK", "federation": "DBGF"}).json()["name"] == "Vejle BK"
    made = officer.post(f"clubs/{club}/managers/", {"username": "stranger"})
    assert (made.status_code, made.json()["role"]) == (201, "manager")
    assert officer.post("federations/DBGF/officers/", {"username": "stranger"}).status_code == 201
    assert [role["user"] for role in officer.get("federations/DBGF/officers/").json()] == ["officer", "stranger"]
    assert officer.delete(f"registry-roles/{made.json()['id']}/").status_code == 204
    assert officer.get("federations/").json()["count"] == 1
    assert [one["number"] for one in officer.get("federations/DBGF/members/").json()["results"]] in ([""], [])


def test_a_member_asks_and_an_officer_answers(registry, officer):
    member = client_of(registry.member)
    path = f"players/{registry.holm.pk}/visibility/requests/"
    asked = member.post(path, {"visibility": "hidden"}).json()["requests"][0]
    assert member.put(f"{path}{asked['id']}/", {"granted": True}).status_code == 403
    answered = officer.put(f"{path}{asked['id']}/", {"granted": True}).json()
    assert (answered["name"], answered["requests"][0]["granted"]) == (f"Player #{registry.holm.pk}", True)


def test_a_file_is_previewed_imported_listed_and_undone(registry, officer):
    path = "federations/DBGF/members/import/"
    send = {"content_type": "text/csv"}
    preview = officer.post(path, FILE.encode(), **send).json()
    assert (preview["counts"]["new"], RegistryImport.objects.count()) == (2, 0)
    made = officer.post(f"{path}?digest={preview['digest']}&name=a.csv", FILE.encode(), **send)
    assert (made.status_code, made.json()["counts"]["changed"]) == (201, 1)
    listed = officer.get("federations/DBGF/imports/").json()["results"]
    assert [one["file_name"] for one in listed] == ["a.csv"]
    undo = f"imports/{listed[0]['id']}/undo/"
    assert [officer.post(undo).status_code for _time in range(2)] == [200, 409]
    assert officer.post(f"{path}?choices=x", FILE.encode(), **send).json()["code"] == "choices_unreadable"


READ = ("players/{person}/registry/", "federations/DBGF/officers/", "federations/DBGF/members/", "duplicates/")


def test_what_is_recorded_is_read_by_those_who_keep_it(registry):
    users = {
        "visitor": None,
        **{name: getattr(registry, name) for name in ("stranger", "member", "manager", "officer")},
    }
    seen = {}
    for name, user in users.items():
        client = client_of(user) if user else CheckedClient()
        seen[name] = [client.get(path.format(person=registry.holm.pk)).status_code for path in READ]
    assert seen == {
        "visitor": [401] * 4,
        "stranger": [403] * 4,
        "member": [200, 403, 403, 403],
        "manager": [200, 403, 403, 403],
        "officer": [200] * 4,
    }
