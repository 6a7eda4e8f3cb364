"""Official lists over the API: what everybody reads, and what officers make, take over and publish."""

import pytest

from matches.lists.files import list_file
from players.lists.models import OfficialList, Publication, StartValue
from players.lists.values import Criteria
from players.models import Player, RegistryRole
from tests.builders import build_director, build_event, play_out
from tests.matches.lists.playing import build_list, build_people, play, publish_by
from tests.tournament.api.client import CheckedClient
from tests.tournament.reporting.lists import build_officer, enrol
from tests.tournament.reporting.test_publishing import accept

pytestmark = pytest.mark.django_db
CUT = {"of": "2026-06-01", "matches_until": "2026-05-31", "members_on": "2026-06-01"}
QUERY = "&".join(f"{name}={day}" for name, day in CUT.items())


@pytest.fixture
def official_list() -> OfficialList:
    return build_list(criteria=Criteria(classes=(("Master", 1502), ("Open", 0))))


def client_of(user) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(user)
    return client


def test_everybody_reads_lists_lines_histories_and_moves(official_list):
    ann, bo, cy = build_people("Ann Holm", "Bo Lund", "Cy Berg")
    play(ann, bo, day=1)
    publish_by(official_list, 5)
    play(cy, bo, day=2)
    play(bo, ann, day=7)
    newest = publish_by(official_list, 10)
    reader = CheckedClient()
    found = reader.get("official-lists/?federation=dbgf").json()["results"]
    assert [(one["slug"], one["newest"]) for one in found] == [("dbgf-list", 2)]
    where = "official-lists/dbgf-list/publications/"
    assert [one["number"] for one in reader.get(where).json()["results"]] == [2, 1]
    assert reader.get(f"{where}2/").json()["sha256"] == newest.sha256
    lines = {name: reader.get(f"{where}2/lines/?{name}").json()["results"] for name in ("", "q=lund", "country=NO")}
    assert [line["place"] for line in lines[""]] == [1, 2, 3]
    assert ([line["name"] for line in lines["q=lund"]], lines["country=NO"]) == (["Bo Lund"], [])
    masters = reader.get(f"{where}2/lines/?class_name=Master").json()["results"]
    assert [line["class_name"] for line in masters] == ["Master"] * len(masters) != []
    history = reader.get(f"official-lists/dbgf-list/players/{bo.pk}/").json()
    assert [line["publication"] for line in history] == [2, 1]
    moves = reader.get(f"{where}2/players/{bo.pk}/").json()
    assert [(step["opponent"], step["won"]) for step in moves["steps"]] == [(ann.pk, True)]
    assert [(step["opponent"], step["won"]) for step in moves["earlier"]] == [
        (ann.pk, False),
        (cy.pk, False),
    ]
    assert [one["was"] for one in moves["corrections"]] == [""]
    assert reader.get(f"{where}2/corrections/").json()["count"] == 1
    assert reader.get(f"{where}9/lines/").status_code == 404
    assert reader.get(f"{where}2/lines/?nation=NO").json()["code"] == "unknown_parameter"


def test_the_file_has_the_bytes_of_the_page(client, official_list):
    play(*build_people("Ann", "Bo"), day=1)
    published = publish_by(official_list, 5)
    answer = client.get("/api/v1/official-lists/dbgf-list/publications/1/file/")
    assert b"".join(answer.streaming_content) == b"".join(list_file(published))


def test_a_list_is_made_and_changed_by_its_officer(official_list, unchanged):
    officer = client_of(build_officer(official_list))
    sent = {"name": "Club list", "federation": "DBGF", "kind": "elo", "parameters": {"k": 5}}
    criteria = {"experience": 100, "classes": [{"name": "Master", "least": 1650}]}
    made = officer.post("official-lists/", {**sent, "criteria": criteria, "counts_from": "2026-01-01"})
    assert (made.status_code, made.json()["slug"], made.json()["criteria"]["classes"]) == (
        201,
        "club-list",
        criteria["classes"],
    )
    refused = [
        ({**sent, "slug": "club-list"}, 409, "list_exists"),
        (sent, 409, "list_exists"),
        ({**sent, "slug": "Club list"}, 400, "address_invalid"),
        ({**sent, "kind": "none"}, 400, "rating_system_unknown"),
        ({**sent, "parameters": {"k": 0}}, 400, "parameter_invalid"),
        ({**sent, "federation": "X"}, 400, "federation_unknown"),
        ({**sent, "federation": ""}, 403, "role_missing"),
        ({**sent, "counts_from": "0001-01-01"}, 400, "day_out_of_range"),
        ({**sent, "criteria": {"club": 99}}, 400, "club_unknown"),
    ]
    with unchanged():
        answers = [officer.post("official-lists/", body) for body, _status, _code in refused]
    assert [(one.status_code, one.json()["code"]) for one in answers] == [row[1:] for row in refused]
    assert [one.json()["errors"][0]["field"] for one in answers[:3]] == ["slug", "name", "slug"]
    named = officer.post("official-lists/", {**sent, "name": "Ærø-listen"})
    assert named.json()["slug"] == "aero-listen"
    version = officer.get("official-lists/club-list/")["ETag"]
    changed = officer.patch("official-lists/club-list/", {"name": "Clubs"}, HTTP_IF_MATCH=version)
    assert (changed.json()["name"], changed.json()["criteria"]["experience"]) == ("Clubs", 100)
    again = officer.patch("official-lists/club-list/", {"name": "Others"}, HTTP_IF_MATCH=version)
    assert (again.status_code, again.json()["code"]) == (412, "version_changed")
    play(*build_people("Ann", "Bo"), day=1)
    publish_by(official_list, 5)
    assert officer.patch("official-lists/dbgf-list/", {"places": 1}).json()["code"] == "list_published"


