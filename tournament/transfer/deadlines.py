"""What an event file tells of the deadlines of single pairings: moved and extended, with the offers to play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any

from tournament.models import Entry, Event, Fixture, Offer
from tournament.transfer.ids import Json, Keep, moment
from tournament.transfer.moments import moment_text


class Deadlines:
    """The deadlines of an event, written with the offers of those who meet, which are read at once."""

    def __init__(self, event: Event, numbers: Mapping[int, int], *, with_offers: bool) -> None:
        self._numbers = numbers
        self._offers: dict[int, list[Offer]] = defaultdict(list)
        for offer in Offer.objects.filter(fixture__stage__event=event).order_by("pk") if with_offers else ():
            self._offers[offer.fixture_id].append(offer)

    def written(self, fixture: Fixture) -> dict[str, Any]:
        """Return what the file has of the pairing besides the rest: only what is said."""
        of_those_who_meet = (fixture.entry_a_id, fixture.entry_b_id)
        found = {
            "play_by": fixture.play_by.isoformat() if fixture.play_by else None,
            "extended_by": [self._numbers[entry] for entry in fixture.extended_by if entry in of_those_who_meet],
            "offers": [
                {
                    "entrant": self._numbers[offer.entry_id],
                    "days": offer.days,
                    "made_at": moment_text(offer.made_at),
                }
                for offer in self._offers[fixture.pk]
                if offer.entry_id in of_those_who_meet
            ],
        }
        return {name: value for name, value in found.items() if value}


def deadline_fields(source: Json, entries: Mapping[int, Entry]) -> dict[str, Any]:
    """Return the fields of the fixture that hold its own deadline, and who has extended it."""
    play_by = source.get("play_by")
    return {
        "play_by": date.fromisoformat(play_by) if play_by else None,
        "extended_by": [entries[number].pk for number in source.get("extended_by", ())],
    }


def make_offers(pairings: list[tuple[Json, Fixture]], entries: Mapping[int, Entry], keep: Keep) -> None:
    """Make the offers to play, in the order in which they were noted."""
    keep(
        [
            Offer(fixture=fixture, entry=entries[one["entrant"]], days=one["days"], made_at=moment(one["made_at"]))
            for source, fixture in pairings
            for one in source.get("offers", ())
        ]
    )
