"""Every table as a file: both formats hold the same, at an address that asks for the role of the page beside it."""

import csv
import io
import zipfile
from datetime import date, datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from python_calamine import CalamineWorkbook

from matches.ratings import rate_matches
from players.models import User
from tests.builders import AT, build_director, build_event, play_out
from tests.tournament.api.client import CheckedClient
from tests.tournament.money.test_ledger import give_money, settle
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event, put_to_wait
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.exports.formats import FORMATS, LONGEST_CELL, MEDIA_TYPES, Export
from tournament.exports.money import MONEY_EXPORTS
from tournament.exports.tables import EXPORTS, PUBLIC_EXPORTS, Subject, make_table
from tournament.models import Appointment, Event, Role
from tournament.roles.permissions import PERMISSIONS

pytestmark = pytest.mark.django_db

LISTS = ("ranking",)
TOURNAMENT = ("cash", "tournament-log")
TABLES = (*EXPORTS, *TOURNAMENT)
EVERYBODY = {"", *Role.values}


def roles_for(name: str) -> set[str]:
    """Who may have the table: nobody's role is empty."""
    action = {"log": "read_log", "tournament-log": "read_log", "cash": "see_cash"}.get(name)
    action = "handle_money" if name in MONEY_EXPORTS else action
    return EVERYBODY if action is None else {role.value for role in PERMISSIONS[action]}


def address_of(event: Event, name: str, format: str) -> str:
    tournament, slug = event.tournament.slug, event.slug
    if name in LISTS:
        return reverse("ranking-file", args=["fibs", format])
    if name in MONEY_EXPORTS:
        return reverse(f"money-{format}", args=[tournament, slug, name])
    if name == "log":
        return reverse("event-log-file", args=[tournament, slug, format])
    if name in TOURNAMENT:
        return reverse({"cash": "cash-file", "tournament-log": "log-file"}[name], args=[tournament, format])
    return reverse("download", args=[tournament, slug, name, format])


def api_address_of(event: Event, name: str) -> str:
    if name in LISTS:
        return "ranking-lists/fibs/table/"
    if name in MONEY_EXPORTS:
        return f"events/{event.pk}/money/tables/{name}/"
    if name == "log":
        return f"events/{event.pk}/log/table/"
    if name in TOURNAMENT:
        return f"tournaments/{event.tournament_id}/{'cash' if name == 'cash' else 'log'}/table/"
    return f"events/{event.pk}/tables/{name}/"


def played(director: User) -> Event:
    """An event with fees, prizes, a formula for a name and all results."""
    event = build_event(director, players=1, drawn=False, format="round-robin", lengths=(1,))
    lines = [EntryLine(name="=1+1 Ann", club="-2", country="DK"), EntryLine(name="@Bo", line=2)]
    add_entries(event, lines=lines, by=director, at=AT)
    put_to_wait(add_entries(event, lines=[EntryLine(name="Waits")], by=director, at=AT)[0], by=director, at=AT)
    make_draw(event, by=director, at=AT)
    give_money(event)
    play_out(event)
    settle(event, *(f"entry-{entry.pk}" for entry in event.entries.all()[:2]))
    store_standings(event.pk)
    rate_matches("fibs", at=AT)
    return event


def user_with(event: Event, role: str) -> User | None:
    if not role:
        return None
    user = User.objects.create(username=f"a {role}")
    if role == Role.DEPUTY:
        Appointment.objects.create(user=user, tournament=event.tournament, event=event, role=role, since=AT)
    else:
        Appointment.objects.create(user=user, tournament=event.tournament, role=role, since=AT)
    return user


