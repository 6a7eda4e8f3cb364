import pytest

from players.errors import Conflict, Refusal
from players.models import Player
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine, parse_pasted
from tournament.entries.services import add_entries, remove_entry, seed_entry


@pytest.fixture
def event(director):
    return build_event(director, players=0, drawn=False)


def enter(event, *lines: EntryLine):
    return add_entries(event, lines=lines, by=None, at=AT)


def test_entries_keep_their_order_and_make_new_players(event):
    enter(event, EntryLine(name="Bo", club="Aarhus", country="dk"), EntryLine(name="Ann", line=2))
    entries = event.entries.select_related("player__club")
    assert [(entry.number, entry.player.name) for entry in entries] == [(1, "Bo"), (2, "Ann")]
    assert (entries[0].player.country, entries[0].player.club.name) == ("DK", "Aarhus")


def test_a_country_is_the_same_by_any_of_its_codes(event, director):
    add_entries(event, lines=parse_pasted("Dan Ioc; ; DEN\nEve New; ; XYZ"), by=director, at=AT)
    dan, eve = Player.objects.filter(name__in=["Dan Ioc", "Eve New"]).order_by("name")
    assert (dan.country, eve.country) == ("DK", "XYZ")
    for code in ("DEN", "dnk", "DK"):
        with pytest.raises(Refusal) as refused:
            add_entries(event, lines=parse_pasted(f"Dan Ioc; ; {code}"), by=director, at=AT)
        assert refused.value.code == "entry_twice"
    add_entries(event, lines=parse_pasted("Dan Ioc; ; SWE"), by=director, at=AT)
    assert Player.objects.filter(name="Dan Ioc", country="SE").count() == 1


def test_known_player_is_found_whatever_accents_and_case_are_typed(event):
    known = create_player(name="Søren Ærø", club="Malmö", at=AT)
    enter(event, EntryLine(name="soren  ÆRØ"))
    assert [entry.player for entry in event.entries.select_related("player")] == [known]


def test_another_club_is_another_player(event):
    create_player(name="Ann", club="Malmö", at=AT)
    enter(event, EntryLine(name="Ann", club="Lund"))
    assert Player.objects.filter(name="Ann").count() == 2


def test_player_chosen_by_id_is_entered(event):
    first, second = (create_player(name="Ann", club=club, at=AT) for club in ("Malmö", "Lund"))
    enter(event, EntryLine(name="Ann", player_id=second.pk))
    assert event.entries.get().player == second
    assert first != second


@pytest.mark.parametrize(
    ("lines", "code", "message"),
    [
        ((), "entries_empty", "The list contains no players."),
        (
            (EntryLine(name="Bo"), EntryLine(name="BO", line=2)),
            "entry_twice",
            "Line 2: Bo is already entered.",
        ),
        (
            (EntryLine(name="Bo", seed=1), EntryLine(name="Cyd", seed=1, line=2)),
            "seed_taken",
            "Line 2: Seed 1 is already taken or out of range.",
        ),
        ((EntryLine(name="Bo"), EntryLine(name="?!", line=2)), "name_empty", None),
        ((EntryLine(name="x" * 81),), "name_too_long", None),
        ((EntryLine(name="Bo\x07"),), "name_unprintable", None),
        ((EntryLine(name="Bo", country="Denmark"),), "country_unknown", None),
        ((EntryLine(name="Bo", player_id=987654),), "player_unknown", None),
    ],
)
def test_impossible_list_enters_nobody(event, lines, code, message):
    version = event.version
    with pytest.raises(Refusal) as refused:
        enter(event, *lines)
    event.refresh_from_db()
    assert (refused.value.code, event.entries.count(), Player.objects.count()) == (code, 0, 0)
    assert event.version == version
    assert message is None or str(refused.value) == message


def test_name_of_several_players_asks_which_one_is_meant(event):
    for club in ("Malmö", "Lund"):
        create_player(name="Ann", club=club, at=AT)
    with pytest.raises(Refusal) as refused:
        enter(event, EntryLine(name="Ann"))
    assert refused.value.code == "player_ambiguous"


def test_entry_can_be_seeded_and_taken_out_before_the_draw(event):
    ann, bo = enter(event, EntryLine(name="Ann"), EntryLine(name="Bo", line=2))
    seed_entry(ann, seed=1, by=None, at=AT)
    with pytest.raises(Refusal) as refused:
        seed_entry(bo, seed=1, by=None, at=AT)
    remove_entry(bo, by=None, at=AT)
    assert refused.value.code == "seed_taken"
    assert list(event.entries.values_list("player__name", "seed")) == [("Ann", 1)]


def test_entry_taken_out_twice_is_a_conflict(event):
    (ann,) = enter(event, EntryLine(name="Ann"))
    remove_entry(ann, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        remove_entry(ann, by=None, at=AT)
    assert refused.value.code == "entry_gone"


def test_a_jackpot_fills_while_it_is_played_and_takes_players_who_are_out_again(director):
    event = build_event(director, players=4, format="jackpot", options={"size": "4"})
    (match, *_) = open_matches(event)
    win(match, Side.A)
    loser = match.side_b
    for line in (
        EntryLine(name=loser.name),
        EntryLine(name=loser.name),
        EntryLine(name="Late"),
        EntryLine(name="Later"),
    ):
        enter(event, line)
    brackets = event.stages.get().fixtures.values_list("bracket", flat=True)
    assert set(brackets) == {"JA"}
    enter(event, EntryLine(name="Last"))
    sides = {
        frozenset((match.side_a.name, match.side_b.name))
        for match in open_matches(event)
        if match.fixture.bracket == "JB"
    }
    assert frozenset().union(*sides) == {loser.name, "Late", "Later", "Last"}
    store_standings(event.pk)
    assert audit_event(event) == []


def test_entries_are_closed_by_the_draw(director):
    event = build_event(director, players=4)
    with pytest.raises(Conflict) as refused:
        enter(event, EntryLine(name="Late"))
    assert refused.value.code == "no_bye_left"
    for change in (
        lambda: remove_entry(event.entries.first(), by=None, at=AT),
        lambda: seed_entry(event.entries.first(), seed=1, by=None, at=AT),
    ):
        with pytest.raises(Conflict) as refused:
            change()
        assert refused.value.code == "event_drawn"
