"""The matches of an event file as rows: each with its current score sheet and its rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from matches.models import Conclusion, GameLine, Match, Ruling, Scoresheet, SheetChange, SheetState
from players.models import Player
from players.rows import with_rows
from tournament.draw.outcomes import mark_as_new
from tournament.models import Advance, Entry
from tournament.results.by_rule import key_of
from tournament.transfer.ids import Json, Keep, moment


def match_row(source: Json, people: Mapping[str, Player], *, at: datetime) -> Match:
    a, b = ([people[id] for id in source[side]] for side in ("a", "b"))
    rates = source["error_rates"] or [None, None]
    return Match(
        side_a=a[0],
        side_b=b[0],
        partner_a=a[1] if len(a) > 1 else None,
        partner_b=b[1] if len(b) > 1 else None,
        profile=source["rules"],
        start_a=source["start"][0],
        start_b=source["start"][1],
        rate_a=rates[0],
        rate_b=rates[1],
        **{name: source[name] for name in ("length", "crawford", "crawford_done", "waived", "penalties")},
        created_at=at,
    )


def make_sheets(matches: Sequence[tuple[Json, Match]], keep: Keep) -> dict[int, Scoresheet]:
    """Make the current sheet of each match with its games; return them by id of the match."""
    sheets: dict[int, Scoresheet] = {}
    for source, match in matches:
        mark_as_new(match)
        one, outcome = source["sheet"], source["outcome"]
        if one is None:
            continue
        sheets[match.pk] = Scoresheet(
            match=match,
            number=1,
            state=SheetState.LIVE if outcome == "live" else SheetState.CONFIRMED,
            source=one["source"],
            key=key_of(date.fromisoformat(one["unplayed_by"])) if "unplayed_by" in one else "imported",
            final_a=one["final"][0] if one["final"] else None,
            final_b=one["final"][1] if one["final"] else None,
            conclusion=Conclusion.PLAYED if outcome == "live" else Conclusion(outcome),
            awarded_to=one["awarded_to"] or "",
            reason=one["reason"],
            at=moment(one["entered_at"]),
            played_at=moment(one["played_at"]),
        )
    keep(list(sheets.values()))
    lines: list[GameLine] = []
    changes: list[SheetChange] = []
    for source, match in matches:
        sheet = sheets.get(match.pk)
        if sheet is None:
            continue
        own = [
            GameLine(
                sheet=sheet,
                number=game["n"],
                **{name: game[name] for name in ("winner", "cube", "level", "ending")},
            )
            for game in source["sheet"]["games"] or ()
        ]
        with_rows(sheet, "lines", own)
        match.open_sheets = [sheet]
        lines += own
        changes.append(SheetChange(sheet=sheet, state=sheet.state, reason=sheet.reason, at=sheet.at))
    keep(lines)
    keep(changes)
    return sheets


def make_rulings(
    matches: Sequence[tuple[Json, Match]], sheets: Mapping[int, Scoresheet], entries: Mapping[int, Entry], keep: Keep
) -> None:
    for source, match in matches:
        made: list[Ruling] = []
        for number, one in enumerate(source["rulings"], start=1):
            undone = {"undoes": made[one["undoes"] - 1].pk} if one["undoes"] else {}
            ruling = Ruling(
                match=match,
                key=f"imported-{number}",
                kind=one["kind"],
                template=one["why"]["template"],
                params=one["why"]["params"],
                reason=one["reason"],
                said={**one["said"], **undone},
                before=one["before"],
                after_sheet=1 if one["after_sheet"] else 0,
                sheet=sheets.get(match.pk) if one["made_sheet"] else None,
                at=moment(one["at"]),
            )
            keep([ruling])
            made.append(ruling)
        if (given := source["advance"]) is not None:
            advance = Advance(
                match=match, entry=entries[given["entrant"]], reason=given["reason"], at=moment(given["at"])
            )
            keep([advance])
            match.standing_advances = [advance]  # type: ignore[attr-defined]