def read_csv(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def read_xlsx(data: bytes) -> list[list[object]]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    (name,) = book.sheet_names
    return book.get_sheet_by_name(name).to_python(skip_empty_area=False)


def as_csv(cell: object) -> str:
    """A cell of a workbook as a CSV file has it, but for the zeros after a decimal point."""
    match cell:
        case bool():
            return "true" if cell else "false"
        case datetime():
            return cell.strftime("%Y-%m-%dT%H:%M:%SZ")
        case date():
            return cell.isoformat()
        case float() | int():
            return str(Decimal(str(cell)).normalize() + 0)
    return str(cell)


def plain(cell: str, like: object) -> str:
    """A cell of a CSV file without the apostrophe before a formula; a number without zeros that say nothing."""
    if isinstance(like, float | int) and not isinstance(like, bool):
        return str(Decimal(cell).normalize() + 0)
    return cell.removeprefix("'") if isinstance(like, str) else cell


def assert_same(csv_file: bytes, xlsx_file: bytes) -> None:
    lines, rows = read_csv(csv_file), read_xlsx(xlsx_file)
    assert len(lines) == len(rows) > 1
    for line, row in zip(lines, rows, strict=True):
        assert [plain(cell, like) for cell, like in zip(line, row, strict=True)] == [as_csv(cell) for cell in row]


@pytest.mark.parametrize("name", TABLES)
def test_both_formats_hold_the_same_on_the_page_and_in_the_api(name: str, client: Client) -> None:
    director = build_director()
    event = played(director)
    client.force_login(director)
    api = CheckedClient()
    api.force_authenticate(director)
    files = {}
    for format in ("csv", "xlsx"):
        answer = client.get(address_of(event, name, format))
        assert (answer.status_code, answer["Content-Type"]) == (200, MEDIA_TYPES[format])
        assert answer["Content-Disposition"].endswith(f'.{format}"')
        files[format] = answer.content
    assert_same(files["csv"], files["xlsx"])
    path = api_address_of(event, name)
    assert api.get(path, HTTP_ACCEPT="text/csv").content == files["csv"]
    assert read_xlsx(api.get(path, HTTP_ACCEPT=MEDIA_TYPES["xlsx"]).content) == read_xlsx(files["xlsx"])
    assert len(api.get(path).json()["rows"]) == len(read_csv(files["csv"])) - 1


@pytest.mark.parametrize("name", TABLES)
def test_each_table_is_for_the_roles_of_its_page(name: str) -> None:
    event = played(build_director())
    allowed = set()
    for role in sorted(EVERYBODY):
        user, client, api = user_with(event, role), Client(), CheckedClient()
        if user is not None:
            client.force_login(user)
            api.force_authenticate(user)
        statuses = {client.get(address_of(event, name, format)).status_code for format in ("csv", "xlsx")}
        statuses.add(api.get(api_address_of(event, name)).status_code)
        if statuses == {200}:
            allowed.add(role)
        else:
            assert statuses <= ({403} if role else {302, 401})
    assert allowed == roles_for(name) - ({Role.DEPUTY.value} if name in TOURNAMENT else set())


def test_every_export_of_an_event_is_public_or_money_or_the_log() -> None:
    assert set(EXPORTS) == {*PUBLIC_EXPORTS, *MONEY_EXPORTS, *LISTS, "log"}


@pytest.mark.parametrize("name", PUBLIC_EXPORTS)
def test_the_pages_link_to_the_files(name: str, client: Client) -> None:
    event = played(build_director())
    page = {"standings": "standings", "entries": "entries"}.get(name, "pairings")
    text = client.get(reverse(page, args=[event.tournament.slug, event.slug])).content.decode()
    assert [f'href="{address_of(event, name, format)}"' in text for format in ("csv", "xlsx")] == [True, True]


@pytest.mark.parametrize("name", [*MONEY_EXPORTS, "log", *TOURNAMENT, "ranking"])
def test_the_other_pages_link_to_the_files(name: str, client: Client) -> None:
    director = build_director()
    event = played(director)
    client.force_login(director)
    names = [event.tournament.slug, event.slug]
    pages = {"log": ("event-log", names), "tournament-log": ("log", names[:1]), "cash": ("cash", names[:1])}
    pages["ranking"] = ("ranking", ["fibs"])
    page, arguments = pages.get(name, ("money", names))
    here = reverse(page, args=arguments)
    text = client.get(here).content.decode()
    for format in ("csv", "xlsx"):
        address = address_of(event, name, format)
        assert f'href="{address}"' in text or f'href="{address.removeprefix(here)}"' in text


@pytest.mark.parametrize("name", PUBLIC_EXPORTS)
def test_the_past_is_refused_and_unknown_tables_are_not_found(name: str, client: Client) -> None:
    event = build_event(build_director(), players=2)
    refused = client.get(address_of(event, name, "xlsx"), {"at": AT.isoformat()})
    assert (refused.status_code, "moment_not_shown" in refused.content.decode()) == (400, True)
    for other in ("payments", "ranking", "log", "nothing"):
        assert client.get(address_of(event, name, "csv").replace(name, other)).status_code == 404
    assert client.get(address_of(event, name, "csv").replace(".csv", ".ods")).status_code == 404


@pytest.mark.parametrize("name", sorted({*PUBLIC_EXPORTS} - {"entries"}))
def test_before_the_draw_a_sentence_says_that_there_is_nothing_yet(name: str, client: Client) -> None:
    event = build_event(build_director(), players=2, drawn=False)
    assert client.get(address_of(event, name, "xlsx")).status_code == 409
    assert CheckedClient().get(api_address_of(event, name)).json()["code"] == "event_not_drawn"


def test_a_ranking_list_that_was_never_computed_is_not_found(client: Client) -> None:
    assert client.get(reverse("ranking-file", args=["fibs", "csv"])).status_code == 404
    assert CheckedClient().get("ranking-lists/fibs/table/").status_code == 404


def test_entries_say_what_has_become_of_them() -> None:
    event = build_event(build_director(), players=3, drawn=False)
    first, second, _third = event.entries.order_by("number")
    put_to_wait(first, by=None, at=AT)
    leave_event(second, kind="disqualified", reason="Shouted", by=None, at=AT)
    table = make_table("entries", Subject(event=event, with_reasons=True))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["number"], row["state"], row["left_reason"]) for row in rows] == [
        (1, "waiting", ""),
        (2, "disqualified", "Shouted"),
        (3, "entered", ""),
    ]


