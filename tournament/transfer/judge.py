"""Judging an event file: its form, what it refers to, the rules of play, its draws made again. Nothing is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any

from django.utils.translation import gettext_noop

from players.errors import Refusal
from players.models import Club, Player
from players.services import clean_name
from tournament.events.days import check_last_day, check_zone
from tournament.events.services import reserved_slugs
from tournament.events.terms import EventTerms, check_terms
from tournament.interchange.consistency import check_consistency
from tournament.interchange.derive import check_derived
from tournament.interchange.faults import MOST_FAULTS, Fault, at, shown
from tournament.interchange.read import MOST_BYTES, Document, read_event_file
from tournament.interchange.references import check_references
from tournament.interchange.sheets import check_matches
from tournament.models import Event
from tournament.transfer.draws import check_draws, refused
from tournament.transfer.ids import Json, Numbers, moment_or_none
from tournament.transfer.prizes import money_row
from tournament.transfer.rows import event_rows, tournament_row

NOBODY_S_TIME = datetime(2000, 1, 1, tzinfo=UTC)

MOST_BYTES_OF_A_PAGE = 8 * 1024 * 1024
MOST_WORK_OF_A_PAGE = 4000
"""The most entrants in all stages together whose draws a web page makes again while the visitor waits."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is wrong with a file, and the document if its form holds."""

    document: Document | None
    faults: Sequence[Fault]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong, so that the file can be imported."""
        return not self.faults

    @property
    def summary(self) -> dict[str, Any]:
        """What the file holds: the tournament, and for each event its name and how many of everything it has."""
        document = self.document
        if document is None:
            return {}
        return {
            "tournament": document["tournament"]["name"],
            "profile": document["profile"],
            "generator": document["generator"],
            "people": len(document["people"]),
            "events": [_summary(event) for event in document["events"]],
        }


def _summary(event: Json) -> dict[str, Any]:
    pairings = [pairing for stage in event["stages"] for pairing in stage["pairings"]]
    outcomes = Counter(pairing["outcome"] for pairing in pairings)
    return {
        "name": event["name"],
        "entrants": len(event["entrants"]),
        "stages": [stage["format"] for stage in event["stages"]],
        "pairings": len(pairings),
        "outcomes": dict(sorted(outcomes.items())),
    }


WORK_OF_A_SIGNATURE = MOST_WORK_OF_A_PAGE // 4
"""To verify a signature of drand takes a quarter of a second."""


def judge_on_page(data: bytes) -> Judgement:
    """Judge a file as :func:`judge` does, as far as a visitor can wait for it."""
    return judge(data, MOST_BYTES_OF_A_PAGE, MOST_WORK_OF_A_PAGE)


def judge(data: bytes, most_bytes: int = MOST_BYTES, most_work: int | None = None) -> Judgement:
    """Judge the bytes of an event file. Whatever they are, nothing is raised."""
    read = read_event_file(data, most_bytes)
    if read.document is None or read.faults:
        return Judgement(read.document, read.faults)
    document = read.document
    if most_work is not None and _work(document) > most_work:
        sentence = gettext_noop("This file takes too long to check on a web page: use manage.py validate_event FILE.")
        return Judgement(document, [Fault("event_file_too_long", "", sentence)])
    checks = (check_references, _check_parts, _check_people, check_derived, _check_draws)
    for check in checks if document["profile"] == "event" else checks[:-1]:
        faults = list(islice(check(document), MOST_FAULTS))
        if faults:  # the next check builds on this one
            return Judgement(document, faults)
    return Judgement(document, ())


def _work(document: Document) -> int:
    closings = [one for event in document["events"] for one in event["draw"]["closings"]]
    signed = sum(one["source"] == "drand" and bool(one["value"]) for one in closings)
    planned = sum(len(event["entrants"]) * len(event["stages"]) for event in document["events"])
    return signed * WORK_OF_A_SIGNATURE + planned


def _check_parts(document: Document) -> Iterator[Fault]:
    yield from check_consistency(document)
    yield from check_matches(document)


def _check_people(document: Document) -> Iterator[Fault]:
    """Check names, days, zone and terms as the services that store them do."""
    for index, person in enumerate(document["people"]):
        place = at("", "people", index)
        yield from _check_name(person["name"], at(place, "name"))
        if person["club"]:
            yield from _check_name(person["club"], at(place, "club"))
    tournament, place = document["tournament"], at("", "tournament")
    yield from _check_name(tournament["name"], at(place, "name"))
    try:
        check_zone(tournament["time_zone"])
    except Refusal as refusal:
        yield refused(refusal, at(place, "time_zone"))
    first, last = date.fromisoformat(tournament["starts_on"]), tournament["ends_on"]
    try:
        if last is not None and check_last_day(first, date.fromisoformat(last)) is None:
            raise Refusal("last_day_before_first", gettext_noop("The last day is after the first, or null."))
    except Refusal as refusal:
        yield refused(refusal, at(place, "ends_on"))
    for index, event in enumerate(document["events"]):
        yield from _check_event(event, at("", "events", index))
        if document["profile"] == "event":
            yield from _check_terms(event, at("", "events", index))


def _check_name(name: str, pointer: str) -> Iterator[Fault]:
    try:
        cleaned = clean_name(name)
    except Refusal as refusal:
        yield refused(refusal, pointer)
        return
    if cleaned != name:
        yield Fault(
            "name_untidy",
            pointer,
            gettext_noop("A name has composed letters and single spaces, and none around it: “%(name)s”."),
            {"name": shown(cleaned)},
        )


def _check_event(event: Json, pointer: str) -> Iterator[Fault]:
    yield from _check_name(event["name"], at(pointer, "name"))
    if event["id"] in reserved_slugs():
        yield Fault("id_reserved", at(pointer, "id"), gettext_noop("A page of the tournament has this name already."))
    for index, entrant in enumerate(event["entrants"]):
        if entrant["team"]:
            yield from _check_name(entrant["team"], at(pointer, "entrants", index, "team"))
    if event["money"] is not None:
        try:
            money_row(Event(), event["money"])
        except Refusal as refusal:
            yield refused(refusal, at(pointer, "money"))


def _check_terms(event: Json, pointer: str) -> Iterator[Fault]:
    clock, first = event["clock"] or {}, event["stages"][0]
    try:
        check_terms(
            EventTerms(
                name=event["name"],
                format=first["format"],
                options={"lengths": first["options"]["lengths"]},  # the others may exclude each other only since
                profile=event["rules"]["profile"],
                crawford=event["rules"]["crawford"],
                boards=event["rules"]["boards"],
                doubles=event["rules"]["doubles"],
                tiebreaks=event["tiebreaks"],
                public_source=event["draw"]["public_source"],
                starts_at=moment_or_none(event["starts_at"]),
                clock_minutes=clock.get("minutes"),
                clock_delay=clock.get("delay"),
                **event["reports"],
            )
        )
    except Refusal as refusal:
        yield refused(refusal, pointer)


def _check_draws(document: Document) -> Iterator[Fault]:
    numbers = Numbers()
    tournament = tournament_row(document["tournament"], at=NOBODY_S_TIME)
    clubs = {person["club"]: Club(name=person["club"]) for person in document["people"] if person["club"]}
    people = {
        person["id"]: Player(name=person["name"], country=person["nation"], club=clubs.get(person["club"]))
        for person in document["people"]
    }
    for rows in ([tournament], list(clubs.values()), list(people.values())):
        numbers.keep(rows)
    for index, source in enumerate(document["events"]):
        made = event_rows(tournament, source, people, keep=numbers.keep, nonce="", at=NOBODY_S_TIME)
        yield from check_draws(made, at("", "events", index))
