"""Official lists on pages: everybody reads what was published and why, officers make, take over and publish."""

import re
from datetime import date
from itertools import pairwise

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.lists.files import list_file
from players.errors import Refusal
from players.lists.models import OfficialList, Publication, StartValue
from players.lists.starts import choose_players, preview_starts, read_listed
from players.lists.values import Criteria
from players.models import Club, Membership, Player, RegistryRole, User
from players.registry.matching import Outcome
from players.services import fold_name
from tests.builders import AT, build_director, build_event, play_out
from tests.matches.lists.playing import build_list, build_people, play, publish_by
from tests.tournament.reporting.lists import build_officer, enrol
from tests.tournament.reporting.test_publishing import accept

pytestmark = pytest.mark.django_db
CUT = {"of": "2026-06-01", "matches_until": "2026-05-31", "members_on": "2026-06-01"}


@pytest.fixture
def people() -> list[Player]:
    return build_people("Ann Holm", "Bo Lund", "Cy Berg", "Di Dahl")


@pytest.fixture
def official_list() -> OfficialList:
    return build_list(criteria=Criteria(classes=(("Master", 1502), ("Open", 0))))


@pytest.fixture
def published(people, official_list) -> list[Publication]:
    """Two publications: in the second, a match of the time before the first counts too."""
    ann, bo, cy, di = people
    play(ann, bo, day=1)
    play(cy, di, day=2)
    first = publish_by(official_list, 10)
    play(bo, ann, day=12)
    play(di, bo, day=3)
    return [first, publish_by(official_list, 20)]


def officer_of(official_list: OfficialList) -> Client:
    client = Client()
    client.force_login(build_officer(official_list))
    return client