def test_members_of_a_team_are_listed_in_the_order_of_the_boards() -> None:
    event = build_event(build_director(), players=2, boards=3, drawn=False)
    table = make_table("entries", Subject(event=event))
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["name"], row["player_id"], row["members"]) == ("Team 1", None, "Anna 1, Bo 1, Carl 1, Dora 1")


def part_of(file: bytes, name: str) -> bytes:
    return zipfile.ZipFile(io.BytesIO(file)).read(f"xl/{name}.xml")


CELLS: list[tuple[object, object]] = [
    (None, ""),
    ("", ""),
    ("Søren Ærø", "Søren Ærø"),
    ("007", "007"),
    ("https://example.org", "https://example.org"),
    *((text, text) for text in ("=1+1", "+46 70", "-Bo", "@SUM(A1)", "{=1+1}", "＝1+1", "_x0041_", "a\tb")),
    (5, 5.0),
    (-5, -5.0),
    (Decimal("12.50"), 12.5),
    (Decimal("1512.1234"), 1512.1234),
    (True, True),
    (False, False),
    (AT, AT.replace(tzinfo=None)),
    (AT.replace(microsecond=999_999), AT.replace(tzinfo=None)),
    (date(2026, 3, 6), date(2026, 3, 6)),
]


@pytest.mark.parametrize(("cell", "read"), CELLS)
def test_a_workbook_keeps_the_type_of_a_cell_and_computes_nothing(cell: object, read: object) -> None:
    file = FORMATS["xlsx"](Export("test-1", ("cell", "next"), ((cell, "x"),)))
    (_head, row) = read_xlsx(file)
    assert (row, type(row[0])) == ([read, "x"], type(read))
    assert b"<f>" not in part_of(file, "worksheets/sheet1")


def test_a_text_like_a_formula_stays_a_text_when_it_is_typed_again() -> None:
    file = FORMATS["xlsx"](Export("test-1", ("cell",), (("=1+1",), ("Bo",))))
    assert part_of(file, "styles").count(b'quotePrefix="1"') == 1


def test_a_text_that_no_cell_can_hold_ends_with_an_ellipsis() -> None:
    file = FORMATS["xlsx"](Export("log-1", ("detail",), (("x" * (LONGEST_CELL + 1),),)))
    assert read_xlsx(file)[1] == ["x" * (LONGEST_CELL - 1) + "…"]
