"""A file of members: each row is told before anything is stored, stored as told, and taken back whole."""

from datetime import timedelta

import pytest

from players.errors import Conflict, Forbidden, Refusal
from players.models import Alias, Club, ExternalId, FormerValue, Membership, Player, RegistryImport
from players.registry.bodies import FederationData, create_federation
from players.registry.member_file import read_members
from players.registry.member_import import import_members, preview_members
from players.registry.member_undo import undo_import
from players.registry.memberships import Term, add_membership, change_membership
from players.registry.people import Person, create_person, edit_person
from players.registry.records import add_number
from tests.builders import AT
from tests.players.registry.people import YEAR, Registry, build_registry
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


def test_what_is_chosen_belongs_to_the_confirmation_and_not_to_what_was_shown(registry):
    digest = preview(registry).digest
    assert preview(registry, {4: "new"}).digest == digest
    told = {"name": "x", "chosen": {4: "new"}, "digest": digest, "by": registry.officer, "at": AT}
    assert import_members(registry.federation, FILE.encode(), **told).report["counts"]["new"] == 2


def test_a_candidate_who_has_changed_since_is_asked_about_anew(registry):
    digest = preview(registry).digest
    edit_person(carl("Vejle"), Person("Carl", "Berg", "NO", "Vejle"), by=None, at=AT)
    told = {"name": "x", "chosen": {4: str(carl("Vejle").pk)}, "digest": digest, "by": registry.officer, "at": AT}
    with pytest.raises(Conflict):
        import_members(registry.federation, FILE.encode(), **told)


def test_whoever_a_later_row_means_for_certain_cannot_be_chosen_before_it(registry):
    data = "name,club\nCarl Berg,\nCarl Berg,Vejle\n"
    found = outcomes(preview(registry, {2: str(carl("Vejle").pk)}, data))
    assert [(outcome, code) for outcome, code, _changes in found] == [("refused", "member_twice"), ("changed", "")]


def test_a_choice_that_changes_nothing_else_is_remembered_too(registry):
    store(registry, data="name,club\nCarl Berg,Vejle\n")
    chosen = {2: str(carl("Vejle").pk)}
    assert outcomes(preview(registry, chosen, "name\nCarl Berg\n")) == [("changed", "", ("spelling",))]
    store(registry, chosen, "name\nCarl Berg\n")
    assert preview(registry, data="name\nCarl Berg\n").fates[0].player == carl("Vejle")


def test_of_people_spelt_alike_the_club_tells_before_what_was_remembered(registry):
    store(registry, {2: str(carl("Vejle").pk)}, "name\nCarl Berg\n")
    data = "name;club\nCarl Berg;Odense\nCarl Berg;\nCarl Berg;\n"
    found = preview(registry, data=data)
    assert [fate.player for fate in found.fates] == [carl("Odense"), carl("Vejle"), None]
    assert [fate.outcome.value for fate in found.fates][2] == "ambiguous"


CLUBS = [
    ("OD", "Odense", True),
    ("odense", "Odense", True),
    ("VEJLE", "Vejle", False),
    ("Aabenraa", "Aabenraa", True),
    ("Åbenrå", "Åbenrå", True),
]


@pytest.mark.parametrize(("typed", "name", "is_own"), CLUBS, ids=[row[0] for row in CLUBS])
def test_a_club_is_one_of_the_federation_by_code_or_name_else_a_known_one_else_a_new_one_of_it(
    registry, typed, name, is_own
):
    known = set(Club.objects.values_list("name", flat=True))
    data = f"family,given,club\nLund,Bo,{typed}\nLund,Eva,{typed.upper()}\n"
    assert {fate.new_club for fate in preview(registry, data=data).fates} == ({""} if name in known else {name})
    kept = store(registry, data=data)
    club = Player.objects.get(name="Bo Lund").club
    assert (club.name, club.federation) == (name, registry.federation if is_own else None)
    assert club.players.filter(family="Lund").count() == 2
    undo_import(kept, by=registry.officer, at=AT)
    assert set(Club.objects.values_list("name", flat=True)) == known


def test_a_new_club_stays_where_others_are_in_it_by_then(registry):
    kept = store(registry, data="family,given,club\nLund,Bo,Ribe\n")
    create_person(Person("Eva", "Dahl", club="Ribe"), by=None, at=AT)
    undo_import(kept, by=registry.officer, at=AT)
    assert Club.objects.get(name="Ribe").federation == registry.federation


DOUBTFUL = [
    ("408,Lund,Asta,1961", "changed"),
    ("408,Lund,Asta,", "changed"),
    ("408,Holm,Asta,1962", "changed"),
    ("408,Holm,Asta Maria,1962", "changed"),
    ("408,Berg,Dan,1980", "ambiguous"),
    ("408,Lund,Asta,1980", "ambiguous"),
    ("408,Berg,Dan,1961", "changed"),
    ("408,Berg,Dan,", "ambiguous"),
    ("408,Berg,Eva,1990", "ambiguous"),
    ("408,Holm,Eva,1961", "ambiguous"),
]


