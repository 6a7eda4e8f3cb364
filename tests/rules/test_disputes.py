"""What follows a dispute under each text, and the board that an illegal play leaves."""

import pytest

from rules.actions import IllegalAction
from rules.disputes import RULES, TEMPLATES, Dispute, Outcome, after_illegal_play, as_made, settle
from rules.notation import parse_play
from rules.position import OFF, START, Position
from rules.profiles import PROFILES
from tests.rules.boards import board
from tests.rules.texts import S0, S1, S2, S3, S4

WBGF = PROFILES["wbgf"]
WRONG = START.moved(8, 4).moved(6, 5)


@pytest.mark.parametrize(
    ("dispute", "outcomes"),
    [
        (Dispute.ILLEGAL_PLAY, {"wbgf": "redo", "dbf": "accept_or_redo"}),
        (Dispute.INVALID_ROLL, {"de-leaflet": "roll_again"}),
        (Dispute.EARLY_ROLL, {"de-leaflet": "opponent_chooses"}),
        (Dispute.LATE_DOUBLE, {"de-leaflet": "any_time"}),
        (Dispute.DOUBLE_TAKEN_BACK, {}),
        (Dispute.CUBE_TOUCHED, {}),
    ],
)
def test_settle_says_what_follows_under_each_text(dispute, outcomes):
    usual = {
        Dispute.ILLEGAL_PLAY: Outcome.UNSTATED,
        Dispute.INVALID_ROLL: Outcome.ROLL_AGAIN_NO_DOUBLE,
        Dispute.EARLY_ROLL: Outcome.OPPONENT_CHOOSES_NO_DOUBLE,
        Dispute.LATE_DOUBLE: Outcome.TOO_LATE,
        Dispute.DOUBLE_TAKEN_BACK: Outcome.STANDS,
        Dispute.CUBE_TOUCHED: Outcome.DOUBLED,
    }[dispute]
    assert {slug: settle(dispute, profile).outcome for slug, profile in PROFILES.items()} == {
        slug: outcomes.get(slug, usual) for slug in PROFILES
    }


def test_settle_says_which_texts_state_it():
    stating = {
        dispute: {slug for slug, text in PROFILES.items() if settle(dispute, text).stated} for dispute in Dispute
    }
    assert stating == {
        Dispute.ILLEGAL_PLAY: {"wbgf", "dbf"},
        Dispute.INVALID_ROLL: {"dbf"},
        Dispute.EARLY_ROLL: {"dbf"},
        Dispute.LATE_DOUBLE: {"dk-leaflet", "dbf", "nbgf-info", "de-leaflet"},
        Dispute.DOUBLE_TAKEN_BACK: {"dbf"},
        Dispute.CUBE_TOUCHED: {"dbf"},
    }
    assert {settle(dispute, text).rule for dispute in Dispute for text in (S2, S4)} == set(RULES.values())
    assert settle(Dispute.LATE_DOUBLE, S4).rule == "row 39"


def test_every_dispute_and_outcome_has_its_sentence():
    assert set(TEMPLATES) == {*Dispute, *Outcome}


def test_after_illegal_play_follows_the_text():
    outcomes = {text.slug: after_illegal_play(START, (3, 1), WRONG, text) for text in (S0, S1, S2, S3, S4, WBGF)}
    assert set(outcomes.values()) == {Outcome.UNSTATED, Outcome.ACCEPT_OR_REDO, Outcome.REDO}
    assert (outcomes["dbf"], outcomes["wbgf"]) == (Outcome.ACCEPT_OR_REDO, Outcome.REDO)


def test_after_illegal_play_a_last_checker_is_not_accepted():
    last = board({6: 1}, {19: 15})
    assert after_illegal_play(last, (2, 1), Position.of({OFF: 15}, {6: 15}), S2) is Outcome.REDO


def test_after_illegal_play_refuses_a_legal_one():
    with pytest.raises(IllegalAction, match="legal"):
        after_illegal_play(START, (3, 1), START.moved(8, 5).moved(6, 5), S2)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("8/4 6/5", WRONG),
        ("24/23*", START.moved(24, 23)),
        ("13/12", None),
        ("6/1", None),
        ("7/6", None),
        ("", START),
        ("6/off", START.moved(6, OFF)),
    ],
)
def test_as_made_moves_what_can_be_moved(text, made):
    assert as_made(START, parse_play(text)) == made


def test_as_made_hits_where_a_hop_ends():
    assert as_made(board({8: 1}, {5: 1, 6: 1}), parse_play("8/6/5*")) == board({5: 1}, {}, their_bar=2)
    assert as_made(board({8: 1}, {5: 1, 6: 1}), parse_play("8/5")) == board({5: 1}, {6: 1}, their_bar=1)
