import random
import stat
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from matches.models import GameLine, Scoresheet
from players.errors import Refusal
from players.models import Player, RankingList, User
from players.services import create_player
from rules.profiles import PROFILES
from rules.score import Ending
from rules.sheet import Terms, check_sheet
from tests.breadth import some
from tests.builders import AT, after_each_save, build_director, build_event
from tournament.audit import audit_everything
from tournament.formats import FORMATS
from tournament.formats.knockout import FINAL_EIGHT
from tournament.management.demo.games import random_match
from tournament.management.demo.login import director_login, ensure_director
from tournament.management.demo.names import CLUBS, FIRST_NAMES, LAST_NAMES
from tournament.management.demo.scenes import Scene, Until, build_demo
from tournament.management.demo.weekend import build_first_demo
from tournament.models import Event, Fixture, Tournament
from tournament.snapshot import FixtureState, take_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def build(
    format: str = "single-elimination",
    players: int = 8,
    until: str = "end",
    seed: int = 1,
    by: User | None = None,
    lengths: tuple[int, ...] = (5, 3),
):
    """The event of a demo with one event."""
    by = by or User.objects.filter(username="director").first() or build_director()
    scene = Scene("Main", format, players, lengths, Until.parse(until))
    return build_demo(scene, by=by, seed=seed, now=AT).events.get()


def story(event: Event) -> list[tuple]:
    """Everything that happened in an event, without the ids of rows."""
    names = {entry.id: entry.name for entry in take_snapshot(event.pk).entries}
    told = []
    for fixture in take_snapshot(event.pk).stage.fixtures:
        sides = tuple(seat.entry and names[seat.entry.id] for seat in (fixture.a, fixture.b))
        told.append((fixture.key, *sides, fixture.sheet and fixture.sheet.games, fixture.sheet and fixture.sheet.at))
    return told


