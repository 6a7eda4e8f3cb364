"""A page in another language has no sentence that it has in English: what stays the same is a name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client
from pytest_django import DjangoDbBlocker

from players.models import Club, Player, User
from tests.builders import build_director
from tests.tournament.pages.walk import Walk, build_walk
from tests.tournament.roles.test_permissions import undone
from tournament.models import AccessToken, Announcement, Break, Entry, Event, EventTemplate, SidePool, Tournament

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
WORD = re.compile(r"[^\W\d_]{3,}")
CODE = re.compile(r"[A-Z]{3}|[A-Z]\w+/[-\w/ ]+|https?://.*")
"""A currency, a time zone, or an address."""
SEEN = {"aria-label", "title", "placeholder", "alt", "data-label", "data-confirm"}
UNSEEN = {"script", "style", "code", "kbd", "cite", "pre", "svg"}
ALIKE = {
    *(
        "Sixprime",
        "API",
        "CSV",
        "XLSX",
        "JSON",
        "drand",
        "quicknet",
        "SHA",
        "GNU",
        "XGID",
        "OGID",
        "EUR",
        "Elo",
        "FIBS",
    ),
    *("Backgammon", "Gammon", "Crawford", "Jacoby", "Monrad", "Calcutta", "USBGF", "WBGF", "Kazaross", "Buchholz"),
    *("Dansk", "Svenska", "Norsk", "Deutsch", "English", "bokmål", "Sonneborn", "Berger", "Swiss", "Seen"),
}
"""Words that every language writes alike."""


class Seen(HTMLParser):
    """The texts of a page that a reader sees or hears, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.unseen = 0
        self.elsewhere = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in UNSEEN:
            self.unseen += 1
        if given.get("type") == "submit" and tag == "input":
            self._take(given.get("value"))
        for name in SEEN & given.keys():
            self._take(given[name])

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self._take(data)

    def _take(self, text: str | None) -> None:
        text = " ".join((text or "").split())
        if WORD.search(text) and not CODE.fullmatch(text):
            self.texts.append(text)


@dataclass
class Read:
    """The pages of a walk with their English texts, and the words that nobody translates."""

    walk: Walk
    english: list[set[str]]
    names: set[str]


@pytest.fixture(scope="module")
def read(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Read]:
    """Everything that is read in each language, read in English once."""
    with django_db_blocker.unblock(), undone():
        walk = build_walk(build_director())
        english = [texts_of(client, page, "en") for client, page in walk.pages]
        yield Read(walk, english, set(names()))


def texts_of(client: Client, page: str, language: str) -> set[str]:
    seen = Seen()
    seen.feed(client.get(page, headers={"accept-language": language}).content.decode())
    return set(seen.texts)


def names() -> Iterator[str]:
    """Words of what people named, which no language changes."""
    for model, fields in (
        (Player, ("name",)),
        (Club, ("name",)),
        (Tournament, ("name", "slug")),
        (Event, ("name", "slug")),
        (Entry, ("team",)),
        (User, ("username",)),
        (AccessToken, ("name",)),
        (EventTemplate, ("name",)),
        (Break, ("name",)),
        (Announcement, ("text",)),
        (SidePool, ("name",)),
    ):
        for row in getattr(model, "everything", model.objects).values_list(*fields):
            for text in row:
                yield from WORD.findall(text)


def words_of(language: str) -> set[str]:
    """Every word of the language that a page may have: those of the catalogue's translations."""
    with Path(settings.BASE_DIR, "locale", language, "LC_MESSAGES", "django.po").open("rb") as file:
        messages = [message for message in read_po(file, locale=language) if message.id]
    texts = [
        text for message in messages for text in ([message.string] if isinstance(message.id, str) else message.string)
    ]
    return {word.casefold() for text in texts for word in WORD.findall(text)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.django_db
def test_no_page_keeps_an_english_text(language: str, read: Read) -> None:
    """A text that both languages have is English if a word of it is neither a name nor in the other catalogue."""
    known = {word.casefold() for word in (*read.names, *ALIKE)} | words_of(language)
    kept: dict[str, str] = {}
    for (client, page), english in zip(read.walk.pages, read.english, strict=True):
        for text in english & texts_of(client, page, language):
            if any(word.casefold() not in known for word in WORD.findall(text)):
                kept.setdefault(text, page)
    assert kept == {}
