"""The picture of a shared address: 1200 x 630, with the winner or the match that has come farthest, drawn once."""

from io import BytesIO

import pytest
from django.urls import reverse
from PIL import Image

from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, open_matches, win
from tests.fresh import forget_everything
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.models import Entry
from tournament.pages.event import feeds
from tournament.pictures.share import HEIGHT, WIDTH, SharePicture, ShareSide, draw_share
from tournament.pictures.shared import share_of_event, share_of_tournament
from tournament.results.reports import report_result
from tournament.snapshot import take_snapshot


def shared(event) -> SharePicture:
    return share_of_event(take_snapshot(event.pk))


def size_of(png: bytes) -> tuple[int, int]:
    image = Image.open(BytesIO(png))
    assert image.format == "PNG"
    return image.size


@pytest.mark.parametrize("name", ["", "Bo", "Maximilian Oberhuber-Schmidt " * 20, "\u202e\ud7ff 王\n\t", "…" * 300])
def test_every_text_fits_the_picture(name):
    picture = SharePicture(name, name, (ShareSide(name, "25", True), ShareSide(name, "0")), name)
    assert size_of(draw_share(picture)) == (WIDTH, HEIGHT) == (1200, 630)


@pytest.mark.parametrize(("name", "drawn"), [("😀 Bo 🎲", "Bo"), ("王小明", "…"), ("Åse Østergård", "Åse Østergård")])
def test_a_name_is_drawn_without_the_characters_that_the_font_has_not(name, drawn):
    def picture(text: str) -> bytes:
        return draw_share(SharePicture("Friday Club", "Main", (ShareSide(text, "5"),)))

    assert picture(name) == picture(drawn)
    assert picture(name) != picture("")


def test_the_same_picture_is_the_same_bytes():
    picture = SharePicture("Friday Club", "Main", (ShareSide("Bo", "5", True), ShareSide("Eva", "3")), "Final")
    assert draw_share(picture) == draw_share(picture)


@pytest.mark.django_db
def test_it_tells_how_far_the_event_has_come(director):
    event = build_event(director, players=4)
    assert (shared(event).sides, shared(event).note) == ((), "4 players")
    one, other = open_matches(event)
    win(one, Side.A, loser_points=2)
    assert shared(event).sides == (ShareSide(str(one.side_a), "5", True), ShareSide(str(one.side_b), "2"))
    assert shared(event).note == "Semifinals, to 5 · 4 players"
    win(other, Side.A)
    final = fixture_of(event, "M2-1").match
    win(final, Side.B, loser_points=4)
    store_standings(event.pk)
    finish_event(event, by=director, at=AT)
    picture = shared(event)
    assert picture.sides == (ShareSide(str(final.side_a), "4"), ShareSide(str(final.side_b), "5", True))
    assert picture.note == "Final, to 5 · 4 players"


@pytest.mark.django_db
def test_a_match_in_dispute_is_not_on_it(director):
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    for side, final in ((Side.A, (5, 3)), (Side.B, (2, 5))):
        report_result(match, claim=claim(final=final), side=side, by=None, at=AT)
    assert shared(event).sides == ()


@pytest.mark.django_db
def test_a_tournament_has_its_days_place_and_events(director):
    event = build_event(director, players=0, drawn=False)
    tournament = event.tournament
    tournament.place = "Berlin"
    picture = share_of_tournament(tournament, [event] * 5)
    assert picture.title == "Friday Club"
    assert picture.eyebrow.endswith(" · Berlin")
    assert picture.note == "Main, Main, Main, Main …"


@pytest.mark.django_db
def test_a_picture_is_drawn_once_for_each_version_and_language(client, director, monkeypatch):
    drawn = []

    def draw(picture):
        drawn.append(picture)
        return draw_share(picture)

    monkeypatch.setattr(feeds, "draw_share", draw)
    event = build_event(director, players=4)
    page = reverse("event-picture", args=[event.tournament.slug, event.slug])
    first = client.get(page)
    assert (first["Content-Type"], size_of(first.content)) == ("image/png", (1200, 630))
    assert client.get(f"{page}?v=17").content == first.content
    assert client.get(page, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert len(drawn) == 1
    client.get(f"{page}?lang=de")
    client.get(f"{page}?lang=xx")
    assert [picture.note for picture in drawn] == ["4 players", "4 Spieler"]
    win(open_matches(event)[0], Side.A)
    client.get(page)
    assert len(drawn) == 3


@pytest.mark.django_db
def test_public_pages_name_their_picture_and_others_do_not(client, director):
    event = build_event(director, players=4)
    tournament = event.tournament
    own = [tournament.slug, event.slug]
    for page in (
        *(reverse(name, args=own) for name in ("event", "bracket", "standings", "story")),
        tournament.get_absolute_url(),
    ):
        text = client.get(page).content.decode()
        assert text.count('property="og:image"') == 1, page
        (address,) = (piece.split('"')[0] for piece in text.split('property="og:image" content="')[1:])
        assert address.startswith("http://testserver/t/")
        assert client.get(address.replace("&amp;", "&")).status_code == 200
    client.force_login(director)
    for page in (
        reverse("settings", args=own),
        reverse("desk", args=[tournament.slug]),
        reverse("event-log", args=own),
    ):
        assert "og:" not in client.get(page).content.decode(), page


@pytest.mark.django_db
@pytest.mark.parametrize(("terms", "note"), [({"doubles": True}, "4 pairs"), ({"boards": 3}, "4 teams")])
def test_pairs_and_teams_are_named_as_what_they_are(director, terms, note):
    event = build_event(director, players=0 if "doubles" in terms else 4, drawn=False, **terms)
    if "doubles" in terms:
        lines = [EntryLine(name=f"Anna {one} & Bo {one}", line=one) for one in range(1, 5)]
        add_entries(event, lines=lines, by=director, at=AT)
    assert shared(event).note == note


@pytest.mark.django_db
def test_a_player_who_entered_again_is_one_player(director):
    event = build_event(director, players=4, drawn=False)
    assert shared(event).note == "4 players"
    Entry.objects.create(event=event, player=event.entries.first().player, reentry=1, number=9)
    forget_everything()
    assert len(take_snapshot(event.pk).entries) == 5
    assert shared(event).note == "4 players"
