"""Every question mark opens a sentence, in the reader's language, that the page does not say a second time."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import reverse

from matches.ratings import rate_matches
from players.models import User
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of, open_matches, win
from tests.test_translations import LANGUAGES
from tournament.formats import FORMATS
from tournament.hall.tables import add_tables
from tournament.models import Event
from tournament.pages.event.occasion_forms import NewEventForm
from tournament.pages.hall.forms import SiteForm
from tournament.pages.money.forms import MoneyForm, SidePoolForm
from tournament.results.reports import dispute_result, report_result

INCLUDED = re.compile(r'{% include "_help\.html"[^%]*%}')
WITHOUT_END = {"input", "br", "img", "link", "meta", "hr", "wbr", "path", "rect", "circle", "line", "use", "polyline"}


@dataclass
class Mark:
    """A question mark: its id, what it is called, what it says, and the part of the page that shows it at one time."""

    id: str
    place: tuple[int, ...]
    label: str = ""
    text: str = ""


@dataclass
class _Page(HTMLParser):
    """Reads the marks of a page, all its ids, and the text outside the marks."""

    marks: list[Mark] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    text: str = ""
    open: list[tuple[str, bool]] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    mark: Mark | None = None
    count: int = 0

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids.append(found["id"])
        if tag in WITHOUT_END:
            return
        classes = found.get("class", "").split()
        is_mark = tag == "details" and "help-mark" in classes
        if is_mark:
            self.mark = Mark(found.get("id", ""), tuple(self.places))
            self.marks.append(self.mark)
        elif self.mark and tag == "summary":
            self.mark.label = found.get("aria-label", "")
        # Only one format's options are shown at a time, and a form may be folded away.
        is_place = not is_mark and (tag in {"form", "details"} or "own" in classes)
        self.open.append((tag, is_place))
        if is_place:
            self.count += 1
            self.places.append(self.count)

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            opened, is_place = self.open.pop()
            if is_place:
                self.places.pop()
            if opened == tag:
                break
        if tag == "details" and self.mark:
            self.mark = None

    def handle_data(self, data: str) -> None:
        if self.mark is None:
            self.text += data
        elif data.strip() != "?":
            self.mark.text = " ".join(f"{self.mark.text} {data}".split())


def read(client: Client, address: str, language: str = "en") -> _Page:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200, address
    page = _Page()
    page.feed(answer.content.decode())
    page.text = " ".join(page.text.split())
    return page


@pytest.fixture
def scene(client: Client) -> dict[str, str]:
    """A tournament with all that question marks explain, and the addresses of its pages."""
    director = build_director()
    client.force_login(director)
    tournament = build_tournament(director)
    add_tables(tournament, first=1, last=2, by=director, at=AT)
    team_event = build_event(director, players=4, boards=3, name="Teams", tournament=tournament)
    swiss = build_event(director, format="swiss", name="Swiss", tournament=tournament)
    to_come = build_event(director, drawn=False, format="consolation", name="Main", tournament=tournament)
    event = build_event(director, name="Knockout", tournament=tournament)
    return _addresses(director, tournament_event=event, to_come=to_come, swiss=swiss, teams=team_event)


def _addresses(
    director: User, *, tournament_event: Event, to_come: Event, swiss: Event, teams: Event
) -> dict[str, str]:
    event, slug = tournament_event, tournament_event.tournament.slug
    disputed, reported = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    for fixture in (disputed, reported):
        report_result(fixture.match, claim=claim(final=(5, 3)), side=Side.A, by=None, at=AT)
    sheet = disputed.match.sheets.get()
    dispute_result(disputed.match, number=sheet.number, side=Side.B, reason="It was 5-4.", by=None, at=AT)
    win(fixture_of(event, "M1-3").match, Side.A)
    rate_matches("fibs", at=AT)
    own = [event.tournament.slug, event.slug]
    return {
        "new tournament": reverse("new-tournament"),
        "new event": reverse("new-event", args=[slug]),
        "tournament settings": reverse("tournament-settings", args=[slug]),
        "settings": reverse("settings", args=[slug, to_come.slug]),
        "settings after the draw": reverse("settings", args=own),
        "entries": reverse("entries", args=[slug, to_come.slug]),
        "entry": reverse("entry", args=[slug, to_come.slug, to_come.entries.first().pk]),
        "tables": reverse("tables", args=[slug]),
        "day": reverse("day", args=[slug]),
        "desk": reverse("desk", args=[slug]),
        "roles": reverse("roles", args=[slug]),
        "terms": reverse("money-terms", args=own),
        "sides": reverse("side-pools", args=own),
        "calcutta": reverse("calcutta", args=own),
        "standings": reverse("standings", args=[slug, swiss.slug]),
        "disputed match": reverse("match", args=[disputed.match.pk]),
        "reported match": reverse("match", args=[reported.match.pk]),
        "team match": reverse("match", args=[open_matches(teams)[0].pk]),
        "ranking": reverse("ranking", args=["fibs"]),
        "advice": reverse("advice"),
    }


MARKED = {
    *("new tournament", "new event", "tournament settings", "settings", "settings after the draw", "entries", "entry"),
    *("tables", "day", "desk", "roles", "terms", "sides", "calcutta", "disputed match", "reported match"),
    *("team match", "ranking", "advice"),
}
"""The pages on which a reader may wonder; standings have their own legend."""


@pytest.mark.django_db
def test_every_mark_has_a_name_and_a_sentence_that_its_part_of_the_page_says_once(client, scene):
    pages = {name: read(client, address) for name, address in scene.items()}
    assert {name for name, page in pages.items() if page.marks} == MARKED
    for name, page in pages.items():
        for mark in page.marks:
            assert mark.text.endswith("."), (name, mark)
            assert mark.label.startswith("Help: "), (name, mark)
            assert mark.label != "Help: ", (name, mark)
            assert mark.text not in page.text, (name, mark)
            assert page.ids.count(mark.id) == 1, (name, mark)
            assert page.ids.count(f"{mark.id}text") == 1, (name, mark)
        said = [(mark.place, mark.label, mark.text) for mark in page.marks]
        assert sorted(said) == sorted(set(said)), name


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mark_speaks_the_language_of_the_reader(client, scene, language):
    for name, address in scene.items():
        english = {mark.id: mark for mark in read(client, address).marks}
        spoken = {mark.id: mark for mark in read(client, address, language).marks}
        assert spoken.keys() == english.keys()
        assert [
            (name, mark)
            for id, mark in spoken.items()
            if mark.text == english[id].text or mark.label.startswith("Help")
        ] == []


def test_every_option_of_a_format_with_a_sentence_has_a_mark_in_the_form():
    form = NewEventForm()
    for slug, format in FORMATS.items():
        for option in format.fields:
            assert form[f"{slug}-{option.name}"].help_text == option.help


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (
            NewEventForm,
            [
                *("lengths", "seeding", "profile", "crawford", "doubles", "boards", "clock_minutes", "clock_delay"),
                *("phones", "confirm_minutes", "shows_chances"),
            ],
        ),
        (MoneyForm, ["reentry_fee", "registration_fee", "added", "rake", "auction_rake", "step", "rounding"]),
        (SidePoolForm, ["values"]),
        (SiteForm, ["address"]),
    ],
)
def test_fields_about_which_a_director_wonders_have_a_sentence(form, names):
    assert [name for name in names if not str(form()[name].help_text)] == []


def test_the_template_of_the_mark_is_told_all_that_it_needs():
    """Label and text are set by the tag before, or given with the include."""
    sources = {path: path.read_text(encoding="utf-8") for path in Path(site.BASE_DIR, "templates").rglob("*.html")}
    found = [(path, tag) for path, text in sources.items() for tag in INCLUDED.findall(text)]
    assert len(found) > 10
    assert [(path.name, tag) for path, tag in found if " id=" not in tag] == []