def test_start_values_are_previewed_and_stored(official_list):
    ann, _bo = build_people("Ann Holm", "Bo Lund")
    officer = client_of(build_officer(official_list))
    path, data = "official-lists/dbgf-list/starts/?as_of=2025-12-31&source=Old", b"name;rating\nAnn Holm;1650\nNobody;1"
    shown = officer.post(path, data, content_type="text/csv")
    assert shown.json()["counts"] == {"new": 1, "same": 0, "changed": 0, "ambiguous": 0, "refused": 1}
    assert not StartValue.objects.exists()
    assert officer.post(f"{path}&digest=0", data, content_type="text/csv").json()["code"] == "preview_changed"
    stored = officer.post(f"{path}&digest={shown.json()['digest']}", data, content_type="text/csv")
    assert stored.status_code == 201
    assert [one["player"] for one in officer.get("official-lists/dbgf-list/starts/").json()["results"]] == [ann.pk]
    assert officer.post(path.replace("2025-12-31", "soon"), data, content_type="text/csv").status_code == 400


def test_choices_say_who_an_ambiguous_row_means(official_list):
    ann, other = build_people("Ann Holm", "Ann Berg")
    Player.objects.filter(pk=other.pk).update(name=ann.name, folded_name=ann.folded_name)
    officer, data = client_of(build_officer(official_list)), b"name;rating\nAnn Holm;1650"
    path = "official-lists/dbgf-list/starts/?as_of=2025-12-31&source=Old"

    def send(query: str):
        return officer.post(path + query, data, content_type="text/csv").json()

    (row,) = send("")["rows"]
    assert (row["fate"], row["candidates"]) == ("ambiguous", [ann.pk, other.pk])
    codes = [send(f"&choices={choices}")["code"] for choices in ("2:new", f"2:{other.pk + 1}")]
    assert codes == ["choices_unreadable", "choice_unknown"]
    shown = send(f"&choices=2:{other.pk}")
    assert (shown["rows"][0]["fate"], shown["rows"][0]["player"]) == ("new", other.pk)
    send(f"&choices=2:{other.pk}&digest={shown['digest']}")
    assert list(StartValue.objects.values_list("player", flat=True)) == [other.pk]


def test_a_draft_is_published_once_under_its_key(official_list):
    event = build_event(build_director(), players=4, rated_for=(official_list.slug,))
    enrol(official_list, *Player.objects.all())
    play_out(event)
    accept(event, official_list)
    officer, path = client_of(RegistryRole.objects.get().user), "official-lists/dbgf-list/"
    draft = officer.get(f"{path}draft/?{QUERY}").json()
    assert (draft["number"], draft["matches"], draft["counts"]["new"], len(draft["lines"])) == (1, 3, 4, 4)
    assert officer.get(f"{path}draft/?of=2026-06-01").status_code == 400
    late = QUERY.replace("matches_until=2026", "matches_until=2126")
    assert officer.get(f"{path}draft/?{late}").json()["code"] == "cut_off_in_future"
    wrong = officer.post(f"{path}publications/", {**CUT, "digest": "0" * 64})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "preview_changed")
    sent = {**CUT, "digest": draft["digest"]}
    done = [officer.post(f"{path}publications/", sent, HTTP_IDEMPOTENCY_KEY="one") for _time in range(2)]
    assert [(one.status_code, one.json()["sha256"]) for one in done] == [(201, draft["digest"])] * 2
    assert Publication.objects.count() == 1
    stranger = client_of(build_director("stranger"))
    assert stranger.get(f"{path}draft/?{QUERY}").status_code == 403
    assert stranger.post(f"{path}publications/", sent).status_code == 403
