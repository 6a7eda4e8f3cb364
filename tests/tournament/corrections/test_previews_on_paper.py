"""A preview on paper costs what the correction costs when it is made: compared in random events of every format.

``PREVIEW_EXAMPLES=30 PREVIEW_STEPS=60`` in the environment compares more of them, in longer events.
"""

import os
import random
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from matches.counting import find_counting, start_again
from matches.models import Conclusion, Match, Record, Verdict
from matches.ratings import count_on
from matches.rulings import RulingRequest
from matches.services import current_sheet
from players.errors import Forbidden, Refusal
from rules.rulings import RulingKind
from rules.score import Side
from tests.breadth import some
from tests.builders import (
    AT,
    build_director,
    build_event,
    build_money_terms,
    claim,
    fixture_of,
    open_matches,
    random_games,
    win,
)
from tests.tournament.corrections.by_undoing import preview_by_undoing
from tests.tournament.ladders import at_rung
from tests.tournament.replay.test_random_hall import EVENTS, Hall
from tournament.corrections.changes import Correction, EndAdvance, EnterResult, Rule, RuleLate, VoidResult
from tournament.corrections.preview import preview_correction
from tournament.draw.challenges import challenge
from tournament.draw.make import make_draw
from tournament.formats import FORMATS
from tournament.models import Event, Fixture
from tournament.models.team import matches_in
from tournament.money.calcutta import make_lots, sell_lot
from tournament.money.closing import Consent, MovesUnconfirmed
from tournament.money.services import set_money
from tournament.money.side_pools import join_side_pool, open_side_pool
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.results.enter import enter_result
from tournament.results.rulings import Lateness

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("PREVIEW_EXAMPLES", "1"))
STEPS = int(os.environ.get("PREVIEW_STEPS", "7"))
KINDS = {
    **EVENTS,
    **{slug: {"format": slug} for slug in sorted(FORMATS)},
    "fighters-bracket": {"format": "fighters-bracket", "players": 9},
    "drawn teams": {"format": "round-robin", "boards": 2},
    "error rates": {"format": "swiss", "options": {"rate_point": True}},
}


def outcome(preview, event, change: Correction) -> object:
    """Return what the preview says: every cost, or the refusal with its sentence."""
    try:
        return preview(event, change)
    except (Refusal, Forbidden) as refusal:
        return type(refusal), refusal.code, refusal.status, str(refusal)


def require_same(event, change: Correction) -> object:
    """Compare the two ways, and see that the one on paper has changed nothing that it read."""
    found = outcome(preview_correction, event, change)
    assert found == outcome(preview_by_undoing, event, change), change
    assert found == outcome(preview_correction, event, change)
    return found


def random_change(hall: Hall) -> Correction:
    """Return a correction of a random match, most of them allowed."""
    rng, match = hall.rng, hall.match()
    sheet = current_sheet(match)
    base = sheet.number if sheet else 0
    if rng.random() < 0.1:
        base += 1
    who = {"by": None, "at": hall.at}
    kind = rng.randrange(10)
    if kind == 0:
        return VoidResult(match, base, rng.choice(["", "So."]), **who)
    if kind == 1:
        return EndAdvance(match, "After all.", **who)
    if kind == 2:
        return RuleLate(match, Lateness(key=uuid.uuid4().hex, minutes_a=rng.choice([0, 7, 40])), **who)
    if kind in (3, 4):
        return Rule(match, random_ruling(match, base, rng), **who)
    if kind == 5:
        void = {"conclusion": Conclusion.VOID} if rng.random() < 0.3 else None
        award = {"conclusion": rng.choice([Conclusion.WALKOVER, Conclusion.FORFEIT]), "awarded_to": rng.choice([*Side])}
        return EnterResult(match, claim(base=base, **(void or award)), **who)
    if kind == 6:
        final = rng.choice([(match.length, 0), (0, match.length), (match.length, match.length)])
        return EnterResult(match, claim(base=base, final=final), **who)
    return EnterResult(match, hall.said(match, base), **who)


