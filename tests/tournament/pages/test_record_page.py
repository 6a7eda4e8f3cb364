"""The page of a match record: every move on a board, and the place where the record breaks a rule."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.accept_records import accept_record
from matches.import_records import import_record
from matches.models import Record, Verdict
from players.models import Player, User
from players.registry.people import show_as
from rules.position import START
from rules.records.formats import loads
from rules.records.playback import play_through
from rules.score import Side
from tests.builders import AT, build_director, build_event, fixture_of
from tests.tournament.api.client import CheckedClient
from tournament.referee.playback import show_place
from tournament.results.evidence import attach_record

RECORDS = Path(__file__).parents[2] / "data" / "records"
PROVED, ILLEGAL = RECORDS / "gnubg-7pt.mat", RECORDS / "gnubg-3pt-illegal.sgf"
BROKEN = PROVED.read_text().replace("6/2 8/2 ", "24/1    ", 1).encode()
HTMX = {"HX-Request": "true"}

pytestmark = pytest.mark.django_db


def bring(data, name="one.mat"):
    return import_record(data if isinstance(data, bytes) else data.read_bytes(), name=name, at=AT).record


@pytest.fixture
def proved():
    return bring(PROVED)


@pytest.fixture
def director(client):
    client.force_login(User.objects.create_user("td"))
    return client


def show(client, record, status=200, headers=None, **question):
    response = client.get(record.get_absolute_url(), question, headers=headers)
    assert response.status_code == status
    return response


def test_page_begins_at_the_start_of_the_first_game(client, proved):
    place = show(client, proved).context["place"]
    assert (place.game.number, place.move, place.previous) == (1, 0, "")
    assert (place.board.position, place.board.before, place.board.dice) == (START, None, None)


def test_steps_lead_through_every_move_of_every_game_and_back():
    record = loads(PROVED.read_bytes())
    playback = play_through(record)
    places = [(game.number, move) for game in playback.games for move in range(len(game.moments) + 1)]
    shown = [show_place(playback, record.names, *place) for place in places]
    queries = [f"game={game}&move={move}" for game, move in places]
    assert [place.following for place in shown] == [*queries[1:], ""]
    assert [place.previous for place in shown] == ["", *queries[:-1]]
    assert all(
        sum(cell.shown for _row, cells in place.rows for cell in cells if cell) == 1 for place in shown if place.move
    )


def test_board_stays_with_side_a_below_and_marks_the_play_of_either_side(client, proved):
    moments = play_through(loads(PROVED.read_bytes())).games[0].moments
    for move, moment in enumerate(moments[:4], start=1):
        board = show(client, proved, game=1, move=move).context["place"].board
        assert board.mover == ("mine" if moment.side is Side.A else "theirs")
        seen = moment.after.position if moment.after.on_roll is Side.A else moment.after.position.swapped()
        assert (board.position, board.dice) == (seen, moment.action.dice)
        assert board.before != board.position


def test_sentence_and_list_describe_rolls_plays_and_cube_actions(client, proved):
    page = show(client, proved, game=1, move=1)
    assert page.context["place"].sentence == "south rolls 21: 13/11 24/23"
    cells = [cell for _row, cells in page.context["place"].rows for cell in cells if cell]
    assert ("21", "13/11 24/23") in [(cell.roll, cell.text) for cell in cells]
    assert {"Doubles to 2", "Takes"} <= {cell.text for cell in cells}
    doubled = next(number for number, cell in enumerate(cells, start=1) if cell.text == "Doubles to 2")
    assert show(client, proved, game=1, move=doubled).context["place"].sentence == "south: Doubles to 2"
    assert show(client, proved, game=1, move=doubled + 1).context["place"].board.cube[0] == 2
    assert cells[-1].text == "Wins 2 points"


@pytest.mark.parametrize("path", sorted(RECORDS.rglob("*.*")), ids=lambda path: path.name)
def test_every_place_of_every_record_can_be_shown(path):
    record = loads(path.read_bytes())
    playback = play_through(record)
    for game in playback.games:
        for move in range(len(game.moments) + 1):
            place = show_place(playback, record.names, game.number, move)
            assert place.sentence
            assert place.xgid.startswith("XGID=")


def test_play_can_be_taken_to_the_rules_page_which_gives_the_same_verdict(client, proved, director):
    place = show(client, proved, game=1, move=1).context["place"]
    page = client.get(f"{reverse('rules')}?{place.asked}")
    assert page.context["verdict"].fault is None
    broken = show(client, bring(BROKEN)).context["place"]
    page = client.get(f"{reverse('rules')}?{broken.asked}")
    assert page.context["verdict"].fault.code == "not_rolled"


def test_refused_record_begins_at_the_play_that_breaks_a_rule(director):
    record = bring(BROKEN)
    page = show(director, record)
    place = page.context["place"]
    assert record.verdict == Verdict.REFUSED
    assert place.moment.doubted
    assert (place.moment.after, place.following) == (None, "")
    assert (place.game.number, place.moment.row) == (record.finding["game"], record.finding["row"])
    assert "24/1" in page.content.decode()
    assert place.board.before is not None


def test_illegal_play_of_side_b_is_shown_as_it_was_made_on_the_board_of_side_a(director):
    broken = PROVED.read_text().replace("13/7 11/7 ", "13/5      ", 1).encode()
    place = show(director, bring(broken)).context["place"]
    assert (place.moment.side, place.moment.after, place.board.mover) == (Side.B, None, "theirs")
    assert place.board.before == place.moment.before.position.swapped()
    assert place.board.position == place.moment.before.position.moved(13, 5).swapped()


def test_quarantined_record_begins_at_the_line_in_doubt_and_goes_on_after_it(director):
    page = show(director, bring(ILLEGAL))
    assert "was illegal, and the record says that it was accepted" in page.content.decode()
    assert page.context["place"].sentence.endswith("plays illegally; the play is accepted.")
    assert page.context["place"].following != ""


def test_record_that_cannot_be_read_says_why_and_shows_no_board(director):
    page = show(director, bring(b"hello"))
    assert "Line 1 is “hello”. A match record in text has" in page.content.decode()
    assert b'<svg class="board"' not in page.content


def test_record_without_a_match_is_for_those_who_have_signed_in(client):
    page = show(client, bring(BROKEN), 302)
    assert page.url.startswith(reverse("login"))


def test_everybody_sees_the_records_of_matches_and_only_the_signed_in_the_others(client, proved, director):
    broken = bring(BROKEN)
    public = Client().get(reverse("records")).content.decode()
    assert proved.get_absolute_url() in public
    assert broken.get_absolute_url() not in public
    assert broken.get_absolute_url() in director.get(reverse("records")).content.decode()


def test_match_page_leads_to_its_record(client, proved):
    assert proved.get_absolute_url() in client.get(proved.match.get_absolute_url()).content.decode()


def test_htmx_gets_the_playback_alone_and_a_restored_page_the_whole(client, proved):
    alone = show(client, proved, headers=HTMX, game=2, move=3)
    assert b"<html" not in alone.content
    assert alone.content.count(b'id="playback"') == 1
    assert b"<title>" in alone.content
    whole = show(client, proved, headers=HTMX | {"HX-History-Restore-Request": "true"}, game=2, move=3)
    assert b"<html" in whole.content
    assert {part.strip() for part in whole["Vary"].split(",")} == {
        "Cookie",
        "Accept-Language",
        "Accept-Encoding",
        "HX-Request",
    }


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_unchanged_page_is_not_sent_twice(client, proved, headers):
    first = show(client, proved, headers=headers, game=1, move=5)
    again = show(client, proved, 304, headers=headers | {"If-None-Match": first["ETag"]}, game=1, move=5)
    assert again.content == b""
    other = show(client, proved, headers=headers | {"If-None-Match": first["ETag"]}, game=1, move=6)
    assert other["ETag"] != first["ETag"]
    assert "private" in first["Cache-Control"]


@pytest.mark.parametrize(
    "question", [{"game": "9"}, {"move": "999"}, {"game": "x"}, {"move": "-1"}, {"move": "٣"}, {"game": "1" * 50}]
)
def test_place_that_does_not_exist_is_not_found(client, proved, question):
    show(client, proved, 404, **question)


@settings(max_examples=40)
@given(question=st.dictionaries(st.sampled_from(["game", "move"]), st.text(max_size=6) | st.integers().map(str)))
def test_any_place_is_shown_or_not_found(client, proved, question):
    assert client.get(proved.get_absolute_url(), question).status_code in {200, 404}


def test_record_takes_the_same_queries_whatever_its_length(client, proved, django_assert_num_queries):
    with django_assert_num_queries(1):
        show(client, proved, game=6, move=50)


def test_list_shows_every_record_with_its_finding_however_many_in_the_same_queries(director, django_assert_num_queries):
    def listed():
        return director.get(reverse("records")).content.decode()

    bring(PROVED)
    with django_assert_num_queries(5):
        listed()
    bring(BROKEN, "broken.mat")
    bring(b"hello", "hello.mat")
    with django_assert_num_queries(5):
        page = listed()
    assert all(record.get_absolute_url() in page for record in Record.objects.all())
    assert "broken.mat" in page
    assert "Line 1 is “hello”. A match record in text has" in page


def test_a_record_is_judged_with_what_the_reader_knows_and_nothing_is_stored(director):
    record = bring((PROVED.parent / "gnubg-3pt.mat").read_bytes().replace(b"south : 0", b"south : 1"))
    assert record.verdict == "refused"
    page = director.get(record.get_absolute_url(), {"start": "0-1", "left": "Ann", "right": "Bo"}).content.decode()
    assert "With what you know:" in page
    assert "proved, 3–1" in page
    assert "it was Ann and Bo who played" in page
    assert "such as 1-0" in director.get(record.get_absolute_url(), {"start": "x"}).content.decode()
    record.refresh_from_db()
    assert record.verdict == "refused"


MIDDLE = b"""\
3 point match

 Game 3
 Ann : 2                        Bo : 0
  1) 31: 8/5 6/5                 63: 24/21 21/15
  2)                             Losses 1 point
      Wins 1 point and the match