@pytest.mark.parametrize(("row", "outcome"), DOUBTFUL, ids=[row[0] for row in DOUBTFUL])
def test_a_number_with_the_name_and_year_of_another_person_renames_nobody(registry, row, outcome):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    create_person(Person("Eva", "Berg", born="1990"), by=None, at=AT)
    create_person(Person("Eva", "Holm", born="1961"), by=None, at=AT)
    found = preview(registry, data=f"no,family,given,birth\n{row}\n").fates[0]
    assert (found.outcome.value, registry.holm in (found.player, *found.candidates)) == (outcome, True)


def test_who_is_chosen_for_a_mistyped_number_keeps_their_own_and_the_number_stays_that_of_its_holder(registry):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    eva = create_person(Person("Eva", "Berg", born="1990"), by=None, at=AT)
    add_number(eva, issuer="dbgf", value="409", by=None, at=AT)
    data = "no,family,given,birth\n408,Berg,Eva,1990-02-03\n"
    assert outcomes(preview(registry, {2: "new"}, data)) == [("refused", "number_taken", ())]
    store(registry, {2: str(eva.pk)}, data)
    assert dict(ExternalId.objects.values_list("value", "player")) == {"408": registry.holm.pk, "409": eva.pk}
    eva.refresh_from_db()
    assert (eva.name, str(eva.birth_date)) == ("Eva Berg", "1990-02-03")


@pytest.mark.parametrize("row", ["family,given,birth\nHOLM,ASTA,1961\n", "name,birth\nAsta HOLM,1961\n"])
def test_a_row_in_capitals_changes_no_name(registry, row):
    assert outcomes(preview(registry, data=row)) == [("same", "", ())]


def test_a_name_written_as_one_does_not_divide_a_known_one_anew(registry):
    create_person(Person("Bo", "van Lund", born="1980"), by=None, at=AT)
    found = outcomes(preview(registry, data="name,birth\nBo van Lund,1980\n"))
    assert found == [("changed", "", ("membership",))]


@pytest.mark.parametrize("born", ["2031", str(AT.date() + timedelta(days=1))])
def test_nobody_is_born_in_the_future(registry, born):
    found = outcomes(preview(registry, data=f"family,given,birth\nLund,Bo,{born}\n"))
    assert found == [("refused", "birth_in_future", ())]
    with pytest.raises(Refusal) as refusal:
        create_person(Person("Bo", "Lund", born=born), by=None, at=AT)
    assert refusal.value.code == "birth_in_future"


KINDS = {
    "ordinary": "ordinary Ordinær ordinarie ORDENTLICH ordinært",
    "introduction": "introduktion prova-på introduksjon Schnuppermitglied",
    "youth": "ungdom Jugend",
    "honorary": "æresmedlem hedersmedlem Ehrenmitglied",
    "guest": "gæst gäst gjest Gast",
}


def test_a_kind_is_read_in_the_languages_of_the_pages():
    words = [(word, kind) for kind, found in KINDS.items() for word in found.split()]
    rows = "".join(f"Holm,Asta,{word}\n" for word, _kind in words)
    lines = read_members(f"family,given,kind\n{rows}Holm,Asta,royal\n".encode())
    assert [line.kind for line in lines[:-1]] == [kind for _word, kind in words]
    assert lines[-1].code == "kind_unknown"


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


def test_somebody_whom_another_federation_keeps_is_unknown_to_the_file(registry):
    other = create_federation(FederationData("nbf", "Norges Backgammonforbund", "NOR", "", 1, 1, ""), by=None)
    kept = create_person(Person("Eva", "Dahl"), by=None, at=AT)
    add_membership(kept, other, kind="ordinary", term=YEAR, by=None)
    add_number(kept, issuer=registry.federation.issuer, value="77", by=None, at=AT)
    found = outcomes(preview(registry, data="no;family;given\n;Dahl;Eva\n77;Dahl;Eva\n"))
    assert found == [("new", "", ()), ("refused", "number_taken", ())]


def test_an_import_stays_where_a_membership_that_it_made_has_been_changed(registry):
    kept = store(registry)
    made = Membership.objects.get(player__name="Bo Lund")
    change_membership(made, term=Term(made.starts, made.ends, AT.date()), by=None)
    before = everything()
    with pytest.raises(Conflict):
        undo_import(kept, by=registry.officer, at=AT)
    assert everything() == before


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
    few, many = (
        "no,family,given,club\n"
        + "".join(f"{number},Name{number},Given,{club}\n" for number in range(first, first + count))
        for first, count, club in ((100, 20, "Odense"), (200, 300, "Ribe"))
    )
    for data in (few, many):
        with django_assert_max_num_queries(11):
            preview(registry, data=data)
        with django_assert_max_num_queries(60):
            kept = store(registry, data=data)
        renewed = data.replace("club", "club,paid", 1).replace("e\n", "e,2026-01-02\n")
        with django_assert_max_num_queries(40):
            paid = store(registry, data=renewed)
        assert paid.report["counts"]["changed"] == len(data.splitlines()) - 1
        with django_assert_max_num_queries(40):
            undo_import(paid, by=registry.officer, at=AT)
        with django_assert_max_num_queries(120):
            undo_import(kept, by=registry.officer, at=AT)
    assert Club.objects.count() == 2
