"""A match record attached to a match of an event: beside the sheet, taken as a correction, never rated beside it."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from matches.accept_records import accept_record, take_back_acceptance
from matches.attached import PLACES, lay_beside
from matches.evidence import Evidence
from matches.import_records import import_record
from matches.models import Match, Verdict
from matches.services import current_sheet
from players.errors import Conflict
from players.services import create_player
from rules.records.replay import Replay, replay, verify
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tests.meanwhile import before_transaction
from tests.pages import forms_of
from tests.tournament.api.client import CheckedClient
from tournament.entries.links import link_of, token_of
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.results.evidence import attach_record

DATA = (Path(__file__).parents[2] / "data" / "records" / "gnubg-7pt.mat").read_bytes()
GAMES = verify(DATA).games

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4, lengths=(7,))


@pytest.fixture
def match(event) -> Match:
    found = fixture_of(event, "M1-1").match
    enter_result(found, claim=claim(games=(replace(GAMES[0], winner=GAMES[0].winner.other),)), by=None, at=AT)
    return found


@pytest.fixture
def desk(event) -> Client:
    client = Client()
    client.force_login(event.tournament.appointments.first().user)
    return client


def attach(client, match, status=302, **given):
    file = SimpleUploadedFile("one.mat", DATA)
    answer = client.post(reverse("attach-record", args=[match.pk]), {"file": file, **given})
    assert answer.status_code == status
    return answer


def test_a_record_stands_beside_the_sheet_and_its_games_are_taken_as_a_correction(desk, match):
    assert "left column" in attach(desk, match, 400).content.decode()
    attach(desk, match, left="A")
    attach(desk, match, left="A")
    laid = lay_beside(Evidence.objects.get(), (replace(GAMES[0], winner=GAMES[0].winner.other),))
    assert (laid.results, laid.differs_at) == (GAMES, 1)
    page = desk.get(match.get_absolute_url(), {"record": laid.evidence.pk})
    assert page.content.decode().count('<strong class="badge differs">first difference') == 1
    assert [row["winner"].value() for row in page.context["sheet_form"].rows.forms[: len(GAMES)]] == [
        game.winner for game in GAMES
    ]
    assert current_sheet(match).number == 1


def test_no_game_is_marked_where_there_is_no_sheet_to_differ_from(event):
    match = fixture_of(event, "M1-1").match
    client = Client()
    client.force_login(event.tournament.appointments.first().user)
    attach(client, match, left="A")
    page = client.get(match.get_absolute_url()).content.decode()
    assert "first difference" not in page
    assert "Fill in the record" in page


def test_the_left_column_may_be_the_other_side(desk, match):
    attach(desk, match, left="B")
    assert [game.winner for game in lay_beside(Evidence.objects.get(), ()).results] == [
        game.winner.other for game in GAMES
    ]


def test_an_import_makes_no_second_match_of_an_attached_record(desk, match):
    attach(desk, match, left="A")
    imported = import_record(DATA + b"\n", name="again.mat", at=AT)
    assert (imported.record.verdict, imported.record.match) == (Verdict.QUARANTINED, None)
    finding = imported.record.finding
    assert (finding["code"], finding["params"]) == ("record_attached", {"number": match.pk})
    assert finding["message"] == f"The same record is attached to match {match.pk}, so it makes no match of its own."


def test_a_record_that_made_a_match_is_not_attached_to_another(desk, match):
    import_record(DATA, name="one.mat", at=AT)
    assert "match of its own" in attach(desk, match, 409, left="A").content.decode()
    assert not Evidence.objects.exists()


def test_an_accepted_record_is_attached_only_once_its_acceptance_is_taken_back(desk, match):
    chosen = (None, create_player(name="south", at=AT).pk)
    create_player(name="South", at=AT)
    record = import_record(DATA, name="one.mat", at=AT).record
    accept_record(record, known={}, reason="They say so.", players=chosen, by=None, at=AT)
    page = attach(desk, match, 409, left="A").content.decode()
    assert f"accepted as a match: it is record {record.pk}" in page
    assert not Evidence.objects.exists()
    take_back_acceptance(record, reason="It was an event.", by=None, at=AT)
    attach(desk, match, left="A")
    with pytest.raises(Conflict) as refused:
        accept_record(record, known={}, reason="They say so.", players=chosen, by=None, at=AT)
    assert refused.value.code == "record_attached"


def propose(client: Client, match: Match, side: str, data: bytes = DATA, **given: str) -> HttpResponse:
    token = token_of(getattr(match.fixture, f"entry_{side}"))
    file = SimpleUploadedFile("one.mat", data)
    return client.post(reverse("my-record", args=[token, match.pk]), {"file": file, **given})


def test_each_link_and_the_desk_have_places_of_their_own(desk, match, client):
    others = [DATA.replace(b"south :", b"south%d :" % number) for number in range(PLACES + 1)]
    sent = [propose(client, match, "a", other, left="A").status_code for other in others]
    assert sent == [302] * PLACES + [409]
    assert propose(client, match, "b", left="B").status_code == 302
    attach(desk, match, left="A")
    assert [Evidence.objects.filter(side=side).count() for side in ("A", "B", "")] == [PLACES, 1, 1]
    assert [one.exchanged for one in Evidence.objects.exclude(side="A")] == [True, False]


def test_the_same_record_in_other_bytes_takes_no_second_place(desk, match, client):
    for number in range(3):
        assert propose(client, match, "a", DATA + b"\n" * number, left="A").status_code == 302
    attach(desk, match, left="A")
    assert [(one.side, bytes(one.data)) for one in Evidence.objects.order_by("pk")] == [("A", DATA), ("", DATA)]


def test_a_record_sent_again_with_the_other_player_on_the_left_is_turned(desk, match):
    attach(desk, match, left="A")
    attach(desk, match, left="B")
    assert [one.exchanged for one in Evidence.objects.all()] == [True]


def test_a_record_of_another_length_is_refused(desk, match):
    file = SimpleUploadedFile("one.mat", DATA.replace(b"7 point match", b"9 point match"))
    page = desk.post(reverse("attach-record", args=[match.pk]), {"file": file, "left": "A"})
    assert page.status_code == 400
    assert "This record is of a match to 9, and this match is to 7." in page.content.decode()


def test_a_refused_record_says_where_it_breaks_the_rules(desk, match):
    file = SimpleUploadedFile("one.mat", DATA.replace(b"61: 8/7 13/7", b"61: 8/6 13/7", 1))
    page = desk.post(reverse("attach-record", args=[match.pk]), {"file": file, "left": "A"})
    assert page.status_code == 400
    assert "Game 1, row 2: " in page.content.decode()


def test_a_record_that_begins_with_a_later_game_stands_beside_the_games_that_it_tells(desk, match):
    head, _game, rest = DATA.partition(b" Game 2")
    late = SimpleUploadedFile("late.mat", head.partition(b" Game 1")[0] + b" Game 2" + rest)
    assert desk.post(reverse("attach-record", args=[match.pk]), {"file": late, "left": "A"}).status_code == 302
    evidence, wrong = Evidence.objects.get(), replace(GAMES[2], winner=GAMES[2].winner.other)
    laid = lay_beside(evidence, (GAMES[0], GAMES[1], wrong))
    assert [(game.number, game.record, game.first) for game in laid.games[:3]] == [
        (1, None, False),
        (2, GAMES[1], False),
        (3, GAMES[2], True),
    ]
    assert laid.results == GAMES
    nothing = lay_beside(evidence, ())
    assert (nothing.results, nothing.differs_at) == ((), None)


def test_a_record_is_replayed_before_the_event_is_locked(desk, match, client, monkeypatch):
    depths = []

    def replay_noted(*given: object, **more: object) -> Replay:
        depths.append(len(connection.savepoint_ids))
        return replay(*given, **more)

    monkeypatch.setattr("matches.attached.replay", replay_noted)
    propose(client, match, "a", left="A")
    proposed = [*depths]
    attach_record(match, DATA, name="one.mat", left=Side.A, by=None, at=AT)
    assert set(proposed) == set(depths) == {len(connection.savepoint_ids)}


def test_a_record_that_was_replayed_with_other_terms_is_not_attached(desk, match):
    shortened = partial(Match.objects.filter(pk=match.pk).update, length=5)
    answer = before_transaction(1, shortened, lambda: attach(desk, match, 409, left="A"))
    assert "The match has changed in the meantime." in answer.content.decode()
    assert not Evidence.objects.exists()


def test_a_player_says_who_is_in_the_left_column_where_the_names_do_not_tell(match, client):
    unclear = propose(client, match, "a")
    assert (unclear.status_code, Evidence.objects.count()) == (400, 0)
    assert "say who is in its left column" in unclear.content.decode()
    [form] = [form for form in forms_of(unclear) if form.action.endswith(f"/{match.pk}/record/")]
    [left] = [control for control in form.typed if control.name == "left"]
    assert left.options == [("", "as the names tell"), ("A", match.name_a), ("B", match.name_b)]
    assert propose(client, match, "a", left="B").status_code == 302
    assert Evidence.objects.get().exchanged


def test_a_player_proposes_a_record_over_the_api(match):
    api, address = CheckedClient(), f"links/{token_of(match.fixture.entry_b)}/matches/{match.pk}/records/"

    def send(query: str = "", data: bytes = DATA) -> tuple[int, dict]:
        answer = api.post(f"{address}{query}", data, content_type="application/octet-stream")
        return answer.status_code, answer.json()

    status, told = send()
    assert (status, told["code"]) == (400, "record_sides_unclear")
    status, told = send("?left=a", data=DATA.replace(b" 8/", b" 7/"))
    assert (status, told["code"]) == (400, "record_breaks_rule")
    status, told = send("?left=b&name=one.mat")
    proposed = Evidence.objects.get()
    assert (proposed.side, proposed.exchanged, bytes(proposed.data)) == ("B", True, DATA)
    assert (status, {key: told[key] for key in ("id", "name", "side", "left")}) == (
        201,
        {"id": proposed.pk, "name": "one.mat", "side": "b", "left": "b"},
    )
    assert send("?left=b&name=again.mat")[1] == told


def test_a_player_proposes_a_record_by_the_private_link(desk, match, client):
    entry = match.fixture.entry_b
    for player, name in ((match.fixture.entry_a.player, "gnubg"), (entry.player, "south")):
        player.name = player.folded_name = name
        player.save()
    token = link_of(entry).rstrip("/").rsplit("/", 1)[1]
    sent = client.post(reverse("my-record", args=[token, match.pk]), {"file": SimpleUploadedFile("one.mat", DATA)})
    assert sent.status_code == 302
    proposed = Evidence.objects.get()
    assert (proposed.side, proposed.by, proposed.exchanged) == (Side.B, None, False)
    assert "Proposed by south" in desk.get(match.get_absolute_url()).content.decode()
    assert "one.mat" not in Client().get(match.get_absolute_url()).content.decode()
