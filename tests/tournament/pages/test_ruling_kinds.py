"""What holds for every ruling in the table: a new one is tested here for nothing, from its line to the page."""

from dataclasses import fields

import pytest
from django.urls import reverse

from matches.models import Match, Ruling
from rules.ruling_kinds import FIELDS, RULINGS, FieldKind, Statement
from rules.rulings import PRINCIPLES, RulingKind
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of
from tests.tournament.api.client import CheckedClient, database
from tournament.api.results.ruling_serializers import SUBMISSION
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.log.words import tell
from tournament.models import Event, LogEntry
from tournament.pages.match.ruling_forms import CHOOSING, RULING_FORMS, DeclaredForm, names_of
from tournament.results.enter import enter_result

EVERY_RULING = pytest.mark.parametrize("kind", RULINGS, ids=lambda kind: kind.value)
DECLARED = pytest.mark.parametrize(
    "kind", [kind for kind, ruling in RULINGS.items() if ruling.way not in CHOOSING], ids=lambda kind: kind.value
)
TO_CRAWFORD = {"winner": "A", "cube": 4}
SAID = {
    "penalty_points": [1, 0],
    "games": [TO_CRAWFORD, {"winner": "B", "cube": 2}],
    "next_begun": False,
    "played_to": 3,
    "score": [1, 2],
    "awarded_to": "A",
    "crawford_done": False,
}
"""What a director can say of a match to 5 at 4-0, in whose next game somebody doubled; and for one ruling else."""
ELSE: dict[RulingKind, dict[str, object]] = {RulingKind.CRAWFORD_STANDS: {"next_begun": True}}


@pytest.fixture
def match(director) -> Match:
    match = fixture_of(build_event(director, players=4, lengths=(5,)), "M1-1").match
    enter_result(match, claim=claim(games=(GameResult(Side.A, 4),), confirmed=True), by=director, at=AT)
    return match


def said(kind: RulingKind) -> dict[str, object]:
    told = SAID | ELSE.get(kind, {})
    return {field.name: told[field.name] for field in RULINGS[kind].needs}


def assert_told(match: Match, kind: RulingKind) -> None:
    """The ruling stands and is in the log and on the pages in words, and the audit finds nothing."""
    ruling = Ruling.objects.get()
    event = Event.objects.get()
    assert (ruling.kind, ruling.explanation != "") == (kind, True)
    sentence = tell(LogEntry.objects.filter(verb="ruling").get())
    assert sentence == f"M1-1 {match}: ruling: {ruling.explanation}"
    store_standings(event.pk)
    assert [str(difference) for difference in audit_event(event)] == []


def test_every_kind_but_undoing_is_declared_and_has_its_rule():
    assert set(RULINGS) == set(RulingKind) - {RulingKind.UNDONE}
    assert set(PRINCIPLES) == set(RulingKind)


@EVERY_RULING
def test_a_ruling_has_a_rule_in_words_and_a_place_in_the_table(kind):
    principle, column = PRINCIPLES[kind], Ruling._meta.get_field("kind")
    assert all((principle.name, principle.sentence, principle.source))
    assert len(kind.value) <= column.max_length
    assert dict(column.flatchoices)[kind.value] == principle.name


@EVERY_RULING
def test_its_fields_are_declared_once_and_said_by_name(kind):
    ruling = RULINGS[kind]
    names = [field.name for field in (*ruling.needs, *ruling.takes)]
    assert len(set(names)) == len(names)
    assert set(names) <= {field.name for field in FIELDS}


def test_every_field_is_a_part_of_a_statement():
    assert {field.name for field in FIELDS} == {field.name for field in fields(Statement)}
    assert {field.name for field in FIELDS} & set(SUBMISSION) == set()
    assert all(field.stem for field in FIELDS if field.kind is FieldKind.POINTS)


@EVERY_RULING
def test_the_api_tells_what_it_changes_and_then_makes_it(director, match, kind):
    api = CheckedClient()
    api.force_authenticate(director)
    body = {"key": "r", "base": 1, "ruling_count": 0, "kind": kind.value, "reason": "Seen.", **said(kind)}
    before = database()
    told = api.post(f"matches/{match.pk}/rulings/", body | {"preview": True})
    assert (told.status_code, database() == before) == (200, True)
    made = api.post(f"matches/{match.pk}/rulings/", body)
    assert (made.status_code, made.json()["kind"]) == (201, kind.value)
    assert made.json() | {"at": told.json()["at"]} == told.json()
    assert made.json()["rule"] == PRINCIPLES[kind].sentence
    assert_told(match, kind)


@EVERY_RULING
def test_what_it_needs_is_asked_for_and_nothing_else_taken(director, match, kind):
    api = CheckedClient()
    api.force_authenticate(director)
    ruling = RULINGS[kind]
    body = {"key": "r", "base": 1, "ruling_count": 0, "kind": kind.value, "reason": "Seen."}
    if ruling.needs:
        missing = api.post(f"matches/{match.pk}/rulings/", body).json()["errors"]
        assert {(one["field"], one["code"]) for one in missing} == {(one.name, "required") for one in ruling.needs}
    others = [name for name in SAID if name not in {field.name for field in (*ruling.needs, *ruling.takes)}]
    for name in others:
        refused = api.post(f"matches/{match.pk}/rulings/", body | said(kind) | {name: SAID[name]}).json()
        assert [(error["field"], error["code"]) for error in refused["errors"]] == [(name, "unknown")]


@EVERY_RULING
def test_it_has_a_form_on_the_page_at_an_address_of_its_own(as_director, match, kind):
    way = RULINGS[kind].way
    assert way in RULING_FORMS
    address = reverse("rule", args=[match.pk, way])
    page = as_director.get(match.get_absolute_url())
    assert f'action="{address}"' in page.content.decode()
    assert [offered for offered, _form, _help in page.context["ruling_forms"]].count(way) == 1


def test_kinds_that_share_a_form_have_one_that_chooses():
    ways = [ruling.way for ruling in RULINGS.values()]
    assert {way for way in ways if ways.count(way) > 1} == set(CHOOSING)


@DECLARED
def test_a_declared_form_shows_what_it_changes_and_then_makes_it(as_director, match, kind):
    way, ruling = RULINGS[kind].way, RULINGS[kind]
    form = RULING_FORMS[way]
    assert issubclass(form, DeclaredForm)
    told = said(kind)
    inputs = {
        name: value
        for field in ruling.needs
        for name, value in zip(
            names_of(field), told[field.name] if field.kind is FieldKind.POINTS else [told[field.name]], strict=True
        )
        if value is not False
    }
    page = as_director.get(match.get_absolute_url()).content.decode()
    section = page[page.index(f"/rule/{way}/") :]
    section = section[: section.index("</form>")]
    assert f"<summary>{ruling.title}</summary>" in page
    assert all(f'name="{name}"' in section for field in ruling.needs for name in names_of(field))
    assert all(field.label in section for field in ruling.needs)

    address = reverse("rule", args=[match.pk, way])
    sent = {"key": "k", "base": 1, "ruling_count": 0, "reason": "Seen.", **inputs}
    before = database()
    preview = as_director.post(address, sent)
    assert (preview.status_code, database() == before) == (200, True)
    assert PRINCIPLES[kind].sentence in preview.content.decode()
    assert as_director.post(address, sent | {"confirmed": preview.context["question"]}).status_code == 302
    assert_told(match, kind)
