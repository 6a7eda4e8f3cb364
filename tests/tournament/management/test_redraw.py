from datetime import timedelta
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.breadth import some
from tests.builders import AT, SEED, build_event, claim, open_matches, play_out
from tournament.draw.make import make_draw
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.formats import FORMATS
from tournament.models import Entry, Event, Fixture
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db

NAME = "friday-club/main"


def redraw(*arguments: str) -> tuple[int, list[str]]:
    out, code = StringIO(), 0
    try:
        call_command("redraw", NAME, *arguments, stdout=out)
    except SystemExit as end:
        code = end.code
    return code, out.getvalue().splitlines()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("players", some([5, 2, 11], 2))
@pytest.mark.parametrize("played", [False, True])
def test_published_seed_gives_the_published_draw_before_and_after_play(director, format, players, played):
    players = max(players, FORMATS[format].min_entrants)
    event = build_event(director, players=players, format=format)
    if played:
        play_out(event)
    code, lines = redraw()
    seed = event.stages.get().seed
    assert (code, lines[-1]) == (0, "This is the published draw.")
    assert lines[-2] == f"Seed {seed}, SHA-256 {sha256(seed.encode()).hexdigest()}, {players} entries."
    assert sorted(line.split("\t")[0] for line in lines[:-2]) == sorted(Fixture.objects.values_list("key", flat=True))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("played", [False, True])
def test_published_links_give_the_published_draw_before_and_after_play(director, format, played):
    event = build_event(director, players=9, format=format, seed="")
    if played:
        play_out(event)
    code, lines = redraw()
    told = [line for line in lines if "\t" not in line]
    first = event.stages.get().urns.order_by("number").first()
    assert (code, told[-1]) == (0, "This is the published draw.")
    assert told[0] == f"Anchor {event.draw_chains.get().anchor}, 9 entries."
    assert told[1] == f"Link 1 ({first.scope}) {first.link}, digest {first.digest}."
    assert len(told) == 2 + event.stages.get().urns.count()


def test_links_that_lead_elsewhere_and_options_for_seeds_are_refused(director):
    event = build_event(director, players=4, seed="")
    with pytest.raises(CommandError, match="drawn by lots"):
        redraw("--seed", "00")
    event.stages.get().urns.update(document="{}")
    with pytest.raises(CommandError, match="digest of draw"):
        redraw()
    event.stages.get().urns.update(link="0" * 64)
    with pytest.raises(CommandError, match="Link 1"):
        redraw()


@pytest.mark.parametrize("seed", [SEED, ""])
@pytest.mark.parametrize("format", ["swiss", "monrad", "swiss-lives"])
def test_a_round_is_drawn_again_from_the_results_known_when_it_was_paired(director, format, seed):
    """Two rounds are over when a result of the first is corrected; the third is paired by what is known by then."""
    event = build_event(director, players=8, format=format, seed=seed)
    at = AT
    for _round in (1, 2):
        for match in open_matches(event):
            at += timedelta(minutes=5)
            enter_result(match, claim=claim(final=(match.length, 0)), by=director, at=at)
    first = Fixture.objects.get(key="S1-1").match
    misread = claim(final=(0, first.length), base=1, reason="misread")
    enter_result(first, claim=misread, may_repair=True, by=director, at=at + timedelta(hours=1))
    assert redraw()[1][-1] == "This is the published draw."
    one, two = Fixture.objects.filter(key__in=["S2-1", "S2-2"]).order_by("key")
    Fixture.objects.filter(pk=one.pk).update(entry_a=two.entry_a)
    assert redraw()[0] == 1


