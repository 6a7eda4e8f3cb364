"""An event as an event file: what is stored of it, and what follows from that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch

from matches.models import Conclusion, Match, Ruling, Scoresheet, SheetState
from matches.services import prefetched_reports, prefetched_sheet
from players.models import Player
from tournament.draw.chain import Chain, load_chain
from tournament.draw.closings import closings_of
from tournament.draw.written import time_text
from tournament.interchange.canonical import canonical, digest_of
from tournament.interchange.derive import ratings_of, standing_of, targets_of
from tournament.interchange.form import FORMAT, VERSION
from tournament.interchange.sheets import derived
from tournament.models import Entry, Event, Fixture, Member, OpenUrn, PublicSource, Stage, Tournament
from tournament.ranking.standings import StandingLine
from tournament.transfer.kept import put_back

GENERATOR = "Sixprime"

Json = dict[str, Any]


def export_bytes(tournament: Tournament, events: Sequence[Event], *, with_reasons: bool) -> bytes:
    """Return these events of the tournament as the bytes of an event file.

    The same events always give the same bytes. Without ``with_reasons`` the file leaves out why entries have left and
    results were decided otherwise, and families but for those that the documents of draws name.
    """
    return canonical(export_document(tournament, events, with_reasons=with_reasons))


def export_document(tournament: Tournament, events: Sequence[Event], *, with_reasons: bool) -> Json:
    """Return these events of the tournament as an event file, in as many queries whatever their size."""
    people = _People()
    written = [_event(event, people, with_reasons=with_reasons) for event in events]
    document: Json = {
        "format": FORMAT,
        "version": VERSION,
        "profile": "event",
        "generator": GENERATOR,
        "created": None,
        "digest": "",
        "federations": [],
        "people": people.rows,
        "tournament": {
            "id": tournament.slug,
            "name": tournament.name,
            "place": tournament.place,
            "starts_on": tournament.starts_on.isoformat(),
            "ends_on": tournament.ends_on.isoformat() if tournament.ends_on else None,
            "time_zone": tournament.time_zone,
        },
        "events": written,
        "ratings": [],
        "signatures": [],
    }
    document["created"] = _last_moment(written)
    document["ratings"] = ratings_of(document)
    put_back(document, events)
    document["digest"] = digest_of(document)
    return document


def _moment(at: datetime | None) -> str | None:
    return time_text(at) or None


MOMENTS = frozenset(
    {
        *("made_at", "opened_at", "cancelled_at", "closed_at", "known_at", "voided_at", "given_at", "checked_in_at"),
        *("drawn_at", "finished_at", "entered_at", "played_at", "ended_at", "withdrawn_at", "at"),
    }
)
"""The members that say when something was done."""


def _last_moment(value: object) -> str | None:
    """Return the last moment at which anything in the file was done: the file says no more than was known then."""
    found: list[str] = []

    def look(inner: object) -> None:
        if isinstance(inner, dict):
            found.extend(one for name, one in inner.items() if name in MOMENTS and isinstance(one, str))
            for one in inner.values():
                look(one)
        elif isinstance(inner, list):
            for one in inner:
                look(one)

    look(value)
    return max(found, key=datetime.fromisoformat, default=None)


class _People:
    """The people of the file, each named by a number in the order in which they are met."""

    def __init__(self) -> None:
        self.rows: list[Json] = []
        self._ids: dict[int, str] = {}

    def name(self, player: Player) -> str:
        """Return how the file names the player. Reads ``club`` as loaded."""
        if player.pk not in self._ids:
            self._ids[player.pk] = f"p{len(self.rows) + 1}"
            self.rows.append(
                {
                    "id": self._ids[player.pk],
                    "name": player.name,
                    "nation": player.country,
                    "club": player.club.name if player.club else "",
                    "visibility": "public",
                    "ids": [],
                    "memberships": [],
                }
            )
        return self._ids[player.pk]

    def knows(self, id: int) -> bool:
        """Whether the player with this id has been named."""
        return id in self._ids

    def side(self, *ids: int | None) -> list[str]:
        """Return how the file names these people, who have all been named."""
        return [self._ids[id] for id in ids if id is not None]


def _event(event: Event, people: _People, *, with_reasons: bool) -> Json:
    chain = load_chain(event)
    with_clubs = event.entries.select_related("player__club", "partner__club").prefetch_related(
        Prefetch("members", queryset=Member.objects.select_related("player__club"))
    )
    entries = list(with_clubs.order_by("pk"))  # the order of entry, by which draws from a seed were made
    entrants = [_entrant(entry, people, with_reasons=with_reasons) for entry in entries]
    numbers = {entry.pk: entry.number for entry in entries}
    matches = _Matches(chain, people, numbers, with_reasons=with_reasons)
    has_clock = event.clock_minutes is not None
    return {
        "id": event.slug,
        "name": event.name,
        "rated_for": [],
        "rules": {
            "profile": event.profile,
            "crawford": event.crawford,
            "boards": event.boards,
            "doubles": event.doubles,
        },
        "clock": {"minutes": event.clock_minutes, "delay": event.clock_delay} if has_clock else None,
        "door": {
            "max_entries": event.max_entries,
            "check_in": event.check_in,
            "late_minutes": event.late_minutes,
        },
        "reports": {
            "phones": event.phones,
            "confirm_minutes": event.confirm_minutes,
            "shows_chances": event.shows_chances,
        },
        "starts_at": _moment(event.starts_at),
        "finished_at": _moment(event.finished_at),
        "tiebreaks": list(event.tiebreaks),
        "entrants": entrants,
        "draw": _draw(event),
        "stages": [_stage(chain, stage, numbers, matches) for stage in chain.stages],
    }


def _entrant(entry: Entry, people: _People, *, with_reasons: bool) -> Json:
    left = {
        "at": _moment(entry.left_at),
        "kind": entry.left_kind,
        "reason": entry.left_reason if with_reasons else "",
        "bracket": entry.left_bracket,
        "stage": entry.left_stage,
    }
    drawn_as = dict(zip(("name", "club", "nation"), entry.drawn_as, strict=True)) if entry.drawn_as else None
    return {
        "number": entry.number,
        "people": [people.name(player) for player in entry.people],
        "team": entry.team,
        "reentry": entry.reentry,
        "seed": entry.seed,
        "family": entry.family if with_reasons else "",
        "presence": list(entry.presence),
        "rating": entry.rating,
        "home_evening": entry.home_evening,
        "waiting": entry.waiting,
        "checked_in_at": _moment(entry.checked_in_at),
        "left": left if entry.left_at is not None else None,
        "bye_taken": entry.bye_taken,
        "drawn_as": drawn_as,
    }


def _draw(event: Event) -> Json:
    urns = OpenUrn.objects.filter(chain__event=event).select_related("chain", "stage")
    return {
        "algorithm": "sha256-lots",
        "public_source": event.public_source,
        "chains": [
            {
                "number": chain.number,
                "anchor": chain.anchor,
                "length": chain.length,
                "made_at": _moment(chain.made_at),
            }
            for chain in event.draw_chains.order_by("number")
        ],
        "closings": [
            {
                "number": closing.number,
                "stage": closing.stage,
                "source": closing.source,
                "entries_hash": closing.digest,
                "closed_at": _moment(closing.closed_at),
                "dice": closing.value if closing.source == PublicSource.DICE else "",
                "first": closing.first,
                "second": closing.second,
                "by_link": closing.by_link,
                "drand_round": closing.drand_round,
                "signature": closing.signature,
                "value": closing.value,
                "known_at": _moment(closing.known_at),
                "voided_at": _moment(closing.voided_at),
                "void_reason": closing.void_reason,
                "words": [
                    {"number": given.number, "word": given.word, "given_at": _moment(given.given_at)}
                    for given in closing.words
                ],
            }
            for closing in closings_of(event)
        ],
        "urns": [
            {
                "chain": urn.chain.number,
                "number": urn.number,
                "link": urn.link,
                "stage": urn.stage.number if urn.stage else None,
                "scope": urn.scope,
                "public_value": urn.public_value,
                "entries_hash": urn.digest,
                "document": urn.document,
                "opened_at": _moment(urn.opened_at),
                "cancelled_at": _moment(urn.cancelled_at),
            }
            for urn in urns.order_by("chain__number", "number")
        ],
    }


def _stage(chain: Chain, stage: Stage, numbers: Mapping[int, int], matches: _Matches) -> Json:
    pairings = [_pairing(fixture, numbers, matches) for fixture in chain.fixtures[stage.pk]]
    targets = targets_of(pairings)
    for pairing in pairings:
        pairing.update(targets[pairing["id"]] | standing_of(pairing))
    return {
        "number": stage.number,
        "format": stage.format,
        "options": stage.options,
        "qualifiers": stage.qualifiers,
        "carry": stage.carry,
        "edition": stage.edition,
        "seed": stage.seed if stage.drawn_at else "",
        "drawn_at": _moment(stage.drawn_at),
        "draw_hash": stage.draw_hash,
        "notes": stage.notes,
        "moves": [
            {
                "number": change.number,
                "kind": change.kind,
                "round": change.round,
                "a": numbers[change.entry_a_id],
                "b": None if change.entry_b_id is None else numbers[change.entry_b_id],
                "reason": change.reason,
                "at": _moment(change.at),
                "ended_at": _moment(change.ended_at),
            }
            for change in stage.hand_changes.order_by("number")
        ],
        "challenges": [
            {
                "number": row.number,
                "challenger": numbers[row.challenger_id],
                "challenged": numbers[row.challenged_id],
                "made_at": _moment(row.made_at),
                "withdrawn_at": _moment(row.withdrawn_at),
            }
            for row in stage.challenges.order_by("number")
        ],
        "play_offs": [
            {"winner": numbers[row.winner_id], "loser": numbers[row.loser_id]} for row in stage.play_offs.all()
        ],
        "pairings": pairings,
        "standings": standings_of(chain, stage, numbers),
    }


def standings_of(chain: Chain, stage: Stage, numbers: Mapping[int, int]) -> list[Json]:
    """Return the standings of the stage as the file has them; none before its draw, and while it waits."""
    if stage.drawn_at is None or chain.waits(stage):
        return []
    return [_standing(section, line, numbers) for section, lines in chain.at(stage).standings.items() for line in lines]


def _standing(section: str, line: StandingLine, numbers: Mapping[int, int]) -> Json:
    return {
        "section": section,
        "entrant": numbers[line.entrant],
        "place": line.place,
        "place_to": line.place_to,
        "played": line.played,
        "wins": line.wins,
        "draws": line.draws,
        "losses": line.losses,
        "rate_wins": line.rate_wins,
        "points_for": line.points_for,
        "points_against": line.points_against,
        "tiebreaks": [
            {"name": slug, "value": str(value) if isinstance(value, Fraction) else value}
            for slug, value in line.tiebreaks
        ],
        "decided_by": line.decided_by or "",
    }


def _pairing(fixture: Fixture, numbers: Mapping[int, int], matches: _Matches) -> Json:
    return {
        "id": fixture.key,
        "bracket": fixture.bracket,
        "round": fixture.round,
        "number": fixture.number,
        "length": fixture.length,
        "a": None if fixture.entry_a_id is None else numbers[fixture.entry_a_id],
        "b": None if fixture.entry_b_id is None else numbers[fixture.entry_b_id],
        "a_from": fixture.feed_a,
        "b_from": fixture.feed_b,
        "why": fixture.why,
        "matches": [matches.written(board, match) for board, match in sorted(fixture.matches.items())],
    }


class _Matches:
    """The matches of an event, written with their current sheet and their rulings, which are read at once."""

    def __init__(self, chain: Chain, people: _People, numbers: Mapping[int, int], *, with_reasons: bool) -> None:
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
            "entered_at": _moment(sheet.at),
            "played_at": _moment(sheet.played_at),
            "games": games if final is None else None,
            "final": final,
            "awarded_to": sheet.awarded_to or None,
            "reason": sheet.reason if self._with_reasons else "",
        }

    def _ruling(self, ruling: Ruling, rulings: Sequence[Ruling], sheet: Scoresheet | None) -> Json:
        said = dict(ruling.said)
        undone = said.pop("undoes", None)
        order = [one.pk for one in rulings]
        return {
            "kind": ruling.kind,
            "why": {"template": ruling.template, "params": ruling.params},
            "reason": ruling.reason,
            "at": _moment(ruling.at),
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
                "at": _moment(advance.at),
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
