"""A file of members: each row is told before anything is stored, stored as told, and taken back whole."""

import pytest

from players.errors import Conflict, Forbidden, Refusal
from players.models import Alias, Club, ExternalId, FormerValue, Membership, Player, RegistryImport
from players.registry.member_file import read_members
from players.registry.member_import import import_members, preview_members, undo_import
from players.registry.people import Person, create_person
from players.registry.records import add_number
from tests.builders import AT
from tests.players.registry.people import Registry, build_registry
from tests.tournament.entries.workbooks import workbook

pytestmark = pytest.mark.django_db

FILE = """no;family;given;birth;nation;club;kind;from;to;paid
408;Holm;Asta;1961;DEN;Odense;ordinary;2025-08-01;2026-07-31;2025-08-15
1771;Lund;Bo;1980-02-03;DK;Vejle;youth;2025-08-01;;
12;Berg;Carl;;;;;;;
7;Berg;Dan;;XX;;;;;
408;Holm;Asta;;;;;;;
"""


@pytest.fixture
def registry() -> Registry:
    """Asta Holm is known by club, and there are two people called Carl Berg."""
    registry = build_registry()
    for club in ("Odense", "Vejle"):
        create_person(Person("Carl", "Berg", club=club), by=None, at=AT)
    return registry


def everything() -> list[object]:
    """All rows that an import may touch, but for the imports."""
    models = (Alias, ExternalId, FormerValue, Membership, Player)
    return [list(model.objects.order_by("pk").values()) for model in models]


def preview(registry: Registry, chosen=None, data: str = FILE):
    return preview_members(registry.federation, data.encode(), chosen=chosen or {}, by=registry.officer, at=AT)


def store(registry: Registry, chosen=None, data: str = FILE) -> RegistryImport:
    digest = preview(registry, chosen, data).digest
    told = {"name": "members.csv", "chosen": chosen or {}, "digest": digest, "by": registry.officer, "at": AT}
    return import_members(registry.federation, data.encode(), **told)


def outcomes(found) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(fate.outcome.value, fate.code, fate.changes) for fate in found.fates]


def carl(club: str) -> Player:
    return Player.objects.get(name="Carl Berg", club__name=club)


def test_each_row_is_told_and_nothing_is_stored(registry):
    before = everything()
    assert outcomes(preview(registry)) == [
        ("changed", "", ("number", "membership")),
        ("new", "", ()),
        ("ambiguous", "", ()),
        ("refused", "country_unknown", ()),
        ("refused", "member_twice", ()),
    ]
    assert everything() == before


def test_what_was_told_is_stored_and_the_same_file_is_the_same_afterwards(registry):
    kept = store(registry)
    bo = Player.objects.get(family="Lund")
    assert (bo.name, str(bo.birth_date), bo.country, bo.club.name) == ("Bo Lund", "1980-02-03", "DK", "Vejle")
    assert dict(ExternalId.objects.values_list("value", "player")) == {"408": registry.holm.pk, "1771": bo.pk}
    assert str(registry.holm.body_memberships.get().paid_on) == "2025-08-15"
    assert (bytes(kept.data).decode(), kept.by, kept.report["counts"]["new"]) == (FILE, registry.officer, 1)
    assert [row[0] for row in outcomes(preview(registry))] == ["same", "same", "ambiguous", "refused", "refused"]
    assert not {"Holm", "Lund"} & {str(value) for row in kept.report["rows"] for value in row.values()}


def test_what_was_chosen_is_remembered(registry):
    chosen = {4: str(carl("Vejle").pk)}
    assert outcomes(preview(registry, chosen))[2] == ("changed", "", ("number", "membership"))
    store(registry, chosen)
    ExternalId.objects.filter(value="12").delete()
    again = preview(registry, data="name\nCarl Berg\n").fates[0]
    assert (again.player, again.outcome.value) == (carl("Vejle"), "same")


def test_a_new_person_of_a_known_name_can_be_chosen(registry):
    store(registry, {4: "new"})
    assert Player.objects.filter(name="Carl Berg").count() == 3


def test_a_stranger_cannot_be_chosen(registry):
    assert outcomes(preview(registry, {4: str(registry.holm.pk)}))[2] == ("refused", "choice_unknown", ())


def test_a_row_with_a_known_number_changes_the_name(registry):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    store(registry, data="no,family,given\n408,Lund,Asta\n")
    registry.holm.refresh_from_db()
    assert registry.holm.name == "Asta Lund"


def test_an_import_is_taken_back_whole(registry):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    before = everything()
    kept = store(registry, {4: str(carl("Odense").pk)}, FILE.replace("408;Holm", "408;Lund").replace("Vejle", "Odense"))
    assert everything() != before
    undone = undo_import(kept, by=registry.officer, at=AT)
    assert (everything(), undone.undone_by) == (before, registry.officer)
    with pytest.raises(Conflict):
        undo_import(kept, by=registry.officer, at=AT)


def test_an_import_stays_where_later_changes_stand_on_it(registry):
    kept = store(registry)
    add_number(Player.objects.get(family="Lund"), issuer="bmab", value="bo", by=None, at=AT)
    before = everything()
    with pytest.raises(Conflict) as refusal:
        undo_import(kept, by=registry.officer, at=AT)
    assert (refusal.value.code, everything()) == ("import_stands", before)


def test_a_preview_that_is_out_of_date_stores_nothing(registry):
    digest = preview(registry).digest
    create_person(Person("Bo", "Lund"), by=None, at=AT)
    told = {"name": "x", "chosen": {}, "digest": digest, "at": AT}
    with pytest.raises(Conflict) as refusal:
        import_members(registry.federation, FILE.encode(), by=registry.officer, **told)
    assert refusal.value.code == "preview_changed"
    with pytest.raises(Forbidden):
        import_members(registry.federation, FILE.encode(), by=registry.manager, **told)


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"a;b\n1;2\n", "members_without_name"), (b"name\n", "members_empty"), (b"PK\x03", "file_unreadable")],
)
def test_a_file_that_tells_of_nobody_is_refused(data, code):
    with pytest.raises(Refusal) as refusal:
        read_members(data)
    assert refusal.value.code == code


def test_a_workbook_is_read_as_well(registry):
    rows = [line.split(";") for line in FILE.splitlines()]
    assert read_members(workbook(rows)) == read_members(FILE.encode())


def test_an_import_asks_as_much_of_the_database_for_many_rows_as_for_few(registry, django_assert_max_num_queries):
    many = "family,given\n" + "".join(f"Name{number},Given\n" for number in range(300))
    for data in (FILE, many):
        with django_assert_max_num_queries(9):
            preview_members(registry.federation, data.encode(), chosen={}, by=registry.officer, at=AT)
    assert Club.objects.count() == 2
