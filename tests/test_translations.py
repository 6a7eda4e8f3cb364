"""The catalogues translate every marked text, completely and soundly; and every text that should be marked is."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings as site
from django.test import Client
from django.utils import translation
from django.utils.translation.template import templatize

from rules.final_score import check_final
from rules.profiles import PROFILES
from rules.score import Ending, Level, Side
from rules.sheet import GameResult, Terms, check_sheet
from tests.builders import build_director, build_event
from tests.pages import text_of
from tournament.formats import FORMATS, parse_options
from tournament.formats.options import Seeding
from tournament.formats.plan import Draw, Entrant, Outcome, Plan
from tournament.ranking.tiebreaks import TIEBREAKS

LANGUAGES = ("da", "sv", "nb", "de")
OWN_NAMES = ("English", "Dansk", "Svenska", "Norsk (bokmål)", "Deutsch")
PACKAGES = ("config", "tournament", "matches", "players", "rules")
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w*\}|</?\w+>")
MARKED = re.compile(r"""\b(n?gettext)\(((?:\s*u?(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"),?)+)""")

Texts = dict[str, str | None]  # text -> its plural, or None where it has none


def singular(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def plural(message: Message) -> str | None:
    return None if isinstance(message.id, str) else message.id[1]


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


@cache
def read_catalogue(language: str) -> Catalog:
    path = Path(site.BASE_DIR, "locale", language, "LC_MESSAGES", "django.po")
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def messages(language: str) -> list[Message]:
    return [message for message in read_catalogue(language) if message.id]


def python_sources() -> Iterator[tuple[Path, ast.Module]]:
    for package in PACKAGES:
        for path in sorted(Path(site.BASE_DIR, package).rglob("*.py")):
            yield path.relative_to(site.BASE_DIR), ast.parse(path.read_text(encoding="utf-8"))


def templates(*endings: str) -> Iterator[tuple[Path, str]]:
    """Every template of a page; with endings such as ".txt" those of mails too."""
    for path in sorted(Path(site.BASE_DIR, "templates").rglob("*")):
        if path.suffix in {".html", *endings}:
            yield path.relative_to(site.BASE_DIR), path.read_text(encoding="utf-8")


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def texts_of(arguments: list[ast.expr]) -> list[str]:
    return [node.value for node in arguments if isinstance(node, ast.Constant) and isinstance(node.value, str)]


@cache
def marked_texts() -> Texts:
    """Return all texts that the sources mark, found without the gettext programs."""
    found: list[list[str]] = []
    for _path, tree in python_sources():
        found += [texts_of(call.args) for call in calls(tree) if name_of(call) in MARKS]
        found += [texts_of(call.args[1:]) for call in calls(tree) if name_of(call).startswith("pgettext")]
    for _path, source in templates(".txt"):
        found += [
            list(ast.literal_eval(f"({texts.rstrip(',')},)")) for _name, texts in MARKED.findall(templatize(source))
        ]
    marked: Texts = {}
    for texts in filter(None, found):
        marked[texts[0]] = texts[1] if len(texts) > 1 else marked.get(texts[0])
    return marked


def test_every_language_of_the_site_has_a_catalogue() -> None:
    assert [code for code, _name in site.LANGUAGES] == ["en", *LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_holds_exactly_what_the_sources_mark(language: str) -> None:
    held = {singular(message): plural(message) for message in messages(language)}
    assert held == marked_texts(), "run script/messages"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_in_all_its_forms(language: str) -> None:
    catalogue = read_catalogue(language)
    assert catalogue.num_plurals == 2
    wanted = {singular(message): 2 if plural(message) else 1 for message in messages(language)}
    assert {singular(m): sum(bool(form) for form in forms(m)) for m in messages(language)} == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_a_guess_or_left_over(language: str) -> None:
    catalogue = read_catalogue(language)
    assert [message.id for message in catalogue if message.fuzzy] == []
    assert list(catalogue.obsolete) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_and_tags_match_the_text(language: str) -> None:
    for message in messages(language):
        ids = [singular(message)] if plural(message) is None else [singular(message), plural(message)]
        for text, form in zip(ids, forms(message), strict=True):
            assert sorted(PLACEHOLDER.findall(form)) == sorted(PLACEHOLDER.findall(text)), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_and_full_stops_match_the_text(language: str) -> None:
    for message in messages(language):
        for form in forms(message):
            assert form == form.strip(), singular(message)
            assert "  " not in form, singular(message)
            ends = [text[-1] if text[-1] in ".?!:…" else "" for text in (singular(message), form)]
            assert ends[0] == ends[1], singular(message)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_find_every_translation(language: str) -> None:
    with translation.override(language):
        for message in messages(language):
            text = singular(message)
            found = translation.pgettext(message.context, text) if message.context else translation.gettext(text)
            assert found == forms(message)[0]
            if plural(message):
                for number in (0, 1, 2):
                    many = (*message.id, number)
                    inside = message.context and translation.npgettext(message.context, *many)
                    text = inside or translation.ngettext(*many)
                    assert text == forms(message)[number != 1]


def test_texts_with_placeholders_are_marked() -> None:
    unmarked = []
    for path, tree in python_sources():
        marked = {id(text) for call in calls(tree) if name_of(call) in MARKS for text in call.args}
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in marked | docstrings:
                unmarked += [(path, node.lineno, node.value)] if re.search(r"%\(\w+\)s", node.value) else []
    assert unmarked == []


def test_only_whole_texts_are_marked() -> None:
    """A text that is put together before it is translated is in no catalogue."""
    built = [
        (path, call.lineno)
        for path, tree in python_sources()
        for call in calls(tree)
        if name_of(call) in MARKS and isinstance(call.args[0], ast.JoinedStr | ast.BinOp)
    ]
    assert built == []


def test_texts_of_refusals_and_reasons_are_marked() -> None:
    speakers = {"Refusal", "Conflict", "Unconfirmed", "Forbidden", "Reason", "PlanError", "_error", "_warning"}
    unmarked = [
        (path, call.lineno, text)
        for path, tree in python_sources()
        for call in calls(tree)
        if name_of(call) in speakers
        for text in texts_of(call.args[1:])
    ]
    assert unmarked == []


def played(plan: Plan) -> dict[str, Outcome]:
    """Return outcomes for the pairings that are ready: the entrant with the smaller id wins."""
    ready = [pairing for pairing in plan.pairings if pairing.is_ready]
    return {pairing.key: Outcome(min(pairing.entrant_ids), max(pairing.entrant_ids)) for pairing in ready}


def reasons(slug: str) -> set[str]:
    """Return the templates of all reasons that the format gives for fields of many sizes, before and after a round."""
    found: set[str] = set()
    for seeding in Seeding:
        for count in (max(least, FORMATS[slug].min_entrants) for least in (2, 3, 5, 8, 11, 16)):
            seeds = {1: 1, 2: 2} if seeding is Seeding.SEEDED else {}
            entrants = tuple(Entrant(number, f"E{number}", seeds.get(number)) for number in range(1, count + 1))
            options = parse_options(slug, {"lengths": [5], "seeding": seeding})
            first = FORMATS[slug].plan(Draw(entrants, options, seed="test"))
            second = FORMATS[slug].plan(Draw(entrants, options, played(first), "test"))
            found |= {pairing.why.template for pairing in (*first.pairings, *second.pairings)}
    return found


def findings() -> set[str]:
    """Return the templates of the rules' findings on sheets with one thing wrong or unlikely."""
    terms = Terms(length=5)
    a, b = Side.A, Side.B
    sheets = (
        (GameResult(a, 3),),
        (GameResult(a, 1, Level.GAMMON, Ending.DROP),),
        (GameResult(a, 32),),
        (GameResult(a, 4), GameResult(b, 2)),
        (GameResult(a, 4), GameResult(b, 1, ending=Ending.DROP)),
        (GameResult(a, 4), GameResult(b), GameResult(b)),
        (GameResult(a, 8), GameResult(b)),
        (GameResult(a, 2, Level.GAMMON), GameResult(b), GameResult(a, 2, Level.GAMMON)),
    )
    finals = ((5, 4, 3, None), (5, 6, 3, None), (5, 5, 4, 20), (5, 5, 4, 9), (9, 9, 7, 2))
    checks = [check_sheet(terms, games) for games in sheets] + [
        check_final(Terms(length), *final) for length, *final in finals
    ]
    assert all(check.findings for check in checks)
    return {finding.template for check in checks for finding in check.findings}


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_speak_the_language(language: str) -> None:
    catalogue = read_catalogue(language)
    texts = {
        text for table in (FORMATS, TIEBREAKS) for entry in table.values() for text in (entry.name, entry.description)
    }
    texts |= {profile.name for profile in PROFILES.values()}
    for slug in FORMATS:
        texts |= reasons(slug)
    texts |= findings()
    assert [text for text in sorted(texts) if text not in catalogue] == []


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "User name"), ("da", "Brugernavn"), ("sv", "Användarnamn"), ("nb", "Brukernavn"), ("de", "Benutzername")],
)
def test_page_speaks_the_language_of_the_visitor(language: str, name: str, db) -> None:
    title = "Sign in" if language == "en" else read_catalogue(language)["Sign in"].string
    page = Client(headers={"accept-language": language}).get("/accounts/login/").content.decode()
    assert f'<html lang="{language}">' in page
    assert f"<h1>{title}</h1>" in page
    assert f'<label for="id_username">{name}</label>' in page


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_languages_are_offered_by_their_own_names(language: str, db) -> None:
    page = Client(headers={"accept-language": language}).get("/accounts/login/").content.decode()
    offered = re.findall(r'<a href="/language/(\w+)/[^>]*>([^<]+)</a>', page)
    assert offered == list(zip(("en", *LANGUAGES), OWN_NAMES, strict=True))


@pytest.mark.parametrize(
    ("language", "format", "why", "refused"),
    [
        (
            "da",
            "Enkelt knockout",
            "Trukket tilfældigt: linje 1 og 2 af 4.",
            "4–3 afgør ikke en kamp til 5: vinderen skal have alle 5 point.",
        ),
        (
            "sv",
            "Enkel utslagning",
            "Lottat: rad 1 och 2 av 4.",
            "4–3 avgör inte en match till 5: vinnaren måste ha alla 5 poäng.",
        ),
        (
            "nb",
            "Enkel utslagning",
            "Trukket tilfeldig: linje 1 og 2 av 4.",
            "4–3 avgjør ikke en kamp til 5: vinneren må ha alle 5 poengene.",
        ),
        (
            "de",
            "Einfaches K.-o.-System",
            "Ausgelost: Zeilen 1 und 2 von 4.",
            "4–3 beendet kein Match auf 5: Der Sieger muss alle 5 Punkte haben.",
        ),
    ],
    ids=LANGUAGES,
)
def test_reasons_and_refusals_are_given_in_the_language(language: str, format: str, why: str, refused: str, db) -> None:
    director = build_director()
    event = build_event(director, players=4)
    client = Client(headers={"accept-language": language})
    client.force_login(director)
    pairings = client.get(f"{event.get_absolute_url()}pairings/").content.decode()
    assert f"<span>{format}</span>" in pairings
    assert f"<p>{why}</p>" in pairings
    match = event.stages.get().fixtures.get(key="M1-1").match
    entered = {"key": "k", "base": "0", "final_a": "4", "final_b": "3"}
    answer = client.post(f"{match.get_absolute_url()}enter/final/", entered)
    assert refused in text_of(answer)


def test_glossary_has_each_term_once_and_a_word_in_every_language() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in Path(site.BASE_DIR, "docs", "glossary.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    terms = [row[0] for row in rows if row[0] != "term"]
    assert len(terms) == len(set(terms)) > 50
    assert [row for row in rows if len(row) != 2 + len(LANGUAGES) or not all(row)] == []
