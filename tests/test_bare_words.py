"""No page has words that no translation reaches."""

import re
from html.parser import HTMLParser

from django.template.base import Lexer, TokenType

from tests.test_translations import templates

SPOKEN_ATTRIBUTES = {"aria-label", "title", "placeholder", "alt", "data-confirm"}


class SpokenText(HTMLParser):
    """The words of a page that people read or hear: its text, and attributes that are shown or read out."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.silent += tag in {"code", "script", "style"}
        for name, value in attributes:
            if name in SPOKEN_ATTRIBUTES or (name.startswith("data-") and name.endswith("-text")):
                self.words += re.findall(r"[A-Za-zÆØÅÄÖÜæøåäöüß]{2,}", value or "")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in {"code", "script", "style"}

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.words += re.findall(r"[A-Za-zÆØÅÄÖÜæøåäöüß]{2,}", data)


def bare_words(source: str) -> set[str]:
    """Return the words of a template outside its tags, which no translation reaches."""
    pieces: list[str] = []
    inside = ""
    for token in Lexer(source).tokenize():
        if token.token_type is TokenType.BLOCK:
            block = token.split_contents()
            if block[0] in {"blocktranslate", "comment"} or (block[0] == "block" and block[1].endswith("_attributes")):
                inside = block[0]
            elif block[0] == f"end{inside}":
                inside = ""
        elif token.token_type is TokenType.TEXT and not inside:
            pieces.append(token.contents)
    page = SpokenText()
    page.feed("".join(pieces))
    return set(page.words)


def test_bare_words_are_found() -> None:
    assert bare_words('<p title="Hej">{% translate "Next" %} <b>Side</b> {{ number }}</p>') == {"Hej", "Side"}


SAME_EVERYWHERE = {"Sixprime", "API", "CSV", "JSON", "XLSX", "TRF", "SHA", "Esc", "min", "quicknet"}
"""Names, a key and a unit that are the same in every language."""


def test_templates_hold_no_bare_words() -> None:
    # 500.html is shown when nothing works, perhaps not even translations.
    bare = {
        str(path): words for path, source in templates() if path.name != "500.html" and (words := bare_words(source))
    }
    assert {page: words for page, words in bare.items() if not words <= SAME_EVERYWHERE} == {}