def states(event: Event) -> dict[FixtureState, int]:
    fixtures = take_snapshot(event.pk).stage.fixtures
    return {state: sum(f.state is state for f in fixtures) for state in FixtureState if state is not FixtureState.BYE}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    ("players", "until"),
    [
        *[(9, "entries"), (9, "draw"), (9, "round:1"), (9, "middle"), (9, "end")],
        *some([(2, "end"), (2, "draw"), (3, "round:1"), (3, "end"), (6, "end"), (2, "middle")], 2),
    ],
)
def test_demo_of_any_size_stands_where_it_should_and_passes_the_audit(format, players, until):
    """Matches in play need more than one game; those of an event that is over are as short as possible."""
    players = max(players, FORMATS[format].min_entrants)
    event = build(format, players, until, lengths=(1,) if until == "end" else (3,))
    counted = states(event)
    total = sum(counted.values())
    first_round = Fixture.objects.filter(round=1).exclude(feed_b="bye").exclude(bracket=FINAL_EIGHT).count()
    done = {"entries": 0, "draw": 0, "round:1": first_round, "middle": total * 3 // 5, "end": total}[until]
    assert event.entries.count() == players
    has_matches = until != "entries" and (format != "jackpot" or players >= 8)
    assert (total > 0) == has_matches
    assert counted[FixtureState.DONE] == done
    assert (counted[FixtureState.LIVE] > 0) == (until == "middle" and has_matches)
    assert (event.finished_at is not None) == (until == "end")
    assert list(audit_everything()) == []


def test_same_seed_makes_the_same_draw_and_results():
    one, again, other = build(seed=7), build(seed=7), build(seed=8)
    assert story(one) == story(again)
    assert story(one) != story(other)
    assert one.pk != again.pk
    assert set(Player.objects.values_list("club__name", flat=True)) <= set(CLUBS)
    assert one.entries.count() == again.entries.count() == 8


def test_a_second_demo_uses_the_same_invented_players_and_never_a_real_one():
    invented = build(seed=7, until="entries")
    name = invented.entries.first().player.name
    real = create_player(name=name, at=AT)
    again = build(seed=7, until="entries")
    assert list(again.entries.values_list("player_id")) == list(invented.entries.values_list("player_id"))
    assert not real.entries.exists()


def test_results_came_in_before_now():
    build(until="middle")
    times = set(Scoresheet.objects.values_list("at", flat=True))
    assert len(times) > 5
    assert AT - timedelta(hours=8) < min(times) <= max(times) <= AT


@pytest.mark.parametrize("format", ["round-robin", "league"])
def test_nobody_plays_two_matches_at_once(format):
    event = build(format, 9, "middle", lengths=(5,))
    live = [fixture for fixture in take_snapshot(event.pk).stage.fixtures if fixture.state is FixtureState.LIVE]
    playing = [entry for fixture in live for entry in fixture.entry_ids]
    assert len(playing) == len(set(playing)) > 2


def test_default_demo_is_made_whole_or_not_at_all(tmp_path: Path):
    def interrupt(ranking_list: RankingList) -> None:
        raise KeyboardInterrupt

    with after_each_save(RankingList, interrupt), pytest.raises(KeyboardInterrupt):
        build_first_demo(login=tmp_path / "login", seed=5, now=AT)
    assert not Tournament.objects.exists()


def test_nothing_is_made_where_there_is_a_tournament(director, tmp_path: Path):
    build_event(director)
    assert build_first_demo(login=tmp_path / "login", seed=5, now=AT) is None
    assert Tournament.objects.count() == 1
    assert not (tmp_path / "login").exists()


def test_a_field_that_cannot_be_drawn_leaves_nothing():
    with pytest.raises(Refusal):
        build("round-robin", 65, "draw")
    with pytest.raises(Refusal):
        build(players=-1)
    assert not Tournament.objects.exists()
    assert not Player.objects.exists()


def test_there_are_enough_names_and_all_are_different():
    names = {f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES}
    assert len(names) == len(FIRST_NAMES) * len(LAST_NAMES) >= 512
    assert len(build(players=512, until="draw").entries.all()) == 512


@pytest.mark.parametrize("text", ["", "round", "round:", "round:0", "round:-1", "round:x", "round:²", "half"])
def test_until_refuses_what_it_does_not_know(text):
    with pytest.raises(Refusal) as caught:
        Until.parse(text)
    assert caught.value.code == "until_unknown"


def test_until_knows_a_round():
    assert (Until.parse("round:12"), Until.parse("end")) == (Until("round", 12), Until("end"))


@given(
    seed=st.integers(),
    length=st.integers(1, 25),
    profile=st.sampled_from(list(PROFILES.values())),
    crawford=st.booleans(),
)
def test_random_match_follows_the_rules_to_its_end(seed, length, profile, crawford):
    terms = Terms(length, profile=profile, crawford=crawford)
    check = check_sheet(terms, random_match(terms, rng=random.Random(seed)))
    assert check.errors == ()
    assert check.over


def test_games_of_a_demo_are_of_every_kind_and_plausible():
    rng = random.Random(1)
    terms = Terms(7)
    matches = [random_match(terms, rng=rng) for _ in range(200)]
    games = [game for match in matches for game in match]
    assert {game.ending for game in games} == {Ending.BEAROFF, Ending.DROP, Ending.RESIGNED}
    assert {game.level for game in games} == {1, 2, 3}
    assert {game.cube for game in games} >= {1, 2, 4}
    warned = sum(bool(check_sheet(terms, match).warnings) for match in matches)
    assert warned < 10


def test_small_fields_are_entered_game_by_game():
    event = build(players=4)
    final = Fixture.objects.get(stage__event=event, key="M2-1").match
    sheets = [sheet.lines.count() for sheet in final.sheets.all()]
    assert sheets == list(range(1, len(sheets) + 1))
    assert GameLine.objects.filter(sheet__match=final, sheet__state="confirmed").count() == len(sheets)


# --- the demo director --------------------------------------------------------------------------------------------


def test_director_gets_a_password_of_their_own_that_only_the_owner_reads(tmp_path: Path, client):
    one, other = tmp_path / "one", tmp_path / "other"
    user = ensure_director(one)
    name, password = director_login(one)
    assert (name, len(password) >= 12) == (user.username, True)
    assert stat.S_IMODE(one.stat().st_mode) == 0o600
    assert client.login(username=name, password=password)
    assert not user.is_staff
    assert not user.is_superuser
    User.objects.all().delete()
    ensure_director(other)
    assert director_login(other)[1] != password


@pytest.mark.parametrize("others", [0, 1])
def test_director_of_an_empty_installation_is_its_first_administrator(demo, others):
    for number in range(others):
        User.objects.create_user(f"somebody {number}")
    said = " ".join(demo("--if-empty", "--seed", "3"))
    assert User.objects.get(username="demo-director").is_superuser == ("(administrator)" in said) == (others == 0)


def test_a_demo_made_later_makes_no_administrator(demo):
    demo("--players", "4", "--until", "entries")
    assert not User.objects.filter(is_superuser=True).exists()


def test_director_keeps_the_password(tmp_path: Path):
    ensure_director(tmp_path / "login")
    before = director_login(tmp_path / "login")
    ensure_director(tmp_path / "login")
    assert director_login(tmp_path / "login") == before


def test_login_of_a_lost_database_works_in_the_next(tmp_path: Path):
    ensure_director(tmp_path / "login")
    before = director_login(tmp_path / "login")
    User.objects.all().delete()
    assert director_login(tmp_path / "login") is None
    ensure_director(tmp_path / "login")
    assert director_login(tmp_path / "login") == before


def test_login_that_was_lost_or_changed_is_not_printed(tmp_path: Path):
    path = tmp_path / "login"
    assert director_login(path) is None
    user = ensure_director(path)
    user.set_password("another-long-password")
    user.save()
    assert director_login(path) is None
    path.write_text("damaged")
    assert director_login(path) is None
    ensure_director(path)
    assert director_login(path) is not None


# --- the command --------------------------------------------------------------------------------------------------


@pytest.fixture
def demo(settings, tmp_path: Path):
    settings.VAR_DIR = tmp_path

    def run(*arguments: str) -> list[str]:
        out = StringIO()
        call_command("demo", *arguments, stdout=out)
        return out.getvalue().splitlines()

    return run


def test_command_makes_the_demo_once_and_prints_the_login_each_time(demo, tmp_path: Path):
    first = demo("--if-empty", "--seed", "3")
    name, password = director_login(tmp_path / "demo_login")
    login = f"Demo director:         {name}, password {password} (administrator)"
    assert first[0] == "Demo tournament:       /t/demo-open/ (seed 3)"
    assert first[1:] == [
        "  /t/demo-open/warm-up/  8 players",
        "  /t/demo-open/championship/  33 players",
        "  /t/demo-open/swiss/  12 players",
        "  /t/demo-open/doubles/  8 pairs",
        "  /t/demo-open/jackpot/  9 players",
        login,
    ]
    assert demo("--if-empty") == [login]
    assert Tournament.objects.count() == 1


def test_command_makes_a_single_event(demo):
    demo("--format", "round-robin", "--players", "5", "--until", "round:2", "--length", "3", "--seed", "1")
    event = Event.objects.get()
    assert (event.stages.get().format, event.entries.count()) == ("round-robin", 5)
    assert states(event)[FixtureState.DONE] == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--until", "half"], "can stop at entries, draw, round:1"),
        (["--players", "1"], "takes 2 to 1024 entrants"),
        (["--players", "1025"], "at most 1024 entries"),
        (["--players", "4", "--length", "0"], "A match length must be a whole number"),
        (["--players", "4", "--if-empty"], "--if-empty makes the whole demo"),
    ],
)
def test_command_refuses_in_one_sentence(demo, arguments, message):
    with pytest.raises(CommandError) as caught:
        demo(*arguments)
    assert message in str(caught.value)
    assert not Tournament.objects.exists()
