"""An event as an event file: what is stored of it, and what follows from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch

from tournament.draw.chain import Chain, load_chain
from tournament.draw.closings import closings_of
from tournament.interchange.canonical import canonical, digest_of
from tournament.interchange.derive import ratings_of, standing_of, targets_of
from tournament.interchange.form import FIRST, FORMAT, version_of
from tournament.models import Entry, Event, EventMoney, Fixture, Member, OpenUrn, PublicSource, Stage, Tournament
from tournament.ranking.standings import StandingLine
from tournament.transfer.brackets import brackets_of
from tournament.transfer.deadlines import Deadlines
from tournament.transfer.kept import put_back
from tournament.transfer.matches import Matches
from tournament.transfer.moments import last_moment, moment_text
from tournament.transfer.people import People
from tournament.transfer.prizes import money_of

GENERATOR = "Sixprime"

Json = dict[str, Any]


def export_bytes(tournament: Tournament, events: Sequence[Event], *, with_reasons: bool) -> bytes:
    """Return these events of the tournament as the bytes of an event file.

    The same events always give the same bytes. Without ``with_reasons`` the file leaves out why entries have left and
    results were decided otherwise, offers to play, and families but for those that the documents of draws name.
    """
    return canonical(export_document(tournament, events, with_reasons=with_reasons))


def export_document(tournament: Tournament, events: Sequence[Event], *, with_reasons: bool) -> Json:
    """Return these events of the tournament as an event file, in as many queries whatever their size."""
    people = People()
    written = [_event(event, people, with_reasons=with_reasons) for event in events]
    document: Json = {
        "format": FORMAT,
        "version": FIRST,
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
    document["created"] = last_moment(written)
    document["ratings"] = ratings_of(document)
    document["version"] = version_of(document)
    put_back(document, events, people)
    document["digest"] = digest_of(document)
    return document


def _event(event: Event, people: People, *, with_reasons: bool) -> Json:
    chain = load_chain(event)
    with_clubs = event.entries.select_related("player__club", "partner__club").prefetch_related(
        Prefetch("members", queryset=Member.objects.select_related("player__club"))
    )
    entries = list(with_clubs.order_by("pk"))  # the order of entry, by which draws from a seed were made
    entrants = [_entrant(entry, people, with_reasons=with_reasons) for entry in entries]
    numbers = {entry.pk: entry.number for entry in entries}
    matches = Matches(chain, people, numbers, with_reasons=with_reasons)
    deadlines = Deadlines(event, numbers, with_offers=with_reasons)
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
        "starts_at": moment_text(event.starts_at),
        "finished_at": moment_text(event.finished_at),
        "tiebreaks": list(event.tiebreaks),
        "entrants": entrants,
        "draw": _draw(event),
        "stages": [_stage(chain, stage, numbers, matches, deadlines) for stage in chain.stages],
        "money": money_of(chain, EventMoney.objects.filter(event=event).first(), numbers),
    }


def _entrant(entry: Entry, people: People, *, with_reasons: bool) -> Json:
    left = {
        "at": moment_text(entry.left_at),
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
        "checked_in_at": moment_text(entry.checked_in_at),
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
                "made_at": moment_text(chain.made_at),
            }
            for chain in event.draw_chains.order_by("number")
        ],
        "closings": [
            {
                "number": closing.number,
                "stage": closing.stage,
                "source": closing.source,
                "entries_hash": closing.digest,
                "closed_at": moment_text(closing.closed_at),
                "dice": closing.value if closing.source == PublicSource.DICE else "",
                "first": closing.first,
                "second": closing.second,
                "by_link": closing.by_link,
                "drand_round": closing.drand_round,
                "signature": closing.signature,
                "value": closing.value,
                "known_at": moment_text(closing.known_at),
                "voided_at": moment_text(closing.voided_at),
                "void_reason": closing.void_reason,
                "words": [
                    {"number": given.number, "word": given.word, "given_at": moment_text(given.given_at)}
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
                "opened_at": moment_text(urn.opened_at),
                "cancelled_at": moment_text(urn.cancelled_at),
            }
            for urn in urns.order_by("chain__number", "number")
        ],
    }


def _stage(chain: Chain, stage: Stage, numbers: Mapping[int, int], matches: Matches, deadlines: Deadlines) -> Json:
    pairings = [
        _pairing(fixture, numbers, matches) | deadlines.written(fixture) for fixture in chain.fixtures[stage.pk]
    ]
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
        "drawn_at": moment_text(stage.drawn_at),
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
                "at": moment_text(change.at),
                "ended_at": moment_text(change.ended_at),
            }
            for change in stage.hand_changes.order_by("number")
        ],
        "challenges": [
            {
                "number": row.number,
                "challenger": numbers[row.challenger_id],
                "challenged": numbers[row.challenged_id],
                "made_at": moment_text(row.made_at),
                "withdrawn_at": moment_text(row.withdrawn_at),
            }
            for row in stage.challenges.order_by("number")
        ],
        "play_offs": [
            {"winner": numbers[row.winner_id], "loser": numbers[row.loser_id]} for row in stage.play_offs.all()
        ],
        "brackets": brackets_of(pairing["bracket"] for pairing in pairings),
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


def _pairing(fixture: Fixture, numbers: Mapping[int, int], matches: Matches) -> Json:
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
