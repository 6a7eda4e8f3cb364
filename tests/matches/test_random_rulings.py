"""Random results and rulings on one match: every ruling shows what it changed, then and ever after."""

import random

import pytest

from matches.audit import audit_sheets
from matches.claims import claim_of, score_of
from matches.history import load_history, load_sheet
from matches.models import Match, Scoresheet, SheetSource
from matches.rulings import RulingRequest, make_ruling
from matches.services import current_sheet, submit_sheet, void_sheet
from players.errors import Conflict, Refusal
from players.services import create_player
from rules.rulings import RulingKind
from rules.score import Ending, MatchScore, Side
from rules.sheet import GameResult, Terms
from tests.builders import AT, claim

STEPS = 60


def standing(match: Match) -> MatchScore:
    sheet = current_sheet(match)
    if sheet is None:
        return match.terms.opening
    held = claim_of(sheet)
    return score_of(match.terms, held.games, held.final, held.awarded_to)


def sheet_as_read(terms: Terms, sheet: Scoresheet) -> object:
    fields = [getattr(sheet, field.attname) for field in sheet._meta.concrete_fields]
    return terms, fields, claim_of(sheet), str(sheet.claimed_by)


def games_by_lot(rng: random.Random) -> tuple[GameResult, ...]:
    endings = (Ending.BEAROFF, Ending.BEAROFF, Ending.DROP)
    return tuple(
        GameResult(rng.choice(list(Side)), rng.choice((1, 1, 1, 2)), ending=rng.choice(endings))
        for _ in range(rng.randrange(1, 5))
    )


def ruling_by_lot(rng: random.Random, match: Match, key: str) -> RulingRequest:
    details = {
        "games": games_by_lot(rng) if rng.random() < 0.5 else None,
        "penalty_points": (rng.randrange(3), rng.randrange(3)),
        "score": (rng.randrange(6), rng.randrange(6)),
        "crawford_done": rng.random() < 0.3,
        "next_begun": rng.random() < 0.5,
        "played_to": rng.randrange(1, 9),
    }
    sheet = current_sheet(match)
    kind = rng.choice(list(RulingKind))
    if kind is RulingKind.RESUMED:
        details["games"] = None
    base = 0 if sheet is None else sheet.number
    return RulingRequest(kind=kind, key=key, reason="By lot.", base=base, ruling_count=match.rulings.count(), **details)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.django_db
def test_random_rulings_show_what_they_changed_then_and_ever_after(seed):
    rng = random.Random(seed)
    one, other = (create_player(name=name, at=AT) for name in ("Ann", "Bo"))
    match = Match.objects.create(side_a=one, side_b=other, length=5, created_at=AT)
    changed = []
    for step in range(STEPS):
        before, sheet = standing(match), current_sheet(match)
        base = 0 if sheet is None else sheet.number
        try:
            event = rng.randrange(5)
            if event == 0:
                entered = claim(games=games_by_lot(rng), base=base, confirmed=True)
                submit_sheet(match, claim=entered, source=SheetSource.DESK, by=None, at=AT)
            elif event == 1 and sheet is not None:
                void_sheet(match, base=base, by=None, at=AT)
            else:
                make_ruling(match, request=ruling_by_lot(rng, match, f"r{step}"), by=None, at=AT)
                match = Match.objects.get(pk=match.pk)
                changed.append((before, standing(match)))
        except (Refusal, Conflict):
            match = Match.objects.get(pk=match.pk)
            assert standing(match) == before
        history = load_history(match)
        for row in history.sheets:
            assert sheet_as_read(*load_sheet(match.pk, row.number)) == sheet_as_read(history.terms_of(row), row)
        assert [ruled.scores for ruled in history.ruled()] == changed
        assert list(audit_sheets(history, "here")) == []
    assert len(changed) > 5
