"""The preview of an import: it tells the fate of each row, stores nothing, and is what then happens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.errors import Conflict, Refusal
from players.models import Club, Player
from players.services import create_player
from tests.breadth import few
from tests.builders import AT, build_director, build_event
from tests.fresh import ExampleTestCase
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import set_door
from tournament.entries.imports import ListPreview, Outcome, import_entries, preview_import
from tournament.entries.lists import EntryLine, parse_file
from tournament.entries.services import add_entries
from tournament.models import Entry, Event, LogEntry


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=0, drawn=False)


def lines_of(text: str) -> list[EntryLine]:
    return parse_file(text.encode())


def preview(event: Event, text: str) -> ListPreview:
    return preview_import(event, lines=lines_of(text), at=AT)


def confirm(event: Event, text: str, digest: str) -> list[Entry]:
    return import_entries(event, lines=lines_of(text), digest=digest, by=None, at=AT)


def stored() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Entry, Player, Club, LogEntry))


def outcomes(shown: ListPreview) -> list[tuple[str, str, str]]:
    return [(fate.name, str(fate.outcome), fate.code) for fate in shown.fates]


LIST = """name;club;seed
Anna;Odense;1
Bo;;
BO;;
Carl;;first
Dora;?!;
Eva;;1
?!;;
Finn;Malmö;2
"""


def test_fate_of_each_row_is_told_and_nothing_is_stored(event):
    known = create_player(name="Bo", club="Lund", at=AT)
    for club in ("A", "B"):
        create_player(name="Finn", club=club, at=AT)
    before = stored()
    shown = preview(event, LIST)
    assert stored() == before
    assert outcomes(shown) == [
        ("Anna", "enters", ""),
        ("Bo", "enters", ""),
        ("BO", "already", "entry_twice"),
        ("Carl", "refused", "seed_invalid"),
        ("Dora", "refused", "name_empty"),
        ("Eva", "refused", "seed_taken"),
        ("?!", "refused", "name_empty"),
        ("Finn", "enters", ""),
    ]
    people = [(one.name, one.club, one.player_id) for fate in shown.entered for one in fate.people]
    assert people == [("Anna", "Odense", None), ("Bo", "Lund", known.pk), ("Finn", "Malmö", None)]


def test_name_of_several_players_is_refused_in_its_row_alone(event):
    for club in ("A", "B"):
        create_player(name="Finn", club=club, at=AT)
    assert outcomes(preview(event, "name\nFinn\nGry\n")) == [
        ("Finn", "refused", "player_ambiguous"),
        ("Gry", "enters", ""),
    ]


def test_confirmation_enters_what_was_shown_and_leaves_the_rest_out(event):
    shown = preview(event, LIST)
    entered = confirm(event, LIST, shown.digest)
    assert [entry.name for entry in entered] == ["Anna", "Bo", "Finn"]
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Anna", "Bo", "Finn"]
    assert sorted(Club.objects.values_list("name", flat=True)) == ["Malmö", "Odense"]
    row = event.log.first()
    assert (row.verb, row.detail["names"]) == ("add_entries", ["Anna", "Bo", "Finn"])


def test_beyond_the_limit_rows_wait(event):
    set_door(event, max_entries=2, check_in=False, late_minutes=None, by=None, at=AT)
    text = "name\nAnna\nAnna\nBo\nCarl\n"
    shown = preview(event, text)
    assert [str(fate.outcome) for fate in shown.fates] == ["enters", "already", "enters", "waits"]
    assert [entry.waiting for entry in confirm(event, text, shown.digest)] == [False, False, True]


def test_late_rows_take_the_byes_that_are_left(director):
    event = build_event(director, players=6)
    text = "name\nAnna\nPlayer 1\nBo\nCarl\n"
    shown = preview(event, text)
    assert [(str(fate.outcome), fate.code, fate.bye) for fate in shown.fates] == [
        ("enters", "", True),
        ("already", "entry_twice", False),
        ("enters", "", True),
        ("refused", "no_bye_left", False),
    ]
    assert [entry.name for entry in confirm(event, text, shown.digest)] == ["Anna", "Bo"]
    store_standings(event.pk)
    assert audit_event(event) == []


def test_preview_of_another_moment_is_not_confirmed(event):
    text = "name\nAnna\nBo\n"
    shown = preview(event, text)
    add_entries(event, lines=[EntryLine(name="Bo")], by=None, at=AT)
    before = stored()
    with pytest.raises(Conflict) as refused:
        confirm(event, text, shown.digest)
    assert (refused.value.code, stored()) == ("preview_changed", before)


def test_new_player_who_became_known_meanwhile_is_not_confirmed(event):
    shown = preview(event, "name\nAnna\n")
    create_player(name="Anna", at=AT)
    with pytest.raises(Conflict) as refused:
        confirm(event, "name\nAnna\n", shown.digest)
    assert refused.value.code == "preview_changed"


def test_other_rows_are_not_confirmed_by_the_same_digest(event):
    shown = preview(event, "name\nAnna\n")
    with pytest.raises(Conflict) as refused:
        confirm(event, "name\nAnne\n", shown.digest)
    assert refused.value.code == "preview_changed"


def test_list_without_anybody_to_enter_is_refused(event):
    text = "name\n?!\n"
    with pytest.raises(Refusal) as refused:
        confirm(event, text, preview(event, text).digest)
    assert refused.value.code == "nothing_to_enter"


def test_event_that_takes_nobody_is_refused_as_a_whole(director):
    event = build_event(director, players=4, format="swiss")
    event.finished_at = AT
    event.save()
    with pytest.raises(Conflict) as refused:
        preview(event, "name\nAnna\n")
    assert refused.value.code == "event_finished"


def test_pairs_and_teams_tell_everybody_in_a_row(director):
    create_player(name="Anna", at=AT)
    pairs = build_event(director, players=0, drawn=False, doubles=True)
    shown = preview(pairs, "name,partner\nAnna,Bo\nCarl,Carl\nBo,Dora\nEva,\n")
    assert outcomes(shown) == [
        ("Anna & Bo", "enters", ""),
        ("Carl & Carl", "refused", "pair_of_one"),
        ("Bo & Dora", "already", "entry_twice"),
        ("Eva", "refused", "pair_incomplete"),
    ]
    assert [one.player_id is None for one in shown.fates[0].people] == [False, True]
    teams = build_event(director, players=0, drawn=False, boards=3, tournament=pairs.tournament, name="Teams")
    shown = preview(teams, 'team;members\nReds;"Anna, Bo, Carl"\nBlues;Dora\nReds;"Eva, Finn, Gry"\n')
    assert [(fate.name, fate.code, len(fate.people)) for fate in shown.fates] == [
        ("Reds", "", 3),
        ("Blues: Dora", "team_size", 0),
        ("Reds: Eva, Finn, Gry", "team_name_taken", 0),
    ]


NAMES = ["Anna", "Bo", "Carl", "Dora", "Eva", "anna", "BO ", "?!", "x" * 90, "Anna & Bo", "Carl & Dora"]
ROWS = st.lists(
    st.builds(
        EntryLine,
        name=st.sampled_from(NAMES),
        club=st.sampled_from(["", "Odense", "Lund", "?!"]),
        country=st.sampled_from(["", "DK", "Denmark"]),
        seed=st.one_of(st.none(), st.integers(0, 4)),
        bad_seed=st.sampled_from(["", "", "", "x"]),
    ),
    min_size=1,
    max_size=12,
)


class PreviewIsWhatHappens(ExampleTestCase):
    @settings(max_examples=few(30))
    @given(
        rows=ROWS,
        known=st.lists(st.tuples(st.sampled_from(NAMES[:5]), st.sampled_from(["", "Odense", "Lund"])), max_size=5),
        entered=st.integers(0, 6),
        limit=st.sampled_from([None, 2, 4, 8]),
        shape=st.sampled_from([{}, {"doubles": True}, {"format": "jackpot", "options": {"size": "4"}}]),
        drawn=st.booleans(),
        seed=st.integers(0, 99),
    )
    def test_entries_are_those_of_the_preview(self, rows, known, entered, limit, shape, drawn, seed):
        lines = [EntryLine(**{**fields(row), "line": number}) for number, row in enumerate(rows, start=2)]
        for name, club in known:
            create_player(name=name, club=club, at=AT)
        doubles = "doubles" in shape
        event = build_event(build_director(), players=0, drawn=False, seed=str(seed), **shape)
        if entered:
            there = [f"P{n} & Q{n}" if doubles else f"P{n}" for n in range(entered)]
            add_entries(event, lines=[EntryLine(name=name) for name in there], by=None, at=AT)
        set_door(event, max_entries=limit, check_in=False, late_minutes=None, by=None, at=AT)
        if drawn and event.entries.filter(waiting=False).count() >= 4:
            make_draw(event, by=None, at=AT)
        before = {entry.pk for entry in event.entries.all()}
        players = set(Player.objects.values_list("pk", flat=True))
        counted = stored()
        shown = preview_import(event, lines=lines, at=AT)
        assert stored() == counted
        assert len(shown.fates) == len(lines)
        if not shown.entered:
            return
        import_entries(event, lines=lines, digest=shown.digest, by=None, at=AT)
        made = event.entries.exclude(pk__in=before).select_related("player__club", "partner__club").order_by("number")
        assert [told(entry, players) for entry in made] == [
            (
                fate.name,
                fate.line.seed,
                fate.outcome is Outcome.WAITS,
                fate.bye,
                [(one.name, one.club, one.country, one.player_id) for one in fate.people],
            )
            for fate in shown.entered
        ]
        store_standings(event.pk)
        assert audit_event(event) == []


def fields(line: EntryLine) -> dict[str, object]:
    return {name: getattr(line, name) for name in ("name", "club", "country", "seed", "bad_seed")}


def told(entry: Entry, known: set[int]) -> tuple[object, ...]:
    people = [
        (one.name, one.club.name if one.club else "", one.country, one.pk if one.pk in known else None)
        for one in entry.people
    ]
    return entry.name, entry.seed, entry.waiting, bool(entry.bye_taken), people
