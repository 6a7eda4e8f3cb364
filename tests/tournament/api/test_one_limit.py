"""How long a text and how large a number may be is the same for the schema, the forms, the services and the tables."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.urls import reverse
from pytest_django import DjangoDbBlocker

import tournament.pages
from players.models import MAX_NAME, User
from tests.builders import build_director
from tests.tournament.api.client import CheckedClient, database, document, template_of
from tests.tournament.pages.walk import build_walk
from tests.tournament.roles.addresses import API, Address
from tests.tournament.roles.sent import CHANGES, STORE_NOTHING, Sent, prepare
from tests.tournament.roles.test_permissions import undone
from tournament.entries.enrolment import MAX_PAIR

pytestmark = pytest.mark.django_db

COLUMNS = {
    "NewTournament.name EventAgain.name": "tournament.Tournament.name",
    "NewTournament.place": "tournament.Tournament.place",
    "EventTerms.name FromTemplate.name": "tournament.Event.name",
    "NewTemplate.name": "tournament.EventTemplate.name",
    "NewBreak.name": "tournament.Break.name",
    "NewEntry.club NewMember.club Replacement.club": "players.Club.name",
    "NewEntry.country NewMember.country Replacement.country": "players.Player.country",
    "Family.family SeedingFields.family SeedingRow.family": "tournament.Entry.family",
    "Leave.reason": "tournament.Entry.left_reason",
    "Reason.reason": "tournament.Closing.void_reason",
    "NewSidePool.name": "tournament.SidePool.name",
    "Sale.buyer": "tournament.LotSale.buyer",
    "Reversal.reason": "tournament.Payment.reason",
    "NewDrawChange.reason": "tournament.HandChange.reason",
    "NewInvitation.note": "tournament.Invitation.note",
    "NewAnnouncement.text": "tournament.Announcement.text",
    "SiteAddress.site_address": "tournament.Tournament.site_address",
    "Result.reason Walkover.reason Void.reason Report.reason EndAdvance.reason": "matches.Scoresheet.reason",
    "Answer.reason": "matches.SheetChange.reason",
    "NewRuling.reason": "matches.Ruling.reason",
    "Result.key Walkover.key SheetClaim.key": "matches.Scoresheet.key",
    "NewRuling.key Lateness.key": "matches.Ruling.key",
    "Settle.key Part.key Reversal.key": "tournament.Payment.key",
    "Settle.accounts[] Part.accounts[]": "tournament.Payment.account",
    "SignIn.username SignUp.username": "players.User.username",
    "SignIn.name": "tournament.AccessToken.name",
    "NewTournament.time_zone": "tournament.Tournament.time_zone",
}
"""The columns of what is stored as it was sent."""

FORMS = {
    "entries.forms.EntryForm": "NewEntry",
    "entries.forms.ReplacementForm": "Replacement",
    "entries.forms.DoorForm": "Door",
    "entries.forms.LeaveForm": "Leave",
    "entries.closing_forms.DiceForm": "Dice",
    "entries.closing_forms.RoundForm": "Round",
    "entries.closing_forms.ReopenForm": "Reason",
    "event.forms.EventForm": "EventTerms",
    "event.forms.NextStageForm": "NewStage",
    "event.occasion_forms.NewEventForm": "EventTerms",
    "event.occasion_forms.NewTournamentForm": "NewTournament",
    "event.occasion_forms.TournamentForm": "NewTournament",
    "event.occasion_forms.AgainForm": "TournamentAgain",
    "event.occasion_forms.EventAgainForm": "EventAgain",
    "event.occasion_forms.TemplateForm": "NewTemplate",
    "event.hand.HandForm": "NewDrawChange",
    "hall.forms.AnnouncementForm": "NewAnnouncement",
    "hall.forms.BreakForm": "NewBreak",
    "hall.forms.SiteForm": "SiteAddress",
    "hall.forms.TableForm": "CallMatch",
    "hall.forms.TablesForm": "NewTables",
    "match.forms.AwardForm": "Result",
    "match.forms.EndAdvanceForm": "EndAdvance",
    "match.forms.FinalForm": "Result",
    "match.forms.GameForm": "NewGame",
    "match.forms.NextGameForm": "NewGame",
    "match.forms.PlayedGameForm": "NewGame",
    "match.forms.ReportForm": "Report",
    "match.forms.SheetForm": "Result",
    "match.forms.SubmissionForm": "Result",
    "match.forms.VoidForm": "Void",
    "match.forms.WalkoverForm": "Walkover",
    **{f"match.ruling_forms.{name}Form": "NewRuling" for name in ("Clock", "Crawford", "Declared", "Length", "Ruling")},
    "match.ruling_forms.LateForm": "Lateness",
    "money.consent.ConsentForm": "Consent",
    "money.forms.PartForm": "Part",
    "money.forms.ReversalForm": "Reversal",
    "money.forms.SaleForm": "Sale",
    "money.forms.SettleForm": "Settle",
    "money.forms.SidePoolForm": "NewSidePool",
    "people.forms.DeletionForm": "Deletion",
    "people.forms.InvitationForm": "NewInvitation",
    "sign_in.own.TokenForm": "SignIn",
}
"""By form, the component of the schema that says the same to programs."""

OTHER_NAMES = {
    "entries.forms.EntryForm.player_id": "NewEntry.player",
    "entries.forms.ReplacementForm.player_id": "Replacement.player",
    "hall.forms.SiteForm.address": "SiteAddress.site_address",
    "match.forms.NextGameForm.reason": "Result.reason",
    "match.forms.NextGameForm.base": "Result.base",
    "sign_in.users.NewUserForm.username": "SignIn.username",
}

OWN = {
    "entries.forms.EntryForm.country": "a name of a country gets a sentence, and is not cut to its first letters",
    "entries.forms.ReplacementForm.country": "as above",
    "match.ruling_forms.ClockForm.points": "one of the two numbers of `penalty_points`, without 0",
    "match.ruling_forms.LateForm.minutes": "one of `minutes_a` and `minutes_b`",
}
"""Fields that have a limit of their own on purpose."""

UNLIMITED = {"Result.final[]", "KeptGame.ending"}
"""What the rules judge against the match: points, and a word of the score keeper."""


def properties() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field of every body that is sent, as ``Component.field``, with its schema."""
    components = document()["components"]["schemas"]
    seen: set[str] = set()

    def walk(node: Mapping[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        if "$ref" in node:
            name = node["$ref"].rpartition("/")[2]
            if name not in seen:
                seen.add(name)
                yield from walk(components[name], name)
            return
        for key in ("allOf", "oneOf", "anyOf"):
            for inner in node.get(key, ()):
                yield from walk(inner, path)
        match kind_of(node):
            case "object":
                for name, inner in node.get("properties", {}).items():
                    yield from walk(inner, f"{path}.{name}")
            case "array":
                yield path, dict(node)
                yield from walk(node["items"], f"{path}[]")
            case _:
                yield path, dict(node)

    for operations in document()["paths"].values():
        for operation in operations.values():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body is not None:
                yield from walk(body["schema"], "")


def kind_of(node: Mapping[str, Any]) -> str | None:
    kind = node.get("type")
    return next(one for one in kind if one != "null") if isinstance(kind, list) else kind


PROPERTIES = dict(properties())


def test_every_text_number_and_list_has_a_limit():
    open_ended = set()
    for name, schema in PROPERTIES.items():
        is_free = not ({"enum", "format", "oneOf", "const"} & set(schema)) and not name.endswith("Enum")
        limits = {"string": {"maxLength"}, "integer": {"minimum", "maximum"}, "array": {"maxItems"}}
        if is_free and not limits.get(kind_of(schema) or "", set()) <= set(schema):
            open_ended.add(name)
    assert open_ended == UNLIMITED


@pytest.mark.parametrize(
    ("names", "column"), [(name, column) for names, column in COLUMNS.items() for name in names.split()]
)
def test_the_schema_agrees_with_the_table(names, column):
    label, field = column.rsplit(".", 1)
    assert PROPERTIES[names]["maxLength"] == apps.get_model(label)._meta.get_field(field).max_length


def all_forms() -> dict[str, type[forms.BaseForm]]:
    for module in pkgutil.walk_packages(tournament.pages.__path__, "tournament.pages."):
        importlib.import_module(module.name)
    found: dict[str, type[forms.BaseForm]] = {}
    waiting = list(forms.BaseForm.__subclasses__())
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if one.__module__.startswith("tournament.pages."):
            found[f"{one.__module__.removeprefix('tournament.pages.')}.{one.__qualname__}"] = one
    return found


def fields_of_forms() -> Iterator[tuple[str, forms.Field, dict[str, Any]]]:
    """Every text and number of a form whose data programs send too, with the schema of its twin."""
    for name, form in sorted(all_forms().items()):
        component = FORMS.get(name, "")
        for field_name, field in form.base_fields.items():
            twin = OTHER_NAMES.get(f"{name}.{field_name}", f"{component}.{field_name}")
            if twin in PROPERTIES and f"{name}.{field_name}" not in OWN:
                yield f"{name}.{field_name}", field, PROPERTIES[twin]


def test_every_form_with_a_twin_is_compared():
    assert set(FORMS) <= set(all_forms())
    assert len(list(fields_of_forms())) >= 60


def test_forms_agree_with_the_schema():
    wrong = {}
    for name, field, schema in fields_of_forms():
        kind = kind_of(schema)
        if kind == "string" and isinstance(field, forms.CharField) and not isinstance(field, forms.RegexField):
            limit = field.max_length
            if limit not in (None, schema.get("maxLength")):
                wrong[name] = (limit, schema.get("maxLength"))
        if kind == "integer" and type(field) is forms.IntegerField and not field.widget.is_hidden:
            limits = (field.min_value, field.max_value)
            if limits != (schema["minimum"], schema["maximum"]):
                wrong[name] = (*limits, schema["minimum"], schema["maximum"])
    assert wrong == {}


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[User]:
    """Tournaments in which everything is going on, made once for all tests of this module; their owner."""
    with django_db_blocker.unblock(), undone():
        owner = build_director()
        build_walk(owner)
        prepare()
        yield owner


def limited(address: Address, sent: Sent) -> Iterator[tuple[str, dict[str, Any]]]:
    """The fields of the address's body that have a limit."""
    path = reverse(f"api:{address.name}", kwargs=dict(sent.address))
    operation = document()["paths"][template_of(path)][address.method]
    node = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    component = node.get("$ref", "").rpartition("/")[2]
    for name, schema in PROPERTIES.items():
        owner, _dot, field = name.partition(".")
        if owner == component and field and "[" not in field and "." not in field and "enum" not in schema:
            yield field, schema


def beyond(schema: dict[str, Any]) -> list[object]:
    if kind_of(schema) == "string":
        return ["x" * (schema["maxLength"] + 1)] if "maxLength" in schema else []
    if kind_of(schema) == "integer" and "maximum" in schema:
        return [schema["minimum"] - 1, schema["maximum"] + 1]
    return []


def within(field: str, schema: dict[str, Any]) -> list[object]:
    if field == "text" and schema["maxLength"] > 1000:
        return []  # a whole list: of its lines each has a name
    if field in ("first", "last"):
        return [schema["minimum" if field == "first" else "maximum"]]  # one must not be above the other
    if schema.get("maxLength") == MAX_PAIR:
        return ["x" * MAX_NAME]  # of one player; in doubles, of two
    if kind_of(schema) == "string":
        return ["x" * schema["maxLength"]] if "maxLength" in schema and "pattern" not in schema else []
    if kind_of(schema) == "integer" and "maximum" in schema:
        return [schema["minimum"], schema["maximum"]]
    return []


BODIES = [address for address in API if str(address) in CHANGES and str(address) not in STORE_NOTHING]
"""The operations that change something, with the body that makes them."""


@pytest.mark.long
@pytest.mark.parametrize("address", BODIES, ids=map(str, BODIES))
def test_services_agree_with_the_schema(built, db, address):
    client = CheckedClient()
    client.force_authenticate(built)
    with undone():
        sent = CHANGES[str(address)]()
        if not isinstance(sent.data, dict):
            return
        before = database()
        for field, schema in limited(address, sent):
            for value in beyond(schema):
                answer = Sent(sent.address, {**sent.data, field: value}, sent.query).to(client, address)
                assert answer.status_code in (400, 409), (field, value)
            assert database() == before, field
        for field, schema in limited(address, sent):
            for value in within(field, schema):
                with undone():
                    answer = Sent(sent.address, {**sent.data, field: value}, sent.query).to(client, address)
                    told = answer.json() if answer.status_code >= 400 else {}
                    named = {error["field"] for error in told.get("errors", ()) if error["code"] != "unknown"}
                    assert field not in named, (value, told)
                    assert not str(told.get("code")).endswith(("_too_long", "_out_of_range")), (field, value, told)