def text(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def rows(answer) -> list[str]:
    """The names in the table of a list, in order."""
    return re.findall(r'players/\d+/">([^<]+)</a>', answer.content.decode())


def test_everybody_reads_the_newest_publication_and_earlier_ones(client, published):
    newest = client.get(published[1].official_list.get_absolute_url())
    assert rows(newest) == list(published[1].lines.order_by("place").values_list("name", flat=True))
    assert "Number 2 of" in text(newest)
    earlier = client.get(published[0].get_absolute_url())
    assert "Number 1 of" in text(earlier)
    assert client.get(reverse("official-list", args=["none"])).status_code == 404


def test_lines_are_found_by_name_club_country_and_class(client, people, official_list):
    ann, bo, cy, _di = people
    Player.objects.filter(pk=ann.pk).update(club=Club.objects.create(name="Odense"))
    Player.objects.filter(pk=cy.pk).update(country="NO")
    play(ann, bo, day=1)
    play(cy, bo, day=2)
    publish_by(official_list, 10)
    page = official_list.get_absolute_url()
    found = {query: rows(client.get(f"{page}?{query}")) for query in ("q=lund", "club=Odense", "country=NO", "q=zz")}
    assert found == {"q=lund": ["Bo Lund"], "club=Odense": ["Ann Holm"], "country=NO": ["Cy Berg"], "q=zz": []}
    assert sorted(rows(client.get(f"{page}?class=Master"))) == ["Ann Holm", "Cy Berg"]


def test_a_list_page_takes_the_same_queries_for_a_longer_list(client, people, official_list):
    def queries() -> int:
        with CaptureQueriesContext(connection) as taken:
            client.get(official_list.get_absolute_url())
        return len(taken)

    play(people[0], people[1], day=1)
    publish_by(official_list, 5)
    publish_by(official_list, 6)
    few = queries()
    more = build_people(*(f"Player {number}" for number in range(12)))
    for number, (one, other) in enumerate(pairwise(more)):
        play(one, other, day=7 + number)
    publish_by(official_list, 30)
    assert queries() == few


def test_the_file_is_the_signed_one(client, published):
    answer = client.get(reverse("publication-file", args=["dbgf-list", 2]))
    assert b"".join(answer.streaming_content) == b"".join(list_file(published[1]))
    assert answer["Content-Disposition"] == 'attachment; filename="dbgf-list-2.json"'


def test_a_change_is_told_match_by_match_with_its_corrections(client, people, published):
    bo = people[1]
    told = text(client.get(reverse("list-moves", args=["dbgf-list", 2, bo.pk])))
    line = published[1].lines.get(player=bo)
    assert "Why the rating of Bo Lund moved" in told
    assert f"+{line.delta:.2f}" in told or f"−{abs(line.delta):.2f}" in told
    assert "Di Dahl beat Bo Lund to 7" in told
    assert "not counted" in told
    assert "The match was entered or accepted after the earlier publication." in told
    assert "won Ann Holm" in told
    corrections = text(client.get(reverse("list-corrections", args=["dbgf-list", 2])))
    assert "Di Dahl beat Bo Lund to 7" in corrections


def test_a_rating_without_matches_says_where_it_is_from(client, people, official_list):
    ann, bo, cy, di = people
    start = {"official_list": official_list, "as_of": date(2025, 12, 31), "source": "Old list", "experience": 20}
    for player in (ann, bo):
        StartValue.objects.create(player=player, value=1650, **start)
    publish_by(official_list, 5)
    play(cy, di, day=7)
    publish_by(official_list, 10)
    told = [text(client.get(reverse("list-moves", args=["dbgf-list", number, ann.pk]))) for number in (1, 2)]
    first = "No match of this player has been counted yet: the rating of 1650.00 is from Old list, 31 December 2025."
    assert (first in told[0], "since the publication before" in told[0]) == (True, False)
    assert "No match of this player has been counted since the publication before." in told[1]


def test_a_rating_of_an_event_says_the_event_and_the_score_of_each_match(client, official_list):
    event = build_event(build_director(), players=4, rated_for=(official_list.slug,))
    enrol(official_list, *Player.objects.all())
    play_out(event)
    accept(event, official_list)
    officer = Client()
    officer.force_login(RegistryRole.objects.get().user)
    page = reverse("publish-list", args=["dbgf-list"])
    officer.post(page, {**CUT, "digest": officer.get(page, CUT).context["draft"].made.sha256})
    line = Publication.objects.get().lines.order_by("place").last()
    told = text(client.get(reverse("list-moves", args=["dbgf-list", 1, line.person])))
    opponent = re.search(r"lost (Player \d) [0-4]–5 6 March 2026 · (.*?) · to 5", told)
    assert opponent, told
    assert opponent.group(2) == f"{event.tournament}, {event}"


def test_a_players_history_has_a_line_for_each_publication(client, people, published):
    answer = client.get(reverse("list-player", args=["dbgf-list", people[0].pk]))
    history = [line.publication.number for line in answer.context["lines"]]
    assert history == [2, 1]
    assert '<svg class="rating-line"' in answer.content.decode()


def test_only_officers_see_and_use_the_officers_pages(client, official_list):
    paths = [
        reverse(name, args=["dbgf-list"]) for name in ("edit-list", "list-starts", "publish-list", "rehearse-switch")
    ]
    paths.append(reverse("new-list", args=["DBGF"]))
    assert [client.get(path).status_code for path in paths] == [302] * 5
    client.force_login(User.objects.create_user("stranger"))
    assert [client.get(path).status_code for path in paths] == [403] * 5
    assert [client.post(path, CUT).status_code for path in paths] == [403] * 5
    officer = officer_of(official_list)
    assert [officer.get(path).status_code for path in paths] == [200] * 5


def test_a_list_is_made_with_the_numbers_of_its_system(official_list):
    officer, page = officer_of(official_list), reverse("new-list", args=["DBGF"]) + "?kind=elo"
    shown = officer.get(page).context["form"]
    typed = {name: shown[name].value() for name in shown.fields if shown[name].value() is not None}
    sent = {**typed, "name": "Club list", "p_k": "5", "classes": "Master 1650\nOpen 0", "experience": "100"}
    assert officer.post(page, {**sent, "p_k": "0"}).status_code == 400
    assert officer.post(page, {**sent, "classes": "Master"}).status_code == 400
    made = officer.post(page, sent)
    assert made.status_code == 302
    found = OfficialList.objects.get(slug="club-list")
    assert (found.kind, found.parameters["k"], found.criteria["experience"]) == ("elo", 5.0, 100)
    assert found.criteria["classes"] == [["Master", 1650], ["Open", 0]]
    again = officer.get(reverse("edit-list", args=["club-list"])).context["form"]
    typed = {name: again[name].value() for name in again.fields if again[name].value() is not None}
    assert officer.post(reverse("edit-list", args=["club-list"]), {**typed, "name": "Clubs"}).status_code == 302
    changed = OfficialList.objects.get(slug="club-list")
    assert (changed.name, changed.criteria, changed.parameters) == ("Clubs", found.criteria, found.parameters)


def test_start_values_are_shown_before_they_are_stored(people, official_list):
    ann, bo, _cy, _di = people
    Membership.objects.create(player=ann, federation=official_list.federation, number="7", starts=AT.date())
    officer, page = officer_of(official_list), reverse("list-starts", args=["dbgf-list"])
    data = "no;name;rating;experience\n7;;1650,5;320\n;Bo Lund;1490;80\n;Nobody;1500;1\n;Cy Berg;high;1\n"
    file = SimpleUploadedFile("list.csv", data.encode())
    preview = officer.post(page, {"source": "Old list", "as_of": "2025-12-31", "file": file})
    assert [str(row.fate) for row in preview.context["preview"].rows] == ["new", "new", "refused", "refused"]
    assert not StartValue.objects.exists()
    carried = {"carried": preview.context["carried"], "digest": preview.context["preview"].digest}
    assert officer.post(page, {**carried, "digest": "0" * 64}).status_code == 409
    assert not StartValue.objects.exists()
    assert officer.post(page, carried).status_code == 302
    assert list(StartValue.objects.order_by("player").values_list("player", "value", "experience")) == [
        (ann.pk, 1650.5, 320),
        (bo.pk, 1490, 80),
    ]
    assert officer.post(page, {"source": "Old list", "as_of": "soon"}).status_code == 400


def test_an_officer_chooses_who_an_ambiguous_row_means(people, official_list):
    ann, bo, cy, other = people
    Player.objects.filter(pk=other.pk).update(name="Ann Holm", folded_name=fold_name("Ann Holm"))
    officer, page = officer_of(official_list), reverse("list-starts", args=["dbgf-list"])
    data = "name;rating\nAnn Holm;1650\nBo Lund;1490\n"
    file = SimpleUploadedFile("list.csv", data.encode())
    preview = officer.post(page, {"source": "Old list", "as_of": "2025-12-31", "file": file})
    assert [str(row.fate) for row in preview.context["preview"].rows] == ["ambiguous", "new"]
    assert f'<option value="{other.pk}">Ann Holm' in preview.content.decode()
    kept = {"carried": preview.context["carried"], "digest": preview.context["preview"].digest}
    for choice, status, sentence in (
        ({"row-2": cy.pk}, 400, "Row 2 cannot mean the person who was chosen."),
        ({"row-2": bo.pk}, 400, "Row 2 cannot mean the person who was chosen."),
        ({"row-3": ann.pk}, 400, "Row 3 cannot mean the person who was chosen."),
    ):
        refused = officer.post(page, {**kept, **choice})
        assert (refused.status_code, sentence in text(refused)) == (status, True)
    start = {"official_list": official_list, "as_of": AT.date(), "source": "X"}
    late = StartValue.objects.create(player=other, value=1, **start)
    changed = officer.post(page, {**kept, "row-2": other.pk})
    assert (changed.status_code, StartValue.objects.count()) == (409, 1)
    assert f'<option value="{other.pk}" selected>Ann Holm' in changed.content.decode()
    late.delete()
    assert officer.post(page, {**kept, "row-2": other.pk}).status_code == 302
    assert dict(StartValue.objects.values_list("player", "value")) == {other.pk: 1650, bo.pk: 1490}


def test_two_rows_are_never_of_one_player(people, official_list):
    ann, _bo, _cy, other = people
    Player.objects.filter(pk=other.pk).update(name="Ann Holm", folded_name=fold_name("Ann Holm"))
    rows = read_listed(b"name;rating\nAnn Holm;1650\nAnn Holm;1700\n")
    preview = preview_starts(official_list, rows, as_of=AT.date(), source="Old")
    with pytest.raises(Refusal) as caught:
        choose_players(official_list, preview, {2: ann.pk, 3: ann.pk})
    assert caught.value.code == "choice_taken"
    both = choose_players(official_list, preview, {2: ann.pk, 3: other.pk})
    assert [(row.fate, row.player) for row in both.rows] == [(Outcome.NEW, ann.pk), (Outcome.NEW, other.pk)]


def test_what_was_shown_is_published_and_nothing_else(official_list):
    event = build_event(build_director(), players=4, rated_for=(official_list.slug,))
    enrol(official_list, *Player.objects.all())
    play_out(event)
    accept(event, official_list)
    officer, page = Client(), reverse("publish-list", args=["dbgf-list"])
    officer.force_login(RegistryRole.objects.get().user)
    preview = officer.get(page, CUT)
    assert preview.context["counts"] == {
        "new": 4,
        "changed": 0,
        "unchanged": 0,
        "gone": 0,
        "corrections": 0,
        "unlisted": 0,
    }
    digest = preview.context["draft"].made.sha256
    assert digest in preview.content.decode()
    hide_one = Player.objects.order_by("pk").first()
    Player.objects.filter(pk=hide_one.pk).update(name="Another Name", folded_name="another name")
    refused = officer.post(page, {**CUT, "digest": digest})
    assert refused.status_code == 409
    assert "Something has changed since this preview was made." in text(refused)
    assert not Publication.objects.exists()
    digest = refused.context["draft"].made.sha256
    done = officer.post(page, {**CUT, "digest": digest})
    published = Publication.objects.get()
    assert (done.status_code, done.url, published.sha256) == (302, published.get_absolute_url(), digest)
    assert officer.get(page, {**CUT, "matches_until": "2999-01-01"}).status_code == 400
    assert officer.get(page, {"of": "x"}).status_code == 400