def random_ruling(match: Match, base: int, rng: random.Random) -> RulingRequest:
    said = {
        "key": uuid.uuid4().hex,
        "reason": rng.choice(["Seen.", "Seen.", ""]),
        "base": base,
        "ruling_count": match.rulings.count(),
    }
    kind = rng.choice(list(RulingKind))
    to_come = rng.choice([(1, 0), (0, match.length), (match.length, 0), (1, 1)])
    return RulingRequest(
        kind=kind,
        games=random_games(match.length, rng) if rng.random() < 0.3 else None,
        penalty_points=to_come,
        score=to_come,
        played_to=rng.choice([match.length, match.length + 2, 1]),
        awarded_to=rng.choice(list(Side)),
        **said,
    )


def add_money(event: Event) -> None:
    table = PrizeTable("percent", values=(4001, 2999, 1500, 500, 500, 500))
    terms = build_money_terms(payouts=PayoutPlan((Share("", 10_000, table),)))
    try:
        set_money(event, terms, by=None, at=AT)
    except MovesUnconfirmed as asked:
        consent = Consent(reason="The prizes were forgotten.", digest=asked.moves.digest)
        set_money(event, terms, consent=consent, by=None, at=AT)


def make_challenge(hall: Hall) -> None:
    rung = hall.rng.randrange(2, 5)
    with suppress(Refusal):
        pair = {"challenger": at_rung(hall.event, rung), "challenged": at_rung(hall.event, rung - 1)}
        challenge(hall.event, **pair, by=None, at=hall.at)


def count_everything(at: datetime) -> None:
    """Count the rated matches, as a worker does now and then: the matches after that are those that wait."""
    if find_counting() is None:
        start_again(at=at)
    while not count_on(at=at):
        pass


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_a_preview_on_paper_equals_one_by_undoing(kind, seed):
    with transaction.atomic():
        hall = Hall(KINDS[kind], seed, chained=kind == "chain")
        Event.objects.filter(pk=hall.event.pk).update(late_minutes=5)
        if hall.rng.random() < 0.5:
            add_money(hall.event)
        said = []
        for _step in range(STEPS):
            if kind == "ladder":
                make_challenge(hall)
            hall.step()
            if hall.rng.random() < 0.3:
                count_everything(hall.at)
            try:
                change = random_change(hall)
            except Refusal:
                continue
            said.append(require_same(hall.event, change))
        assert len(said) > STEPS // 2 or kind == "jackpot"


def build_played(**terms: object) -> Event:
    """A consolation of eight in which everything but the last two matches has been played."""
    event = build_event(build_director(), format="consolation", **terms)
    while len(matches := open_matches(event)) > 1:
        win(matches[0], Side.A)
    return event


@pytest.mark.parametrize("seed", ["0123456789abcdef", ""])
def test_every_match_of_a_consolation_costs_the_same_both_ways(seed):
    event = build_played(seed=seed)
    add_money(event)
    said = []
    for match in some(matches_in(event).filter(sheets__state="confirmed").order_by("pk"), 5):
        for final in ((match.length, 1), (1, match.length)):
            said.append(require_same(event, EnterResult(match, claim(final=final, base=1), by=None, at=AT)))
        said.append(require_same(event, VoidResult(match, 1, "Never played.", by=None, at=AT)))
    assert any(isinstance(costs, tuple) and len(costs) == 2 and costs[0].matches for costs in said)


@pytest.mark.parametrize("matches_left", [0, 6, 20])
def test_prizes_of_pools_lots_and_brackets_cost_the_same_both_ways(matches_left):
    """Many share a place here: they are listed in the order of the standings."""
    last_chance = {"lengths": [5], "last_chance": "full"}
    whole = {"format": "consolation", "options": last_chance, "seed": "0123456789abcdef"}
    event = build_event(build_director(), players=16, drawn=False, **whole)
    tables = [("", 6000, "knockout"), ("C", 2500, "knockout"), ("L", 1500, "two")]
    shares = tuple(Share(section, part, PrizeTable("template", name)) for section, part, name in tables)
    set_money(event, build_money_terms(payouts=PayoutPlan(shares)), by=None, at=AT)
    pool = open_side_pool(event, name="Half", fee=1001, table=PrizeTable("template", "knockout"), by=None, at=AT)
    for entry in event.entries.order_by("number")[::2]:
        join_side_pool(pool, entry=entry, by=None, at=AT)
    for lot in make_lots(event, by=None, at=AT):
        sell_lot(lot, buyer=f"Buyer {17 - lot.number}", price=1000 + lot.number, base=0, by=None, at=AT)
    make_draw(event, by=None, at=AT)
    while len(matches := open_matches(event)) > 0 and len(matches_to_come(event)) > matches_left:
        win(matches[0], Side.B if len(matches) % 3 else Side.A)
    told: set[str] = set()
    for match in matches_in(event).filter(sheets__state="confirmed").order_by("pk")[::3]:
        costs = require_same(event, EnterResult(match, claim(final=(1, match.length), base=1), by=None, at=AT))
        told |= {prize.section or prize.pool for cost in costs for prize in cost.prizes}
    assert matches_left or len(told) >= 3


