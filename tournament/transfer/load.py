"""Importing an event file: the rows that were checked are stored, all of them or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _

from matches.counted import recount
from players.errors import Conflict, Refusal, in_words
from players.models import Club, Player, User, Visibility
from players.registry.names import split_name, tells_no_more
from players.registry.people import rename
from players.services import ensure_clubs, fold_name
from tournament.changes.record import record_change, record_in_tournament
from tournament.interchange.read import MOST_BYTES, Document
from tournament.interchange.sheets import score_of
from tournament.models import Appointment, Event, Role, Tournament
from tournament.transfer.ids import Json
from tournament.transfer.judge import judge
from tournament.transfer.kept import KEPT_PEOPLE, VERB, Kept, take, take_people
from tournament.transfer.rows import EventRows, event_rows, tournament_row

BATCH = 500


def import_event_file(data: bytes, *, owner: User | None = None, by: User | None, at: datetime) -> Tournament:
    """Store the tournament of an event file with its events, owned by ``owner`` if one is named.

    People are new ones: a name alone does not say who somebody is, and two rows of one person can be merged. They are
    shown as in the file, and no more of them; those who are here already stay as they are shown here. Raises
    Refusal, naming the place, for a file with any fault, and Conflict if there is a tournament of that address.
    """
    judgement = judge(data, MOST_BYTES)
    if judgement.document is None or judgement.faults:
        fault = judgement.faults[0]
        raise Refusal(fault.code, f"{fault.pointer}: {in_words(fault)}".removeprefix(": "), field=fault.pointer)
    if judgement.document["profile"] != "event":
        raise Refusal(
            "results_not_imported",
            _("This file has results without their draw: it can be checked, and not imported."),
            field="/profile",
        )
    try:
        return _store(judgement.document, owner=owner, by=by, at=at)
    except IntegrityError as error:
        raise Conflict(
            "import_impossible", _("The file does not fit what is stored here: nothing was imported.")
        ) from error


@transaction.atomic
def _store(document: Document, *, owner: User | None, by: User | None, at: datetime) -> Tournament:
    slug = document["tournament"]["id"]
    if Tournament.everything.filter(slug=slug).exists():
        raise Conflict("tournament_exists", _("There is a tournament “%(name)s” already.") % {"name": slug})
    tournament = tournament_row(document["tournament"], at=at)
    tournament.save()
    if owner is not None:
        Appointment.objects.create(tournament=tournament, user=owner, role=Role.OWNER, since=at)
    record_in_tournament(tournament, verb="create_tournament", by=by, at=at, name=tournament.name)
    people = _store_people(document, at=at)
    kept, of_people = take(document), take_people(document, people)
    for source in document["events"]:
        rows = event_rows(tournament, source, people, keep=_insert, nonce=f"imported {token_hex(16)}", at=at)
        _record(rows, document, kept, of_people, by=by, at=at)
    return tournament


def _store_people(document: Document, *, at: datetime) -> dict[str, Player]:
    ensure_clubs(person["club"] for person in document["people"])
    clubs = {club.name: club for club in Club.objects.filter(name__in={p["club"] for p in document["people"]})}
    people = {person["id"]: _person(person, clubs, at=at) for person in document["people"]}
    _insert(list(people.values()))
    for player in people.values():
        if not tells_no_more(player):
            rename(player)  # a number is known only now
    return people


def _person(person: Json, clubs: Mapping[str, Club], *, at: datetime) -> Player:
    """Return the person as they are shown in the file: of one who is not public, its name is their own until more is
    known of it.
    """
    shown = Visibility(person["visibility"])
    given, family = split_name(person["name"]) if shown != Visibility.PUBLIC else ("", "")
    return Player(
        name=person["name"],
        folded_name=fold_name(person["name"]),
        given=given,
        family=family,
        visibility=shown,
        country=person["nation"],
        club=clubs.get(person["club"]),
        created_at=at,
    )


def _insert(rows: Sequence[models.Model]) -> None:
    """Store new rows of one model."""
    if rows:
        type(rows[0])._base_manager.bulk_create(rows, batch_size=BATCH)


def _record(rows: EventRows, document: Document, kept: Kept, of_people: Json, *, by: User | None, at: datetime) -> None:
    """Write the step of the log: each score sheet as the audit compares it, and what no row holds."""
    boards = [
        _board(fixture.stage.number, fixture.key, board, sheet, match) for fixture, board, sheet, match in rows.sheets
    ]
    event: Event = rows.event
    own = {place: value for place, value in kept.items() if _is_about(place, rows.source["id"])}
    detail = {
        "name": event.name,
        "digest": document["digest"],
        "boards": boards,
        "kept": own,
        KEPT_PEOPLE: of_people,
        **_not_in_rows(rows),
    }
    record_change(event, verb=VERB, by=by, at=at, **detail)
    recount([sheet.match_id for _fixture, _board, sheet, _match in rows.sheets], at=at)


def _not_in_rows(rows: EventRows) -> dict[str, Any]:
    """Return what the log tells of other events: links, dice, challenges, deadlines and play-offs."""
    draw = rows.source["draw"]
    stages = [(rows.stages[stage["number"]], stage) for stage in rows.source["stages"]]
    return {
        "urns": [{"chain": urn["chain"], "number": urn["number"]} for urn in draw["urns"]],
        "dice": [
            {"closing": one["number"], "first": one["first"], "second": one["second"], "by_link": one["by_link"]}
            for one in draw["closings"]
            if one["dice"]
        ],
        "challenges": [
            [stage.number, row.number, row.challenger_id, row.challenged_id, row.withdrawn_at is None]
            for stage, _source in stages
            for row in stage.challenges.all()
        ],
        "deadlines": [
            {"match": fixture.matches[min(fixture.matches)].pk, "play_by": fixture.play_by.isoformat()}
            for fixtures in rows.fixtures.values()
            for fixture in fixtures
            if fixture.play_by is not None
        ],
        "play_offs": [
            [stage.number, row.winner_id, row.loser_id] for stage, _source in stages for row in stage.play_offs.all()
        ],
    }


def _is_about(place: str, event: str) -> bool:
    return not place.startswith("/events/") or place.split("/")[2] == event


def _board(stage: int, key: str, board: int, sheet: Any, match: Json) -> dict[str, Any]:
    score = score_of(match)
    awarded = match["sheet"]["awarded_to"]
    if score is not None and awarded and not score.over:
        score = score.after(awarded, score.away(awarded))
    return {
        "stage": stage,
        "fixture": key,
        "match": sheet.match_id,
        "sheet": sheet.number,
        "score": [score.a, score.b] if score else list(match["start"]),
        **({"board": board} if board else {}),
        **({"rates": match["error_rates"]} if match["error_rates"] else {}),
    }