def test_a_protected_draw_is_made_again_from_a_published_list(director, tmp_path: Path):
    event = build_event(director, players=0, drawn=False, options={"protect": "club"})
    lines = [EntryLine(name=f"Player {number}", club=f"Club {number % 3}", country="DK") for number in range(12)]
    add_entries(event, lines=lines, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    rows = "".join(f"{line.name},{line.club},{line.country}\n" for line in lines)
    (tmp_path / "list.csv").write_text(f"name,club,country\n{rows}")
    assert redraw("--entries", str(tmp_path / "list.csv"))[0] == 0


def test_draw_is_printed_with_one_line_for_each_pairing(director):
    build_event(director, players=3)
    _code, lines = redraw()
    drawn = [line.split("\t") for line in lines[:-2]]
    names = {name for _key, a, b in drawn for name in (a, b)}
    assert names == {"Player 1", "Player 2", "Player 3", "bye", "winner:M1-1", "winner:M1-2"}
    assert drawn[2] == ["M2-1", "winner:M1-1", "winner:M1-2"]


def test_another_seed_gives_another_draw(director):
    build_event(director, players=16)
    code, lines = redraw("--seed", "another")
    assert code == 1
    assert lines[-1].startswith("This is not the published draw. It differs in: M1-1, ")


def test_entries_may_come_from_a_published_list(director, tmp_path: Path):
    event = build_event(director, players=0, drawn=False, options={"seeding": "seeded"})
    entered = [EntryLine(name=name, seed=seed) for name, seed in [("Åse", None), ("Bo", 2), ("Cy", 1), ("Di", None)]]
    add_entries(event, lines=entered, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    (tmp_path / "list.csv").write_text("name,seed\nÅse,\nBo,2\nCy,1\nDi,\n")
    assert redraw("--entries", str(tmp_path / "list.csv"))[0] == 0
    (tmp_path / "list.csv").write_text("name,seed\nÅse,\nBo,1\nCy,2\nDi,\n")
    assert redraw("--entries", str(tmp_path / "list.csv"))[0] == 1


def test_pasted_names_are_enough_for_a_random_draw(director, tmp_path: Path):
    build_event(director, players=9)
    names = list(Entry.objects.order_by("number").values_list("player__name", flat=True))
    (tmp_path / "list.txt").write_text("\n".join(names))
    assert redraw("--entries", str(tmp_path / "list.txt"))[0] == 0
    (tmp_path / "list.txt").write_text("\n".join([*names[1:], names[0]]))
    assert redraw("--entries", str(tmp_path / "list.txt"))[0] == 1


def test_tampered_draw_is_named(director):
    build_event(director, players=8)
    one, two = Fixture.objects.filter(key__in=["M1-1", "M1-4"]).order_by("key")
    Fixture.objects.filter(pk=one.pk).update(entry_a=two.entry_a)
    code, lines = redraw()
    assert (code, lines[-1]) == (1, "This is not the published draw. It differs in: M1-1.")


def test_seed_stays_secret_before_the_draw(director):
    build_event(director, drawn=False)
    with pytest.raises(CommandError, match="not been drawn") as caught:
        redraw()
    assert Event.objects.get().stages.get().seed not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [(None, "cannot be read"), (b"\xff\xfe", "not UTF-8 text"), (b"Ann", "2 to 1024 entrants")],
)
def test_impossible_list_is_refused(director, tmp_path: Path, data, message):
    build_event(director, players=2)
    path = tmp_path / "list.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(CommandError, match=message):
        redraw("--entries", str(path))


def test_a_draw_by_lots_names_late_and_replaced_players(director):
    event = build_event(director, players=6, seed="")
    add_entries(event, lines=[EntryLine(name="Late")], by=None, at=AT)
    replace_player(event.entries.get(number=2), line=EntryLine(name="Instead"), by=None, at=AT)
    code, lines = redraw()
    commitment = event.stages.get().draw_hash
    assert code == 0
    assert f"Hash of terms and entries, {commitment}: the one that was published with the draw." in lines
    assert "Replaced: Instead plays for Player 2, who was drawn." in lines


@pytest.mark.parametrize("format", ["single-elimination", "consolation"])
def test_draw_is_verified_as_it_was_made_and_late_and_replaced_players_are_named(director, format, tmp_path: Path):
    event = build_event(director, players=6, format=format)
    _code, drawn = redraw()
    published = tmp_path / "entries.txt"
    published.write_text("".join(f"{entry.name}\n" for entry in event.entries.all()))
    (late,) = add_entries(event, lines=[EntryLine(name="Late")], by=None, at=AT)
    replaced = event.entries.get(number=2)
    replace_player(replaced, line=EntryLine(name="Instead"), by=None, at=AT)
    code, lines = redraw()
    commitment = event.stages.get().draw_hash
    assert code == 0
    assert lines[: len(drawn) - 2] == drawn[:-2]
    assert lines[len(drawn) - 2 :] == [
        "Replaced: Instead plays for Player 2, who was drawn.",
        f"Late: Late took the bye of M1-{late.bye_taken}.",
        f"Hash of seed and entry list, {commitment}: the one that was published with the draw.",
        *drawn[-2:],
    ]
    assert redraw("--entries", str(published))[0] == 0
    play_out(event)
    assert redraw()[0] == 0


def test_a_buy_in_bracket_is_drawn_again_from_the_results_that_closed_buy_ins(director):
    event = build_event(director, players=8, format="buy-in")
    for match in open_matches(event):
        enter_result(match, claim=claim(final=(match.length, 0)), by=director, at=AT)
    beaten = [fixture.entry_b.player.name for fixture in Fixture.objects.filter(bracket="M", round=1)]
    add_entries(event, lines=[EntryLine(name=name, line=1) for name in beaten], by=director, at=AT)
    play_out(event)
    assert Fixture.objects.filter(bracket="B").count() == 3
    assert redraw()[1][-1] == "This is the published draw."
