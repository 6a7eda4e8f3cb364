"""Records that prove no match, accepted as one: with what an officer knows, for a reason, never rated, undone."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from matches.accept_records import accept_record, take_back_acceptance
from matches.acceptance import Acceptance
from matches.audit import audit_free_matches, audit_records
from matches.claims import claim_of
from matches.import_records import import_record
from matches.models import Match, Record, Scoresheet, SheetState, Verdict
from matches.ratings import rateable_sheets
from matches.services import current_sheet
from players.errors import Conflict, Forbidden, Refusal
from players.models import Player, User
from players.services import create_player
from tests.builders import AT
from tournament.models.team import listed_matches

pytestmark = pytest.mark.django_db

OPENED = "  1) 31: 8/5 6/5                 63: 24/21 21/15\n"
MIDDLE = f"""\
3 point match

 Game 3
 Ann : 2                        Bo : 0
{OPENED}  2)                             Losses 1 point
      Wins 1 point and the match
"""
WHOLE = f"""\
1 point match

 Game 1
 Ann : 0                        Bo : 0
{OPENED}  2)                             Losses 1 point
      Wins 1 point and the match
"""
ONE_COLUMN = WHOLE.replace("  2)                             Losses 1 point", "  2) Losses 1 point")
UNKNOWN_PLAY = WHOLE.replace("63: 24/21 21/15", "63: ????").replace("  2)               ", "  2) 42: 8/4 6/4")
AFTER_A_GAME = f"""\
3 point match

 Game 1
 Ann : 0                        Bo : 0
{OPENED}  2) Resigns
                                  Wins 1 point

 Game 2
 Ann : 0                        Bo : 1
  1) 31: ????                    63: 24/21 21/15
"""
BROKEN = WHOLE.replace("8/5 6/5", "8/5 6/4")
MONEY = WHOLE.replace("1 point match", "0 point match").replace(" and the match", "")


def bring(text: str) -> Record:
    return import_record(text.encode(), name="one.mat", at=AT).record


def accept(record: Record, reason: str = "The director remembers it.", by: User | None = None, **said) -> Match:
    known = {key: said.pop(key) for key in ("start", "length", "left", "right", "gave_up") if key in said}
    return accept_record(record, known=known, reason=reason, by=by, at=AT, **said).match


def result(match: Match) -> tuple[int, int]:
    claim = claim_of(current_sheet(match))
    score = match.terms.scores(claim.games)[-1] if claim.final is None else None
    return (score.a, score.b) if score else claim.final


@contextmanager
def refused(kind: type[Refusal], code: str) -> Iterator[None]:
    with pytest.raises(kind) as refusal:
        yield
    assert refusal.value.code == code


def audit() -> list[str]:
    return [str(difference) for check in (audit_records, audit_free_matches) for difference in check()]


def test_a_record_from_the_middle_of_a_match_is_accepted_from_its_start_and_not_rated():
    record = bring(MIDDLE)
    match = accept(record, " He was\nthere. ")
    record.refresh_from_db()
    assert (record.verdict, record.match, match.acceptance.reason) == (Verdict.QUARANTINED, None, "He was there.")
    assert (match.length, match.start_a, match.start_b, result(match)) == (3, 2, 0, (3, 0))
    assert (current_sheet(match).state, rateable_sheets().count()) == (SheetState.CONFIRMED, 0)
    assert audit() == []
    Match.objects.filter(pk=match.pk).update(start_b=1)
    assert "terms of the accepted match" in audit()[0]


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        (ONE_COLUMN, {"gave_up": "right"}, (1, 0)),
        (ONE_COLUMN, {"gave_up": "left"}, (0, 1)),
        (UNKNOWN_PLAY, {"final": (1, 0)}, (1, 0)),
        (WHOLE.replace("Bo :", "Ann :"), {"left": "Ann", "right": "Bo", "final": (1, 0)}, (1, 0)),
        (AFTER_A_GAME, {"final": (0, 3)}, (0, 3)),
        (AFTER_A_GAME, {"final": (3, 1)}, (3, 1)),
        (AFTER_A_GAME, {"final": (3, 0)}, "final_not_of_record"),
        (MIDDLE, {"final": (2, 3)}, "final_not_of_record"),
        (MIDDLE, {"start": "2-1"}, "record_breaks_rule"),
        (MIDDLE, {"final": (2, 1)}, "final_not_of_record"),
        (AFTER_A_GAME, {"final": (2, 1)}, "final_not_over"),
        (MIDDLE, {"reason": " "}, "reason_missing"),
        (MIDDLE, {"length": "x"}, "known_length"),
        (ONE_COLUMN, {}, "final_missing"),
        (BROKEN, {"final": (1, 0)}, "record_breaks_rule"),
        (MONEY, {}, "record_of_money"),
        (MIDDLE, {"players": (1000, None)}, "player_unknown"),
    ],
)
def test_what_is_known_decides_or_it_is_refused_and_nothing_is_changed(text, said, expected):
    record = bring(text)
    if isinstance(expected, tuple):
        assert result(accept(record, **said)) == expected
        assert audit() == []
        return
    with pytest.raises(Refusal) as refusal:
        accept(record, **said)
    assert (refusal.value.code, Match.objects.count(), Player.objects.count()) == (expected, 0, 0)


def test_the_audit_names_a_final_score_that_the_games_of_the_record_contradict():
    match = accept(bring(AFTER_A_GAME), final=(0, 3))
    assert audit() == []
    Scoresheet.objects.filter(match=match).update(final_a=3, final_b=0)
    assert "final score of the accepted match: stored (3, 0), computed 0-1 so far" in audit()[0]


def test_only_an_officer_accepts_and_takes_back():
    record = bring(MIDDLE)
    user = User.objects.create_user("td")
    with pytest.raises(Forbidden):
        accept(record, by=user)
    accept(record)
    with pytest.raises(Forbidden):
        take_back_acceptance(record, reason="No.", by=user, at=AT)
    assert Acceptance.objects.get().taken_back_at is None


def test_an_acceptance_is_taken_back_for_a_reason_and_can_be_made_again():
    record = bring(MIDDLE)
    match = accept(record)
    with refused(Conflict, "record_has_match"):
        accept(record)
    take_back_acceptance(record, reason="It was Bob.", by=None, at=AT)
    assert (current_sheet(match), listed_matches(match.side_a).count(), audit()) == (None, 0, [])
    with refused(Conflict, "record_not_accepted"):
        take_back_acceptance(record, reason="It was Bob.", by=None, at=AT)
    again = accept(record, left="Ann", right="Bob")
    assert (again.side_b.name, record.acceptances.count(), audit()) == ("Bob", 2, [])


def test_one_of_two_players_of_a_name_is_chosen_and_the_match_is_not_imported_beside_it():
    anns = [create_player(name="Ann", at=AT) for _each in range(2)]
    record = bring(WHOLE)
    assert record.finding["code"] == "player_ambiguous"
    with refused(Refusal, "player_ambiguous"):
        accept(record)
    assert accept(record, players=(anns[1].pk, None)).side_a == anns[1]
    Player.objects.filter(pk=anns[0].pk).delete()
    other = bring(WHOLE + "\n")
    assert (other.verdict, other.match, other.finding["code"]) == (Verdict.QUARANTINED, None, "record_has_match")
    with refused(Conflict, "record_has_match"):
        accept(other)
