"""The matches of an event file by the rules: each score sheet is checked, and what follows from it is compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.errors import Finding, gettext_noop
from rules.final_score import check_final
from rules.penalties import Penalty
from rules.profiles import PROFILES
from rules.rulings import RulingKind
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet
from tournament.interchange.faults import Fault, at, shown
from tournament.interchange.form import AWARDED, MATCH, SMALL
from tournament.interchange.read import Document
from tournament.interchange.shape import Reading, Shape, Whole

Member = Mapping[str, Any]

RULED = ("length", "start_a", "start_b", "crawford_done", "waived", "penalties")
"""The terms that a ruling can change, as its ``before`` names them."""
RULED_SHAPES: Mapping[str, Shape] = {
    "length": MATCH.members["length"],
    "start_a": Whole(0, SMALL),
    "start_b": Whole(0, SMALL),
    **{name: MATCH.members[name] for name in ("crawford_done", "waived", "penalties")},
}


def check_matches(document: Document) -> Iterator[Fault]:
    """Check every match of the file under its own terms."""
    for number, event in enumerate(document["events"]):
        for index, stage in enumerate(event["stages"]):
            for place, pairing in enumerate(stage["pairings"]):
                for board, match in enumerate(pairing["matches"]):
                    pointer = at("", "events", number, "stages", index, "pairings", place, "matches", board)
                    yield from check_match(match, pointer, needs_sheet=document["profile"] == "event")


def check_match(match: Member, pointer: str, *, needs_sheet: bool = True) -> Iterator[Fault]:
    """Check the terms, the sheet and the rulings of a match, and what the file derives from them.

    Without ``needs_sheet`` a match that is over may have no score sheet, but a winner.
    """
    faults = [*_check_rulings(match, pointer)]
    yield from faults
    if match["rules"] not in PROFILES:
        yield Fault(
            "rules_unknown",
            at(pointer, "rules"),
            gettext_noop("There are no rules “%(rules)s”; there are %(known)s."),
            {"rules": shown(match["rules"]), "known": ", ".join(PROFILES)},
        )
    elif not needs_sheet and is_told(match):
        yield from _check_told(match, pointer)
    elif not faults:
        found = list(_check_sheet(match, pointer))
        yield from found or _check_derived(match, pointer)


def is_told(match: Member) -> bool:
    """Whether the match is over without a score sheet: only its winner is told."""
    return match["sheet"] is None and match["outcome"] in ("played", *AWARDED)


def _check_told(match: Member, pointer: str) -> Iterator[Fault]:
    if match["winner"] is None:
        yield Fault(
            "winner_missing",
            at(pointer, "winner"),
            gettext_noop("A match that is over and has no score sheet names its winner."),
        )
    if match["score"] is not None:
        yield Fault(
            "score_without_sheet", at(pointer, "score"), gettext_noop("A score follows from a score sheet alone.")
        )


def _check_rulings(match: Member, pointer: str) -> Iterator[Fault]:
    for index, ruling in enumerate(match["rulings"]):
        place = at(pointer, "rulings", index)
        if ruling["kind"] not in [*RulingKind]:
            yield Fault(
                "ruling_unknown",
                at(place, "kind"),
                gettext_noop("There is no ruling “%(kind)s”."),
                {"kind": shown(ruling["kind"])},
            )
        reading = Reading()
        for name, value in ruling["before"].items():
            if name in RULED_SHAPES:
                RULED_SHAPES[name].judge(value, at(place, "before", name), reading)
            else:
                reading.wrong(name, at(place, "before", name), ", ".join(RULED))
        yield from reading.faults
        if ruling["undoes"] is not None and ruling["undoes"] > index:
            yield Fault(
                "ruling_undoes_later", at(place, "undoes"), gettext_noop("A ruling undoes only an earlier one.")
            )
        if (ruling["made_sheet"] and match["sheet"] is None) or (ruling["made_sheet"] and ruling["after_sheet"]):
            yield Fault(
                "ruling_without_sheet",
                at(place, "made_sheet"),
                gettext_noop("The ruling cannot have made the sheet of this match."),
            )
    if sum(ruling["made_sheet"] for ruling in match["rulings"]) > 1:
        yield Fault(
            "sheet_made_twice", at(pointer, "rulings"), gettext_noop("Only one ruling can have made the sheet.")
        )


def terms_before_rulings(match: Member) -> dict[str, Any]:
    """Return what a ruling can change as it was at first, by the names of the members of a ruling's ``before``."""
    return _values_before(match, match["rulings"])


def _values_before(match: Member, rulings: Sequence[Member]) -> dict[str, Any]:
    values = {name: match[name] for name in ("length", "crawford_done", "waived", "penalties")}
    values["start_a"], values["start_b"] = match["start"]
    for ruling in reversed(rulings):
        values |= {name: value for name, value in ruling["before"].items() if name in RULED}
    return values


def terms_of(match: Member, *, claimed: bool = False) -> Terms:
    """Return the terms of the match; with ``claimed`` as they were when its sheet was entered."""
    values = _values_before(match, [ruling for ruling in match["rulings"] if claimed and ruling["after_sheet"]])
    return Terms(
        length=values["length"],
        profile=PROFILES[match["rules"]],
        crawford=match["crawford"],
        start=(values["start_a"], values["start_b"]),
        crawford_done=values["crawford_done"],
        waived=frozenset(values["waived"]),
        penalties=tuple(
            Penalty(penalty["after"], penalty["against_a"], penalty["against_b"]) for penalty in values["penalties"]
        ),
    )


