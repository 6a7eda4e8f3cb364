"""The command ``simulate``: one object of means, the same bytes for the same seed, and one sentence for bad input."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

KEYS = [
    *("format", "players", "count"),
    *("matches", "rounds", "waiting_minutes", "rematches", "byes"),
    *("hours_median", "hours_p90", "p_best_wins", "violations"),
]


def simulate(*arguments: str) -> str:
    printed = StringIO()
    call_command("simulate", *arguments, stdout=printed)
    return printed.getvalue()


def test_one_object_is_printed():
    assert simulate("round-robin", "--players", "5", "--count", "20", "--seed", "7", "--json") == (
        '{"format": "round-robin", "players": 5, "count": 20, "matches": 10.0, "rounds": 5.0, '
        '"waiting_minutes": 50.2, "rematches": 0.0, "byes": 5.0, "hours_median": 5.083, "hours_p90": 5.5, '
        '"p_best_wins": 0.325, "violations": 0}\n'
    )


def test_the_same_seed_prints_the_same_and_another_seed_does_not():
    arguments = ("single-elimination", "--players", "13", "--count", "5", "--json", "--seed")
    assert simulate(*arguments, "a") == simulate(*arguments, "a")
    assert simulate(*arguments, "a") != simulate(*arguments, "b")


def test_without_json_there_is_a_line_for_each_key():
    lines = simulate("single-elimination", "--players", "4", "--count", "3").splitlines()
    assert [line[:16].strip().replace(" ", "_") for line in lines] == KEYS
    assert list(json.loads(simulate("single-elimination", "--players", "4", "--count", "3", "--json"))) == KEYS


def test_options_are_those_of_the_draw():
    short = json.loads(simulate("round-robin", "--players", "4", "--options", '{"lengths": [1]}', "--json"))
    long = json.loads(simulate("round-robin", "--players", "4", "--options", '{"lengths": [9]}', "--json"))
    assert short["hours_p90"] < long["hours_median"]


def test_fewer_tables_take_longer():
    enough = json.loads(simulate("round-robin", "--players", "8", "--count", "10", "--json"))
    one = json.loads(simulate("round-robin", "--players", "8", "--count", "10", "--tables", "1", "--json"))
    assert (one["matches"], enough["matches"]) == (28.0, 28.0)
    assert one["hours_median"] > 3 * enough["hours_median"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["round-robin", "--boards", "10"], "--boards must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, not “10”."),
        (["roulette"], "There is no format “roulette”; there are single-elimination, "),
        (["round-robin", "--players", "65"], "This format takes 2 to 64 entrants, not 65."),
        (["round-robin", "--players", "1"], "--players must be a whole number from 2 to 1024, not “1”."),
        (["round-robin", "--players", "four"], "--players must be a whole number from 2 to 1024, not “four”."),
        (["round-robin", "--players", "-4"], "--players must be a whole number from 2 to 1024, not “-4”."),
        (["round-robin", "--players", "٤"], "--players must be a whole number from 2 to 1024, not “٤”."),
        (["round-robin", "--count", "0"], "--count must be a whole number from 1 to 100000, not “0”."),
        (["round-robin", "--count", "1e3"], "--count must be a whole number from 1 to 100000, not “1e3”."),
        (["round-robin", "--tables", "0"], "--tables must be a whole number from 1 to 512, not “0”."),
        (["round-robin", "--spread", "9999"], "--spread must be a whole number from 0 to 1000, not “9999”."),
        (["round-robin", "--options", "{"], "--options is not JSON: “{”."),
        (
            ["round-robin", "--options", "[7]"],
            '--options must be a JSON object such as {"lengths": [9, 7]}, not “[7]”.',
        ),
        (
            ["round-robin", "--options", '{"lengths": [0]}'],
            "A match length must be a whole number from 1 to 99, not “0”.",
        ),
        (["round-robin", "--options", '{"lenghts": [7]}'], "There is no option “lenghts”."),
    ],
)
def test_bad_input_gets_one_sentence(arguments, sentence):
    with pytest.raises(CommandError) as refused:
        simulate(*arguments)
    assert str(refused.value).startswith(sentence)
    assert refused.value.returncode == 1
    assert "\n" not in str(refused.value)


def test_a_ladder_is_simulated_with_challenges_made_at_random():
    played = json.loads(simulate("ladder", "--players", "2", "--count", "3", "--options", '{"rest": 1}', "--json"))
    assert (played["matches"], played["violations"]) == (1.0, 0)


def test_teams_take_longer_and_their_boards_take_tables():
    arguments = ("round-robin", "--players", "4", "--count", "20", "--tables", "6", "--json", "--boards")
    single, three = (json.loads(simulate(*arguments, boards)) for boards in ("1", "3"))
    assert single["matches"] == three["matches"] == 6.0
    assert single["hours_median"] < three["hours_median"]
