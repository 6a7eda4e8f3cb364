"""An event file by the rules of play: what its sheets say, and what follows from them."""

import pytest

from tests.tournament.interchange.files import game, two_players
from tests.tournament.interchange.test_form import change
from tournament.interchange.consistency import check_consistency
from tournament.interchange.derive import check_derived, ratings_of
from tournament.interchange.references import check_references
from tournament.interchange.sheets import check_matches

EVENT = "/events/0"
PAIRING = f"{EVENT}/stages/0/pairings/0"
MATCH = f"{PAIRING}/matches/0"


def found(*changes) -> list[tuple[str, str]]:
    """What is found once these values stand at these places."""
    document = two_players()
    for pointer, value in changes:
        change(document, pointer, value)
    for check in (check_references, check_consistency, check_matches, check_derived):
        if faults := [(fault.pointer, fault.code) for fault in check(document)]:
            return faults
    return []


def test_a_file_by_the_rules_has_no_fault():
    assert found() == []


@pytest.mark.parametrize(
    ("games", "pointer", "code"),
    [
        ([game(1, "A", 3), game(2, "A", 1)], "sheet/games/0", "cube_not_power_of_two"),
        ([game(1, "A", 2), game(2, "B", 2), game(3, "A", 2)], "sheet/games/1", "crawford_cube"),
        ([game(1, "A", 1, 2, "drop"), game(2, "A", 1)], "sheet/games/0", "drop_level"),
        ([game(1, "A", 4), game(2, "A", 1)], "sheet/games/1", "game_after_match_over"),
        ([game(1, "A", 2)], "outcome", "outcome_other_than_score"),
        ([game(2, "A", 4)], "sheet/games", "games_out_of_order"),
        ([], "sheet", "sheet_empty"),
        (None, "sheet", "final_with_games"),
    ],
)
def test_games_against_the_rules_are_named(games, pointer, code):
    assert found((f"{MATCH}/sheet/games", games)) == [(f"{MATCH}/{pointer}", code)]


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ([("/sheet/games", None), ("/sheet/final", [3, 3])], "", "final_unreachable"),
        ([("/sheet", None)], "/outcome", "outcome_without_sheet"),
        ([("/outcome", "walkover"), ("/sheet/awarded_to", "A")], "/sheet", "walkover_with_games"),
        ([("/outcome", "forfeit")], "/sheet/awarded_to", "award_without_side"),
        ([("/outcome", "forfeit"), ("/sheet/awarded_to", "A")], "/outcome", "outcome_other_than_score"),
        ([("/outcome", "void")], "/sheet", "walkover_with_games"),
        ([("/outcome", "live")], "/outcome", "outcome_other_than_score"),
        ([("/score", [3, 1])], "/score", "derived_differs"),
        ([("/winner", "B")], "/winner", "derived_differs"),
        ([("/completed_at", None)], "/completed_at", "derived_differs"),
        ([("/rules", "house")], "/rules", "terms_differ"),
        ([("/length", 5)], "/length", "terms_differ"),
        ([("/start", [3, 0])], "/start", "start_invalid"),
        ([("/a", ["p2"])], "/a", "seat_of_others"),
        ([("/b", ["p9"])], "/b/0", "reference_unknown"),
    ],
)
def test_a_match_that_does_not_fit_its_sheet_is_named(changes, pointer, code):
    faults = found(*((f"{MATCH}{place}", value) for place, value in changes))
    assert faults[0] == (f"{MATCH}{pointer}", code)


@pytest.mark.parametrize(
    ("outcome", "sheet", "score"),
    [
        ("walkover", {"games": [], "awarded_to": "B"}, [0, 0]),
        ("forfeit", {"games": [game(1, "A", 2)], "awarded_to": "B"}, [2, 0]),
        ("void", {"games": []}, None),
        ("live", {"games": [game(1, "A", 2)]}, [2, 0]),
    ],
)
def test_no_two_ways_to_end_have_the_same_code(outcome, sheet, score):
    winner, is_over = sheet.get("awarded_to"), outcome != "live"
    changes = [(f"{MATCH}/sheet/{name}", value) for name, value in sheet.items()]
    changes += [(f"{MATCH}/outcome", outcome), (f"{MATCH}/score", score), (f"{MATCH}/winner", winner)]
    changes += [(f"{PAIRING}/outcome", outcome), (f"{PAIRING}/winner", 2 if winner else None)]
    changes += [] if is_over else [(f"{MATCH}/completed_at", None)]
    assert found(*changes) == []


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        (f"{PAIRING}/a", 3, "reference_unknown"),
        (f"{PAIRING}/winner_to", "M9-9", "reference_unknown"),
        (f"{PAIRING}/b", None, "seat_empty"),
        (f"{PAIRING}/b", 1, "entrants_differ"),
        (f"{PAIRING}/matches", [], "boards_of_pairing"),
        (f"{PAIRING}/outcome", "bye", "derived_differs"),
        (f"{PAIRING}/winner", 2, "derived_differs"),
        (f"{PAIRING}/why/template", "%(name)s plays.", "sentence_incomplete"),
        (f"{PAIRING}/why/template", "%(name)99999999s", "sentence_incomplete"),
        (f"{EVENT}/entrants/0/people", ["p1", "p2"], "people_of_entrant"),
        (f"{EVENT}/entrants/1/people", ["p1"], "entry_twice"),
        (f"{EVENT}/entrants/0/waiting", True, None),
        (f"{EVENT}/stages/0/format", "ordeal", "format_unknown"),
        (f"{EVENT}/stages/0/options", {"lengths": [3], "ordeal": 1}, "option_unknown"),
        (f"{EVENT}/stages/0/edition", 99, "edition_unknown"),
        (f"{EVENT}/stages/0/qualifiers", 2, "qualifiers_of_stage"),
        (f"{EVENT}/stages/0/number", 2, "stages_out_of_order"),
        (f"{EVENT}/stages/0/play_offs", [{"winner": 1, "loser": 1}], "entrants_differ"),
    ],
)
def test_what_does_not_fit_together_is_named(pointer, value, code):
    assert [one for _pointer, one in found((pointer, value))][:1] == ([code] if code else [])


def test_ratings_are_what_the_matches_of_the_file_give():
    document = two_players()
    ((lines),) = [one["lines"] for one in ratings_of(document)]
    assert [(line["person"], line["experience"], line["wins"]) for line in lines] == [("p1", 3, 1), ("p2", 3, 0)]
    document["ratings"] = ratings_of(document)
    assert list(check_derived(document)) == []
    document["ratings"][0]["lines"][0]["value"] = "1900.0000"
    document["ratings"][0]["lines"][1]["experience"] = 4
    assert [fault.pointer for fault in check_derived(document)] == [
        "/ratings/0/lines/0/value",
        "/ratings/0/lines/1/experience",
    ]
