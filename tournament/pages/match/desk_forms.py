"""The director's forms on the page of a match: empty ones, and the one that comes back as it was typed."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast

from django import forms
from django.utils import timezone

from matches.attached import lay_beside
from matches.claims import claim_of
from matches.error_rates import write_rate
from matches.evidence import Evidence
from matches.models import SIDES, Match, Scoresheet
from tournament.models import Fixture
from tournament.pages.match.forms import (
    AttachForm,
    AwardForm,
    DeadlineForm,
    EndAdvanceForm,
    ErrorRatesForm,
    FinalForm,
    NextGameForm,
    ReserveForm,
    SheetForm,
    VoidForm,
    WalkoverForm,
    place,
)
from tournament.pages.match.ruling_forms import RulingFacts, crawford_game, empty_forms
from tournament.pages.returning import name_sides, retype
from tournament.results.unplayed import why_undecided
from tournament.snapshot import EntrySnapshot, MemberSnapshot, SheetSnapshot

SEEN = ("key", "base", "ruling_count")
"""The hidden fields of a ruling: a key of its own, and what the director saw."""


def entry_forms(match: Match, sheet: SheetSnapshot | None, typed: Mapping[str, object]) -> dict[str, object]:
    """Return the forms for the next game, the final score, an award and taking back, and the sheet for correction.

    One that was ``typed`` comes back as it was, and if it ``is_outdated`` for the sheet that is current now.
    """
    submission = {"key": uuid.uuid4().hex, "base": sheet.number if sheet else 0}
    made: dict[str, forms.BaseForm] = {
        "game": NextGameForm(initial=submission),
        "sheet": SheetForm(initial=submission, games=sheet.games if sheet else ()),
        "final": FinalForm(initial=submission),
        "award": AwardForm(initial=submission),
        "void": VoidForm(initial=submission),
        "end_advance": EndAdvanceForm(),
    }
    found = {way: typed.get(f"{way}_form", form) for way, form in made.items()}
    for way, form in found.items():
        if typed.get("is_outdated") and isinstance(form, forms.BaseForm) and form.is_bound:
            retype(form, **submission)
        if isinstance(form, FinalForm):
            form.play_to(match.length)
        if isinstance(form, forms.BaseForm):
            place(form, way, match)
    return {f"{way}_form": form for way, form in found.items()}


def started_from(report: Scoresheet | None, sheet: SheetSnapshot | None) -> dict[str, object]:
    """Return the form that settles a dispute with the score of this report, filled in and open; nothing without one."""
    if report is None:
        return {}
    submission = {"key": uuid.uuid4().hex, "base": sheet.number if sheet else 0}
    claim = claim_of(report)
    if claim.final is not None:
        final_a, final_b = claim.final
        return {
            "final_form": FinalForm(initial={**submission, "final_a": final_a, "final_b": final_b}),
            "opened": "final",
        }
    return {"sheet_form": SheetForm(initial=submission, games=claim.games), "opened": "sheet"}


def evidence_forms(match: Match, sheet: SheetSnapshot | None, asked: str) -> dict[str, object]:
    """Return the records attached to the match beside its sheet, and the form that attaches another.

    With ``asked``, the id of one of them, the form that corrects the sheet has its games, and waits for a reason.
    """
    found = Evidence.attached.filter(match=match).select_related("match", *(f"match__{side}" for side in SIDES))
    games, final = (tuple(sheet.games), sheet.score if sheet.is_final_only else None) if sheet else ((), None)
    is_decided = sheet is not None and sheet.is_final
    laid = [lay_beside(one, games, final=final, is_decided=is_decided) for one in found]
    form = AttachForm()
    name_sides(form, match.name_a, match.name_b)
    taken = next((one for one in laid if str(one.evidence.pk) == asked), None)
    forms_of: dict[str, object] = {"evidence": laid, "attach_form": form}
    if taken is None or not taken.may_be_taken:
        return forms_of
    submission = {"key": uuid.uuid4().hex, "base": sheet.number if sheet else 0}
    filled = SheetForm(initial=submission, games=taken.results)
    return {**forms_of, "sheet_form": filled, "opened": "sheet", "is_from_record": True}


def ruling_forms(
    match: Match, facts: RulingFacts, *, ruling_count: int, waited: int | None, typed: Mapping[str, object]
) -> dict[str, object]:
    """Return the forms for the rulings still open in this match, with what was ``typed`` into one of them.

    If that ``is_outdated``, it comes back for the sheet and the rulings that the page shows.
    """
    made = empty_forms(facts, ruling_count=ruling_count, waited=waited)
    next_game = len(facts.sheet.games) + 1 if facts.sheet else 1
    offered: list[tuple[str, Any, str]] = [
        (way, typed.get(f"{way}_form", form), form.help_before(next_game))
        for way, form in made.items()
        if form.is_offered(facts) or f"{way}_form" in typed
    ]
    for way, form, _help in offered:
        if typed.get("is_outdated") and form.is_bound:
            retype(form, **{name: made[way].initial[name] for name in SEEN})
        form.place(way, match.name_a, match.name_b)
    named = {f"{way}_form": form for way, form, _help in offered}
    return {**named, "ruling_forms": offered, "crawford_number": crawford_game(facts.terms, facts.sheet) or next_game}


def bench_forms(
    match: Match, found: Sequence[tuple[str, EntrySnapshot, Sequence[MemberSnapshot]]], typed: ReserveForm | None
) -> list[ReserveForm]:
    """Return a form for each side that may still seat a reserve, with what was ``typed`` into one of them."""
    seated = {match.side_a_id, match.side_b_id}
    made = []
    for side, team, free in found:
        here = next((member.player_id for member in free if member.player_id in seated), None)
        form = ReserveForm(initial={"side": side, "player": here})
        if typed is not None and typed["side"].value() == side:
            form = typed
        form.offer(team.name, [(member.player_id, member.name) for member in free])
        place(form, f"bench-{side}", match)
        made.append(form)
    return made


def walkover_form(match: Match, typed: WalkoverForm | None) -> WalkoverForm:
    form = typed or WalkoverForm(initial={"key": uuid.uuid4().hex})
    place(form, "walkover", match)
    return form


def deadline_forms(match: Match, fixture: Fixture, last: date, typed: Mapping[str, object]) -> dict[str, object]:
    """Return the form that moves the deadline, with what was ``typed`` into it, and the offers of both sides.

    Once the deadline is over they say why the rule of the event leaves the match to the director, if it does.
    """
    form = typed.get("deadline_form") or DeadlineForm(initial={"to": last})
    place(cast("DeadlineForm", form), "deadline", match)
    made = fixture.offers.select_related("entry__player", "entry__partner")
    offers = [{"name": one.entry.name, "days": [date.fromisoformat(day) for day in one.days]} for one in made]
    why_not = why_undecided(fixture, at=timezone.now())
    return {"deadline_form": form, "offers": offers, "why_undecided": why_not}


def rates_form(match: Match, rates: tuple[int, int] | None) -> ErrorRatesForm:
    """Return the form for the error rates of both sides, with those that are known."""
    known = dict(zip(("rate_a", "rate_b"), map(write_rate, rates or ()), strict=False))
    return label_sides(ErrorRatesForm(initial=known), match)


def label_sides(form: ErrorRatesForm, match: Match) -> ErrorRatesForm:
    """Give the fields of the form the names of the sides as labels."""
    form.fields["rate_a"].label, form.fields["rate_b"].label = match.name_a, match.name_b
    return form