def matches_to_come(event: Event) -> list[Fixture]:
    decided = {"match__sheets__state": "confirmed"}
    return list(Fixture.objects.filter(stage__event=event).exclude(feed_b="bye").exclude(**decided))


@pytest.mark.parametrize(
    "record",
    [
        None,
        {"verdict": Verdict.PROVED},
        {"verdict": Verdict.INCOMPLETE},
        {"verdict": Verdict.PROVED, "finding": {"code": "unrated"}},
    ],
)
def test_a_match_with_a_record_is_rated_on_paper_as_when_stored(record):
    event = build_played()
    match = fixture_of(event, "M1-1").match
    if record is not None:
        Record.objects.create(sha256="a" * 64, name="r", data=b"", match=match, imported_at=AT, **record)
    walkover = claim(conclusion=Conclusion.WALKOVER, awarded_to=Side.A, base=1)
    for said in (claim(final=(5, 2), base=1), claim(final=(2, 5), base=1), walkover):
        require_same(event, EnterResult(match, said, by=None, at=AT))
    enter_result(match, claim=replace(walkover, reason="So."), may_repair=True, by=None, at=AT)
    require_same(event, EnterResult(match, claim(final=(5, 2), base=2), by=None, at=AT))


def test_a_preview_locks_and_writes_nothing():
    event = build_played()
    match = fixture_of(event, "M1-1").match
    with CaptureQueriesContext(connection) as queries:
        costs = preview_correction(event, EnterResult(match, claim(final=(1, 5), base=1), by=None, at=AT))
    assert len(costs) == 2
    asked = [query["sql"] for query in queries.captured_queries]
    assert [sql for sql in asked if not sql.startswith("SELECT") or "FOR UPDATE" in sql] == []


def test_a_person_who_may_no_longer_correct_sees_the_same_refusal(django_user_model):
    event = build_played()
    match = fixture_of(event, "M1-1").match
    stranger = django_user_model.objects.create_user("stranger")
    for change in (
        EnterResult(match, claim(final=(1, 5), base=1), by=stranger, at=AT),
        VoidResult(match, 1, "So.", by=stranger, at=AT),
    ):
        assert require_same(event, change)[0] is Forbidden


def test_what_is_written_while_the_event_is_read_is_read_again():
    """The first reading of the match is of another moment than that of the event."""
    event = build_played()
    match, other = fixture_of(event, "M1-1").match, fixture_of(event, "M1-2").match
    change, entered = EnterResult(match, claim(final=(1, 5), base=1), by=None, at=AT), []

    def enter_meanwhile(execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        if "matches_ruling" in sql and not entered:
            entered.append(True)
            enter_result(other, claim=claim(final=(5, 4), base=1, reason="So."), may_repair=True, by=None, at=AT)
        return found

    with connection.execute_wrapper(enter_meanwhile):
        found = preview_correction(event, change)
    assert entered == [True]
    assert found == preview_by_undoing(event, change)


def test_where_no_money_is_a_preview_tells_of_no_prizes():
    event = build_played()
    match = fixture_of(event, "M1-1").match
    costs = require_same(event, EnterResult(match, claim(final=(1, 5), base=1), by=None, at=AT))
    assert [cost.prizes for cost in costs] == [(), ()]


def test_another_preview_of_the_same_event_plans_no_knockout_anew(monkeypatch):
    event = build_played()
    match = fixture_of(event, "M1-1").match
    change = EnterResult(match, claim(final=(1, 5), base=1), by=None, at=AT)
    known = preview_correction(event, change)
    monkeypatch.setattr(type(FORMATS["consolation"]), "plan", None)
    assert preview_correction(event, change) == known
