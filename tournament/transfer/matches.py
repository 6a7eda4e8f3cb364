"""The matches of an event as an event file has them: terms, the current score sheet, rulings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from matches.models import Conclusion, Match, Ruling, Scoresheet, SheetState
from matches.services import prefetched_reports, prefetched_sheet
from players.models import Player
from tournament.draw.chain import Chain
from tournament.interchange.sheets import derived
from tournament.models import Event
from tournament.results.by_rule import deadline_behind
from tournament.transfer.moments import moment_text
from tournament.transfer.people import People

Json = dict[str, Any]


class Matches:
    """The matches of an event, written with their current sheet and their rulings, which are read at once."""

    def __init__(self, chain: Chain, people: People, numbers: Mapping[int, int], *, with_reasons: bool) -> None:
        self._people, self._numbers, self._with_reasons = people, numbers, with_reasons
        found = [match for rows in chain.fixtures.values() for fixture in rows for match in fixture.matches.values()]
        self._rulings: dict[int, list[Ruling]] = defaultdict(list)
        for ruling in _rulings_in(chain.event):
            self._rulings[ruling.match_id].append(ruling)
        self._name_others(found)

    def _name_others(self, matches: Iterable[Match]) -> None:
        """Name those who sit in a match without being in an entry any more."""
        seated = {id for match in matches for id in _seats(match) if id is not None}
        unknown = sorted(id for id in seated if not self._people.knows(id))
        for player in Player.objects.filter(pk__in=unknown).select_related("club").order_by("pk") if unknown else ():
            self._people.name(player)

    def written(self, board: int, match: Match) -> Json:
        """Return the match as the file has it."""
        sheet, rulings = self._sheet_of(match), self._rulings[match.pk]
        row: Json = {
            "board": board,
            "a": self._people.side(match.side_a_id, match.partner_a_id),
            "b": self._people.side(match.side_b_id, match.partner_b_id),
            "length": match.length,
            "rules": match.profile,
            "crawford": match.crawford,
            "start": [match.start_a, match.start_b],
            "crawford_done": match.crawford_done,
            "waived": list(match.waived),
            "penalties": list(match.penalties),
            "error_rates": None if match.rate_a is None else [match.rate_a, match.rate_b],
            "outcome": _outcome(sheet),
            "sheet": None if sheet is None else self._sheet(sheet),
            "rulings": [self._ruling(ruling, rulings, sheet) for ruling in rulings],
            "advance": self._advance(match),
            "record": None,
        }
        return row | derived(row)

    def _sheet_of(self, match: Match) -> Scoresheet | None:
        """Return the current sheet; none of a match in dispute, of which the public sees no score."""
        is_disputed = any(report.state == SheetState.DISPUTED for report in prefetched_reports(match))
        return None if is_disputed and not self._with_reasons else prefetched_sheet(match)

    def _sheet(self, sheet: Scoresheet) -> Json:
        final = None if sheet.final_a is None else [sheet.final_a, sheet.final_b]
        unplayed_by = deadline_behind(sheet)
        games = [
            {
                "n": line.number,
                "winner": str(line.winner),
                "cube": line.cube,
                "level": int(line.level),
                "ending": str(line.ending),
            }
            for line in (sheet.lines.all() if final is None else ())
        ]
        return {
            "source": sheet.source,
            "entered_at": moment_text(sheet.at),
            "played_at": moment_text(sheet.played_at),
            "games": games if final is None else None,
            "final": final,
            "awarded_to": sheet.awarded_to or None,
            "reason": sheet.reason if self._with_reasons else "",
            **({"unplayed_by": unplayed_by.isoformat()} if unplayed_by is not None else {}),
        }

    def _ruling(self, ruling: Ruling, rulings: Sequence[Ruling], sheet: Scoresheet | None) -> Json:
        said = dict(ruling.said)
        undone = said.pop("undoes", None)
        order = [one.pk for one in rulings]
        return {
            "kind": ruling.kind,
            "why": {"template": ruling.template, "params": ruling.params},
            "reason": ruling.reason,
            "at": moment_text(ruling.at),
            "said": said,
            "before": ruling.before,
            "made_sheet": sheet is not None and ruling.sheet_id == sheet.pk,
            "after_sheet": sheet is not None and ruling.after_sheet >= sheet.number,
            "undoes": order.index(undone) + 1 if undone in order else None,
        }

    def _advance(self, match: Match) -> Json | None:
        for advance in match.standing_advances:  # type: ignore[attr-defined]
            return {
                "entrant": self._numbers[advance.entry_id],
                "reason": advance.reason,
                "at": moment_text(advance.at),
            }
        return None


def _rulings_in(event: Event) -> Iterable[Ruling]:
    path = "match__board__fixture" if event.has_teams else "match__fixture"
    return Ruling.objects.filter(**{f"{path}__stage__event": event}).order_by("pk")


def _seats(match: Match) -> tuple[int | None, ...]:
    return match.side_a_id, match.side_b_id, match.partner_a_id, match.partner_b_id


def _outcome(sheet: Scoresheet | None) -> str:
    if sheet is None:
        return "open"
    return "live" if sheet.state == SheetState.LIVE else Conclusion(sheet.conclusion).value