def games_of(match: Member) -> tuple[GameResult, ...]:
    """Return the games of the sheet, none if it has only a final score."""
    sheet = match["sheet"]
    games = (sheet["games"] or ()) if sheet else ()
    return tuple(
        GameResult(Side(game["winner"]), game["cube"], Level(game["level"]), Ending(game["ending"])) for game in games
    )


def _check_sheet(match: Member, pointer: str) -> Iterator[Fault]:
    sheet, outcome = match["sheet"], match["outcome"]
    place = at(pointer, "sheet")
    if (sheet is None) != (outcome == "open"):
        yield Fault(
            "outcome_without_sheet",
            at(pointer, "outcome"),
            gettext_noop("A match is “open” as long as it has no score sheet, and not otherwise."),
        )
        return
    terms = terms_of(match, claimed=True)
    if sheet is None:
        yield from _told(check_sheet(terms, ()).errors, pointer)
        return
    final, games, awarded = sheet["final"], sheet["games"], sheet["awarded_to"]
    if (final is None) == (games is None):
        yield Fault("final_with_games", place, gettext_noop("A sheet has either its games or a final score, not both."))
    elif (outcome in AWARDED) != (awarded is not None):
        yield Fault(
            "award_without_side",
            at(place, "awarded_to"),
            gettext_noop("A forfeit or walkover names the side that is awarded the match; nothing else does."),
        )
    elif outcome in ("walkover", "void") and (games or final):
        yield Fault(
            "walkover_with_games", place, gettext_noop("A walkover or a void match never began: it has no games.")
        )
    elif outcome == "forfeit" and final is not None:
        yield Fault("final_with_games", place, gettext_noop("A sheet has either its games or a final score, not both."))
    elif outcome in ("live", "played") and final is None and not games:
        yield Fault("sheet_empty", place, gettext_noop("A score sheet has at least one game or a final score."))
    elif [game["n"] for game in games or ()] != list(range(1, len(games or ()) + 1)):
        yield Fault("games_out_of_order", at(place, "games"), gettext_noop("Games are numbered 1, 2, 3 … in order."))
    elif outcome != "void":
        yield from _judge(match, terms, pointer)


def _judge(match: Member, terms: Terms, pointer: str) -> Iterator[Fault]:
    """Let the rules engine judge the sheet, and compare how it ends with the outcome of the match."""
    sheet = match["sheet"]
    if sheet["final"] is not None:
        check = check_final(terms, *sheet["final"])
    else:
        check = check_sheet(terms, games_of(match))
    if check.errors:
        yield from _told(check.errors, pointer)
    elif check.over == (match["outcome"] in ("live", *AWARDED)):
        yield Fault(
            "outcome_other_than_score",
            at(pointer, "outcome"),
            gettext_noop("The match cannot be “%(outcome)s” at %(a)s–%(b)s to %(length)s."),
            {"outcome": match["outcome"], "a": check.score.a, "b": check.score.b, "length": terms.length},
        )


def _told(findings: Sequence[Finding], pointer: str) -> Iterator[Fault]:
    for finding in findings:
        place = pointer if finding.game is None else at(pointer, "sheet", "games", finding.game - 1)
        yield Fault(finding.code, place, finding.template, finding.params)


def score_of(match: Member) -> MatchScore | None:
    """Return the score as played, to which an award adds nothing; None without a sheet, and of a void match."""
    sheet = match["sheet"]
    if sheet is None or match["outcome"] == "void":
        return None
    terms = terms_of(match)
    if sheet["final"] is not None:
        a, b = sheet["final"]
        return MatchScore(terms.length, a, b, crawford=terms.crawford)
    return terms.scores(games_of(match))[-1]


def derived(match: Member) -> dict[str, Any]:
    """Return what follows from the sheet of a match that the rules allow: score, winner, when it was completed."""
    score, sheet = score_of(match), match["sheet"]
    winner = None if score is None else sheet["awarded_to"] or (score.winner.value if score.winner else None)
    is_over = match["outcome"] not in ("open", "live")
    return {
        "score": None if score is None else [score.a, score.b],
        "winner": winner,
        "completed_at": sheet["played_at"] if is_over else None,
    }


def _check_derived(match: Member, pointer: str) -> Iterator[Fault]:
    try:
        expected = derived(match)
    except ValueError:
        yield Fault(
            "terms_impossible", pointer, gettext_noop("No match can have this score under the terms after its rulings.")
        )
        return
    yield from differing(match, expected, pointer)


def differing(row: Member, expected: Member, pointer: str) -> Iterator[Fault]:
    """Yield a fault for each member of the row that is not what was computed."""
    for name, value in expected.items():
        if row[name] != value:
            yield Fault(
                "derived_differs",
                at(pointer, name),
                gettext_noop("The file says “%(value)s”; computed from the rest it is “%(computed)s”."),
                {"value": shown(row[name]), "computed": shown(value)},
            )
