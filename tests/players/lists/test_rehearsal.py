"""The rehearsal of a switch: what is the same comes out exactly, and each difference has its reason."""

import io

import pytest
from django.core.management import call_command

from players.errors import Refusal
from players.lists.models import OfficialList
from players.lists.rehearsal import Rehearsal, _People, rehearse
from players.ratings import RATINGS, RatedResult, Rating
from tests.builders import AT
from tests.steps import CountedDict, Steps

FIBS = RATINGS["fibs"]
STARTS = {1: ("Ann", 1650.0, 400), 2: ("Bo", 1500.0, 100), 3: ("Cy", 1480.5, 900)}
RESULTS = [("2026-01-02", 1, 2, 7), ("2026-01-03", 3, 1, 9), ("2026-01-05", 2, 3, 11)]


def table(rows: list[list[object]]) -> bytes:
    return "\n".join(";".join(map(str, row)) for row in rows).encode()


def starts() -> bytes:
    return table([["no", "name", "rating", "experience"], *([n, *one] for n, one in STARTS.items())])


def results(*more: list[object]) -> bytes:
    rows = [[day, length, winner, loser] for day, winner, loser, length in RESULTS]
    return table([["date", "length", "winner_no", "loser_no"], *rows, *more])


def official(*more: tuple[str, int, int, int], **changed: float) -> bytes:
    """The list that the replay gives, to two places, with further matches, and some ratings changed by name."""
    known = {n: Rating(value, experience) for n, (_name, value, experience) in STARTS.items()}
    after = FIBS.rate([RatedResult(winner, loser, length) for _day, winner, loser, length in [*RESULTS, *more]], known)
    rows = [
        [n, name, f"{after[n].value + changed.get(name, 0):.2f}", after[n].experience]
        for n, (name, _value, _experience) in STARTS.items()
    ]
    return table([["no", "name", "rating", "experience"], *rows])


def reasons(done: Rehearsal) -> dict[str, str]:
    return {one.name: one.code for one in done.differences}


def test_a_season_that_was_kept_the_same_way_comes_out_exactly():
    done = rehearse(FIBS, starts=starts(), results=results(), official=official())
    assert (done.matches, done.same, done.differences, done.unread, done.unlisted) == (3, 3, (), (), ())


def test_many_people_of_one_name_are_each_found_at_once():
    steps, people, many = Steps(), _People(), 500
    people._by_number = CountedDict(steps, {})
    assert len({people.find(str(number), "Ann") for number in range(many)}) == many
    assert steps.taken <= 2 * many


def test_each_difference_has_its_reason():
    def reasons_of(results_file: bytes, official_file: bytes, starts_file: bytes | None) -> dict[str, str]:
        return reasons(rehearse(FIBS, starts=starts_file, results=results_file, official=official_file))

    assert reasons_of(results(), official(Ann=0.5), starts()) == {"Ann": "unexplained"}
    more = official() + b"\n9;Di;1500.00;0"
    assert reasons_of(results(), more, starts()) == {"Di": "not_here"}
    late = results(["2026-02-01", 5, 2, 1])
    assert reasons_of(late, official(), starts()) == {"Ann": "experience", "Bo": "experience"}
    unread = results(["soon", 5, 2, 1])
    assert reasons_of(unread, official(("2026-02-01", 2, 1, 5)), starts()) == {"Ann": "row_unread", "Bo": "row_unread"}
    without_bo = b"\n".join(line for line in starts().splitlines() if b"Bo" not in line)
    assert reasons_of(results(), official(), without_bo)["Bo"] == "no_start"
    assert set(reasons_of(results(), official(), None)) == {"Ann", "Bo", "Cy"}


def test_scores_of_two_players_say_who_won_and_unrated_rows_are_left_out():
    rows = [["completed_at", "length", "p1_name", "p2_name", "score1", "score2", "rated"]]
    for day, winner, loser, length in RESULTS:
        rows.append([day, length, STARTS[loser][0], STARTS[winner][0], 1, length, 1])
    rows.append(["2026-01-09", 5, "Ann", "Bo", 5, 0, 0])
    done = rehearse(FIBS, starts=starts(), results=table(rows), official=official())
    assert (done.matches, done.same, done.unread) == (3, 3, ())


def test_a_file_without_the_columns_is_refused():
    with pytest.raises(Refusal) as refused:
        rehearse(FIBS, starts=None, results=b"date;winner\n2026-01-01;Ann", official=official())
    assert (refused.value.code, refused.value.field) == ("header_missing", "results")


@pytest.mark.django_db
def test_the_command_shows_the_differences(tmp_path):
    OfficialList.objects.create(slug="dbf", name="DBF", kind="fibs", made_at=AT)
    files = {"starts": starts(), "results": results(), "official": official(Ann=0.5)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    out = io.StringIO()
    call_command("rehearse_switch", "dbf", *(f"--{name}={tmp_path / name}" for name in files), stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].split("\t")[1::3] == ["Ann", "unexplained"]
    assert "ratings the same 2, different 1, without a reason 1" in lines[-1]
