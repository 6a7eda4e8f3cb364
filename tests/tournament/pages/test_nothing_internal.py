"""No page shows what the program calls things: no codes, names of fields, stored values or ids of rows."""

import re
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, reverse

from rules.score import Side
from tests.breadth import some
from tests.builders import AT, build_director, build_event, build_money_terms, fixture_of, win
from tests.tournament.pages.test_returned_forms import walk  # noqa: F401 - the fixture
from tests.tournament.pages.walk import Walk
from tests.tournament.replay.scenes import SCENES
from tournament.corrections.undo import undo_step
from tournament.events.services import finish_event
from tournament.hall.tables import update_table
from tournament.models import Event
from tournament.models.team import matches_in
from tournament.money.closing import GIVEN
from tournament.money.services import set_money
from tournament.pages.urls import event_pages, tournament_pages
from tournament.prizes import PayoutPlan, PrizeTable, Share

pytestmark = pytest.mark.django_db

FIRST_ID = 7_340_000
MEANT = re.compile(r"https?://\S+|\bsixp_\S+|\bDeleted player \d+|/\S+/secret_key\b|\bBACKUP_DIR\b")
"""What is meant to be typed or read as it is: addresses, keys, the names of players without a name, files, settings."""
SILENT = {"script", "style", "template", "noscript"}
SHOWN = ("title", "placeholder", "aria-label", "alt")

INTERNAL = {
    "a name of the program": re.compile(r"\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b"),
    "a stored value": re.compile(r"\{['\"]|\['|&#x27;|\bNone\b|\bTrue\b|\bFalse\b|<[a-z]+\.[a-z.]+ object"),
    "the id of a row": re.compile(r"734\d{4}"),
}


class _Visible(HTMLParser):
    """What a reader sees or hears of a page: its texts, and the attributes that are shown or read out."""

    def __init__(self) -> None:
        super().__init__()
        self.silent = 0
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in SILENT
        self.texts += [value or "" for name, value in attrs if name in SHOWN]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.texts.append(data)


def visible(page: HttpResponse) -> str:
    reader = _Visible()
    reader.feed(page.content.decode())
    return " ".join(" ".join(reader.texts).split())


def internal_in(page: HttpResponse) -> list[str]:
    """Return everything internal that the page shows, each with the words around it."""
    text = MEANT.sub("", visible(page))
    return [
        f"{what}: …{text[max(0, found.start() - 40) : found.end() + 20]}…"
        for what, pattern in INTERNAL.items()
        for found in pattern.finditer(text)
    ]


@pytest.fixture
def large_ids(db) -> None:
    """Let every row have an id that no page can show for another reason."""
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, FIRST_ID])


def plain_pages(patterns: list, *args: str) -> list[str]:
    """Return the pages that need no more than these arguments."""
    named = [one for one in patterns if isinstance(one, URLPattern) and one.name and not one.pattern.converters]
    wanting = [one for one in named if not getattr(one.pattern.regex, "groupindex", {})]
    return [reverse(one.name, args=args) for one in wanting]


def busy_pages(walked: Walk) -> list[tuple[Client, str]]:
    """Return the pages of the walk, and all others of its events and tournaments."""
    director = walked.pages[0][0]
    pages = list(walked.pages)
    for event in Event.objects.select_related("tournament"):
        here = [event.tournament.slug, event.slug]
        pages += [(director, page) for page in plain_pages(event_pages, *here)]
        pages += [(director, page) for page in plain_pages(tournament_pages, event.tournament.slug)]
        people = {player.pk: player for entry in event.entries.all() for player in entry.people}
        pages += [(director, player.get_absolute_url()) for player in some(people.values(), 4)]
        pages += [(director, match.get_absolute_url()) for match in some(matches_in(event), 4)]
    return list(dict.fromkeys(pages))


def test_no_page_of_busy_events_shows_anything_internal(large_ids, walk):  # noqa: F811
    director = build_director("second")
    for scene in SCENES:
        scene(director)
    event = Event.objects.order_by("pk").first()
    set_money(event, build_money_terms(fee=6000, rake="percent", rake_value=500), by=None, at=AT, consent=GIVEN)
    win(fixture_of(event, "M1-8").match, Side.A)
    undo_step(event.log.first(), by=None, at=AT)
    update_table(event.tournament, number=2, event=event, streamed=True, out_of_order=True, by=None, at=AT)
    found, read = [], 0
    for client, page in busy_pages(walk):
        answer = client.get(page)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            read += 1
            found += [f"{page}: {one}" for one in internal_in(answer)]
    assert read > 200
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("kind", ["refused", "ended", "gone", "form"])
def test_an_error_page_says_why_in_words_and_keeps_its_code_for_scripts(kind):
    director = build_director()
    event = build_event(director, players=2)
    client = Client()
    client.force_login(build_director("nobody") if kind == "refused" else director)
    here = [event.tournament.slug, event.slug]
    if kind == "ended":
        win(fixture_of(event, "M1-1").match, Side.A)
        finish_event(event, by=director, at=AT)
    page = {
        "refused": lambda: client.get(reverse("settings", args=here)),
        "ended": lambda: client.post(reverse("check-in-all", args=here)),
        "gone": lambda: client.get(reverse("paper", args=here) + "?at=1"),
        "form": lambda: client.get(reverse("check-in-all", args=here)),
    }[kind]()
    code = {"refused": "role_missing", "ended": "event_finished", "gone": "moment_not_shown", "form": "only_by_form"}
    assert 400 <= page.status_code < 500
    assert f'data-code="{code[kind]}"' in page.content.decode()
    assert internal_in(page) == []


def test_the_log_words_a_change_of_fees_and_prizes_in_money():
    director = build_director()
    event = build_event(director, players=2, drawn=False)
    set_money(event, build_money_terms(), by=director, at=AT)
    plan = PayoutPlan(
        (Share("", 7000, PrizeTable("percent", values=(6000, 4000))), Share("C", 3000, PrizeTable())), 500
    )
    terms = build_money_terms(fee=7550, payouts=plan, rake="percent", rake_value=1000)
    set_money(event, terms, by=director, at=AT)
    client = Client()
    client.force_login(director)
    text = visible(client.get(reverse("event-log", args=[event.tournament.slug, event.slug])))
    assert "Entry fee: 50.00 EUR → 75.50 EUR" in text
    assert "{" not in text


def test_the_history_names_the_step_that_was_taken_back_by_its_words_and_time():
    director = build_director()
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A)
    row = event.log.first()
    undo_step(row, by=director, at=AT)
    page = Client().get(reverse("history", args=[event.tournament.slug, event.slug]))
    assert f'href="#step-{row.pk}"' in page.content.decode()
    assert f'id="step-{row.pk}"' in page.content.decode()
    assert re.search(r"takes back: Result entered \d\d:\d\d", visible(page))
