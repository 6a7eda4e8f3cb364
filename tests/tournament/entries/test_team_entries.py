"""Teams are entered whole, with their members in the order of the boards."""

import pytest

from players.errors import Refusal
from tests.builders import AT, build_event, play_out
from tests.tournament.entries.test_teams import seats_of
from tournament.audit import audit_event
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine, parse_csv, parse_pasted, parse_team
from tournament.entries.services import add_entries
from tournament.formats.drawing import draw_hash
from tournament.formats.plan import Entrant
from tournament.models import Entry, Event, Member, Stage
from tournament.snapshot import take_snapshot


@pytest.fixture
def open_event(director):
    return build_event(director, players=0, boards=3, drawn=False)


def enter(event: Event, text: str) -> list[Entry]:
    return add_entries(event, lines=parse_pasted(text), by=None, at=AT)


def test_a_team_is_entered_with_its_members_in_the_order_of_the_boards(open_event):
    enter(open_event, "Odense Bulldogs: Anna Berg, Bo Holm (Malmö), Carl Xu, Dora Vang; Odense; DK")
    entry = open_event.entries.get()
    people = [(person.name, person.club.name, person.country) for person in entry.people]
    assert (entry.name, people) == (
        "Odense Bulldogs",
        [
            ("Anna Berg", "Odense", "DK"),
            ("Bo Holm", "Malmö", "DK"),
            ("Carl Xu", "Odense", "DK"),
            ("Dora Vang", "Odense", "DK"),
        ],
    )
    (view,) = take_snapshot(open_event.pk).entries
    assert [(member.board, member.name) for member in view.members] == [
        (1, "Anna Berg"),
        (2, "Bo Holm"),
        (3, "Carl Xu"),
        (4, "Dora Vang"),
    ]
    # All are of one country, and not of one club.
    assert (view.club, view.country) == ("", "DK")


@pytest.mark.parametrize(
    "text",
    [
        'name,seed\n"Bulldogs: Anna, Bo, Carl",2\n',
        "team;members;seed\nBulldogs;Anna, Bo, Carl;2\n",
        "Hold\tMedlemmer\tSeedning\nBulldogs\tAnna, Bo, Carl\t2\n",
    ],
)
def test_a_file_names_teams_with_their_members(open_event, text):
    add_entries(open_event, lines=parse_csv(text.encode()), by=None, at=AT)
    entry = open_event.entries.get()
    assert (entry.name, [person.name for person in entry.people], entry.seed) == ("Bulldogs", ["Anna", "Bo", "Carl"], 2)


def test_a_file_of_one_column_needs_no_quotes(open_event):
    add_entries(open_event, lines=parse_csv(b"name\nBulldogs: Anna, Bo, Carl\n"), by=None, at=AT)
    assert [person.name for person in open_event.entries.get().people] == ["Anna", "Bo", "Carl"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Bulldogs: Anna, Bo", "team_size"),
        ("Bulldogs", "team_size"),
        ("Bulldogs: " + ", ".join(f"Anna {number}" for number in range(21)), "team_size"),
        (": Anna, Bo, Carl", "name_empty"),
        ("Bulldogs: Anna, Bo, anna", "entry_twice"),
        ("Bulldogs: Anna, Bo, Carl\nKings: Dora, Eva, Carl", "entry_twice"),
        ("Bulldogs: Anna, Bo, Carl\nKings: Dora, Eva, Finn, Anna", "entry_twice"),
        ("Bulldogs: Anna, Bo, Carl\nBULLDOGS: Dora, Eva, Finn", "team_name_taken"),
    ],
)
def test_an_impossible_team_enters_nobody(open_event, text, code):
    with pytest.raises(Refusal) as refused:
        enter(open_event, text)
    assert (refused.value.code, open_event.entries.count(), Member.objects.count()) == (code, 0, 0)


def test_nobody_is_in_two_teams_even_if_they_are_entered_one_after_the_other(open_event):
    enter(open_event, "Bulldogs: Anna, Bo, Carl, Dora")
    with pytest.raises(Refusal, match="Line 1: Dora is already entered"):
        enter(open_event, "Kings: Eva, Finn, Gry, Dora")


def test_only_events_of_teams_take_members(director):
    event = build_event(director, players=0, drawn=False)
    line = EntryLine(name="Bulldogs", members=(EntryLine(name="Anna"),))
    with pytest.raises(Refusal) as refused:
        add_entries(event, lines=[line], by=None, at=AT)
    assert refused.value.code == "event_without_teams"


def test_a_team_that_is_out_of_a_jackpot_enters_again_as_a_whole(director):
    event = build_event(director, players=8, boards=3, format="jackpot", lengths=(1,))
    play_out(event)
    first = event.entries.order_by("number").first()
    members = ", ".join(person.name for person in first.people)
    with pytest.raises(Refusal, match="is already entered"):
        enter(event, "Another: " + members)
    enter(event, f"{first.team}: {members}")
    assert [entry.name for entry in event.entries.filter(team=first.team)] == ["Team 1", "Team 1 (2)"]
    store_standings(event.pk)
    assert audit_event(event) == []


def test_the_hash_before_the_draw_covers_the_members(open_event):
    enter(open_event, "Bulldogs: Anna, Bo, Carl\nKings: Dora, Eva, Finn, Gry")
    stage = open_event.stages.get()
    field = [
        Entrant(1, "Bulldogs", members=("Anna", "Bo", "Carl")),
        Entrant(2, "Kings", members=("Dora", "Eva", "Finn", "Gry")),
    ]
    before = take_snapshot(open_event.pk).stage.draw_hash
    assert before == draw_hash(stage.seed, field)
    Member.objects.filter(board=4).delete()
    assert take_snapshot(open_event.pk).stage.draw_hash != before


def test_teams_of_one_club_are_kept_apart(director):
    event = build_event(director, players=0, boards=3, drawn=False, options={"protect": "club"})
    clubs = ("Odense", "Odense", "", "Lund")
    for number, club in enumerate(clubs):
        names = ", ".join(f"{name} {number}" for name in ("Anna", "Bo", "Carl"))
        enter(event, f"Team {number}: {names}; {club}")
    for seed in range(20):
        Stage.objects.filter(event=event).update(seed=str(seed))
        make_draw(event, by=None, at=AT)
        assert {"Team 0", "Team 1"} not in [set(seats_of(event, key)) for key in ("M1-1", "M1-2")]
        cancel_draw(event, by=None, at=AT)


def test_a_line_of_a_team_is_read():
    line = parse_team(EntryLine(name="Kings: Anna , Bo (Malmö),, Carl", club="Lund", country="SE", line=4))
    assert (line.name, [(member.name, member.club, member.country, member.line) for member in line.members]) == (
        "Kings",
        [("Anna", "Lund", "SE", 4), ("Bo", "Malmö", "SE", 4), ("Carl", "Lund", "SE", 4)],
    )