"""


def test_officer_accepts_a_record_with_a_reason_which_everybody_reads_and_takes_it_back(client, director):
    record, officer = bring(MIDDLE), Client()
    officer.force_login(User.objects.create_superuser("ragna"))
    accept, back = (reverse(name, args=[record.pk]) for name in ("accept-record", "take-back-record"))
    assert director.post(accept, {"reason": "Because."}).status_code == 403
    assert "accept_form" not in show(director, record).context
    judged = show(officer, record, start="2-0", left="Ann", right="Bob")
    known = {key: judged.context["accept_form"][key].value() for key in ("start", "left", "right")}
    assert known == {"start": "2-0", "left": "Ann", "right": "Bob"}
    assert officer.post(accept, {**known, "reason": ""}).status_code == 400
    assert officer.post(accept, {"start": "2-1", "reason": "Because."}).status_code == 400
    assert officer.post(accept, {**known, "reason": "The director was there."}).status_code == 302
    page = show(Client(), record).content.decode()
    assert page.count("accepted, not proved") == 1
    assert "The director was there." in page
    assert "ragna" not in page
    assert "ragna" in show(officer, record).content.decode()
    match = record.acceptances.get().match
    page = Client().get(match.get_absolute_url()).content.decode()
    assert "No board proves this match. It is not rated." in page
    assert officer.post(back, {"reason": "It was another Bob."}).status_code == 302
    assert "It was another Bob." in show(officer, record).content.decode()
    assert officer.post(back, {"reason": "Twice."}).status_code == 409
    assert show(Client(), record, 302).url.startswith(reverse("login"))


def test_the_notes_of_a_judgment_stand_below_it(director):
    record = bring((PROVED.parent / "gnubg-3pt.mat").read_bytes().replace(b"south : 0", b"south : 1"))
    judged = show(director, record, start="0-1", left="Ann", right="Bo")
    page = judged.content.decode()
    notes = [str(note["message"]) for note in judged.context["told"]["notes"]]
    assert any("it was Ann and Bo who played" in note for note in notes)
    assert page.index("With what you know:") < page.index("it was Ann and Bo who played")
    assert not judged.context["notes"]
    assert "told" not in show(director, record).context


def test_a_start_that_cannot_be_leaves_the_names_of_the_record(director):
    page = show(director, bring(MIDDLE), start="9-9").content.decode()
    assert "<h1>Ann – Bo</h1>" in page
    assert ">Ann</option>" in page
    assert ">Bo</option>" in page


NAMELESS = MIDDLE.replace(b"Ann : 2 ", b" : 2     ")
OTHER_NAMELESS = MIDDLE.replace(b"Bo : 0", b" : 0")


@pytest.mark.parametrize(
    ("text", "missing", "heading"), [(NAMELESS, "left", "? – Bo"), (OTHER_NAMELESS, "right", "Ann – ?")]
)
def test_the_name_that_a_record_has_need_not_be_said_again(text, missing, heading):
    record, officer = bring(text), Client()
    officer.force_login(User.objects.create_superuser("officer"))
    page = show(officer, record)
    name, other = ("Bo", "right") if missing == "left" else ("Ann", "left")
    assert f"<h1>{heading}</h1>" in page.content.decode()
    assert (page.context["asked"][missing], page.context["asked"][other]) == ("", name)
    alone = show(officer, record, start="2-0", **{other: name})
    assert not alone.context["unclear"]
    both = show(officer, record, start="2-0", **{missing: "Zoe"})
    said = {key: both.context["accept_form"][key].value() for key in ("start", "left", "right")}
    assert said == {"start": "2-0", missing: "Zoe", other: name}
    accept = reverse("accept-record", args=[record.pk])
    assert officer.post(accept, {**said, "reason": "The director was there."}).status_code == 302
    assert f"<h1>{said['left']} – {said['right']}</h1>" in show(Client(), record).content.decode()


def test_an_acceptance_that_was_taken_back_is_told_as_that_first():
    record, officer = bring(MIDDLE), Client()
    officer.force_login(User.objects.create_superuser("officer"))
    accept, back = (reverse(name, args=[record.pk]) for name in ("accept-record", "take-back-record"))
    for _each in range(2):
        assert officer.post(accept, {"start": "2-0", "reason": "I saw it."}).status_code == 302
        assert officer.post(back, {"reason": "It was another."}).status_code == 302
    page = show(officer, record).content.decode()
    assert "accepted, not proved" not in page
    assert page.index("taken back</span>") < page.index("Accepted before that:")
    assert officer.post(accept, {"start": "2-0", "reason": "I saw it."}).status_code == 302
    page = show(officer, record).content.decode()
    assert page.index("accepted, not proved") < page.index("taken back</span>")


def test_a_record_is_accepted_and_taken_back_over_the_api(director):
    record, officer = bring(MIDDLE), CheckedClient()
    officer.force_login(User.objects.create_superuser("officer"))
    address = f"/api/v1/records/{record.pk}/"
    shown = officer.get(address).json()
    assert (shown["verdict"], shown["finding"]["code"], shown["match"]) == ("quarantined", "start_unproved", None)
    refused = officer.post(f"{address}acceptance/", {"reason": "Because.", "start": "2-1"})
    assert (refused.status_code, refused.json()["code"]) == (400, "record_breaks_rule")
    done = officer.post(f"{address}acceptance/", {"reason": "Because.", "start": "2-0"}).json()["acceptance"]
    assert {key: done[key] for key in ("known", "reason", "by")} == {
        "known": {"start": "2-0"},
        "reason": "Because.",
        "by": "officer",
    }
    match = officer.get(f"/api/v1/matches/{done['match']}/").json()
    assert (match["accepted_for"], match["record"]) == ("Because.", None)
    assert officer.post(f"{address}acceptance/back/", {"reason": "No."}).json()["acceptance"] is None
    assert officer.get(f"/api/v1/matches/{done['match']}/").json()["accepted_for"] is None
    refused = officer.post(f"{address}acceptance/back/", {"reason": "No."})
    assert (refused.status_code, refused.json()["code"]) == (409, "record_not_accepted")
    refused = officer.post(f"{address}acceptance/", {"reason": "Because.", "final": [2, 3]})
    assert (refused.status_code, refused.json()["code"]) == (400, "final_not_of_record")


def test_a_hidden_player_of_a_record_is_not_named_but_to_officers(client, proved):
    left, right = proved.match.side_a, proved.match.side_b
    show_as(left, "hidden", by=None, at=AT)
    for place in ({}, {"game": 2, "move": 3}):
        source = show(client, proved, **place).content.decode()
        assert f"Player #{left.pk}" in source
        assert right.name in source
        assert "gnubg" not in source


@pytest.fixture
def officer(db):
    client = Client()
    client.force_login(User.objects.create_superuser("ragna"))
    return client


def test_what_was_known_of_an_accepted_record_tells_its_names_to_officers_alone(client, officer):
    record = bring(MIDDLE)
    known = {"start": "2-0", "left": "Ada Byl", "right": "Bob"}
    accept_record(record, known=known, reason="They say so.", by=None, at=AT)
    show_as(Player.objects.get(name="Ada Byl"), "hidden", by=None, at=AT)
    told = {who: CheckedClient() for who in ("public", "officer")}
    told["officer"].force_login(User.objects.get())
    answers = [one.get(f"/api/v1/records/{record.pk}/").json()["acceptance"]["known"] for one in told.values()]
    assert answers == [{"start": "2-0"}, known]
    assert "Ada Byl" not in show(client, record).content.decode()


def test_the_board_goes_on_after_an_acceptance_that_was_refused(officer):
    record = bring(MIDDLE)
    page = officer.post(reverse("accept-record", args=[record.pk]), {"start": "2-0", "reason": ""})
    assert page.status_code == 400
    source = page.content.decode()
    assert f'href="{record.get_absolute_url()}?game=' in source
    assert 'href="?game' not in source


def test_an_attached_record_leads_to_its_match_and_is_not_offered_for_acceptance(officer):
    event = build_event(build_director(), players=4, lengths=(7,))
    match = fixture_of(event, "M1-1").match
    attach_record(match, PROVED.read_bytes(), name="one.mat", left=Side.A, by=None, at=AT)
    page = show(officer, bring(PROVED))
    assert f'href="{match.get_absolute_url()}"' in page.content.decode()
    assert "accept_form" not in page.context
