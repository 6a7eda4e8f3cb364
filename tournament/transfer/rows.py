"""An event file as rows: the same rows are checked before anything is stored, and then stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from matches.models import Match, Scoresheet
from players.models import Player
from players.rows import with_rows
from tournament.draw.chain import Chain
from tournament.draw.lots import EventLots
from tournament.models import (
    Board,
    Challenge,
    Closing,
    DrawChain,
    Entry,
    Event,
    EventMoney,
    Fixture,
    GivenWord,
    HandChange,
    Member,
    OpenUrn,
    PlayOff,
    Stage,
    Tournament,
)
from tournament.transfer.deadlines import deadline_fields, make_offers
from tournament.transfer.ids import Json, Keep, moment, moment_or_none
from tournament.transfer.match_rows import make_rulings, make_sheets, match_row
from tournament.transfer.prizes import money_row


@dataclass(slots=True)
class EventRows:
    """The rows of one event, found by what the file calls them."""

    event: Event
    source: Json
    entries: dict[int, Entry] = field(default_factory=dict)
    stages: dict[int, Stage] = field(default_factory=dict)
    fixtures: dict[int, list[Fixture]] = field(default_factory=dict)
    """By id of the stage, in the order of the file."""
    lots: EventLots | None = None
    money: EventMoney | None = None
    sheets: list[tuple[Fixture, int, Scoresheet, Json]] = field(default_factory=list)
    """Each score sheet with its fixture, board and match as the file has them."""

    def chain(self) -> Chain:
        """Return the event as its formats see it."""
        lots = self.lots or EventLots(self.event, (), ())
        return Chain(self.event, self.stages.values(), self.entries.values(), self.fixtures, lots)


def tournament_row(source: Json, *, at: datetime) -> Tournament:
    """Return the tournament of the file."""
    ends_on = source["ends_on"]
    return Tournament(
        slug=source["id"],
        name=source["name"],
        place=source["place"],
        starts_on=date.fromisoformat(source["starts_on"]),
        ends_on=date.fromisoformat(ends_on) if ends_on else None,
        time_zone=source["time_zone"],
        created_at=at,
    )


def event_rows(
    tournament: Tournament, source: Json, people: Mapping[str, Player], *, keep: Keep, nonce: str, at: datetime
) -> EventRows:
    """Make all rows of an event of the file, each kept before others refer to it."""
    event = Event(
        tournament=tournament,
        slug=source["id"],
        name=source["name"],
        profile=source["rules"]["profile"],
        crawford=source["rules"]["crawford"],
        boards=source["rules"]["boards"],
        doubles=source["rules"]["doubles"],
        tiebreaks=source["tiebreaks"],
        starts_at=moment_or_none(source["starts_at"]),
        clock_minutes=source["clock"]["minutes"] if source["clock"] else None,
        clock_delay=source["clock"]["delay"] if source["clock"] else None,
        **source["door"],
        **source["reports"],
        public_source=source["draw"]["public_source"],
        finished_at=moment_or_none(source["finished_at"]),
        created_at=at,
    )
    keep([event])
    rows = EventRows(event, source)
    if source["money"] is not None:
        rows.money = money_row(event, source["money"])
        keep([rows.money])
    _make_entries(rows, people, keep)
    _make_stages(rows, keep)
    _make_lots(rows, keep, nonce)
    for stage in source["stages"]:
        _make_fixtures(rows, stage, people, keep, at=at)
    return rows


def _make_entries(rows: EventRows, people: Mapping[str, Player], keep: Keep) -> None:
    for source in rows.source["entrants"]:
        named = [people[id] for id in source["people"]]
        left = source["left"]
        rows.entries[source["number"]] = Entry(
            event=rows.event,
            player=named[0],
            partner=named[1] if rows.event.doubles else None,
            number=source["number"],
            **{name: source[name] for name in ("team", "reentry", "seed", "family", "presence", "rating")},
            **{name: source[name] for name in ("home_evening", "waiting", "bye_taken")},
            checked_in_at=moment_or_none(source["checked_in_at"]),
            left_at=moment(left["at"]) if left else None,
            left_kind=left["kind"] if left else "",
            left_reason=left["reason"] if left else "",
            left_bracket=left["bracket"] if left else "",
            left_stage=left["stage"] if left else None,
            drawn_as=[source["drawn_as"][name] for name in ("name", "club", "nation")] if source["drawn_as"] else [],
        )
    keep(list(rows.entries.values()))
    members: list[Member] = []
    for source in rows.source["entrants"]:
        entry = rows.entries[source["number"]]
        own = [
            Member(entry=entry, player=people[id], board=board)
            for board, id in enumerate(source["people"][1:], start=2)
            if rows.event.boards > 1
        ]
        with_rows(entry, "members", own)
        members += own
    keep(members)


STAGE = ("number", "format", "options", "qualifiers", "carry", "edition", "seed", "draw_hash", "notes")


def _make_stages(rows: EventRows, keep: Keep) -> None:
    for source in rows.source["stages"]:
        stage = Stage(
            event=rows.event, drawn_at=moment_or_none(source["drawn_at"]), **{name: source[name] for name in STAGE}
        )
        rows.stages[source["number"]] = stage
    keep(list(rows.stages.values()))
    entries = rows.entries
    for source in rows.source["stages"]:
        stage = rows.stages[source["number"]]
        rows.fixtures[stage.pk] = []
        moves = [
            HandChange(
                stage=stage,
                number=one["number"],
                kind=one["kind"],
                round=one["round"],
                entry_a=entries[one["a"]],
                entry_b=None if one["b"] is None else entries[one["b"]],
                reason=one["reason"],
                at=moment(one["at"]),
                ended_at=moment_or_none(one["ended_at"]),
            )
            for one in source["moves"]
        ]
        challenges = [
            Challenge(
                stage=stage,
                number=one["number"],
                challenger=entries[one["challenger"]],
                challenged=entries[one["challenged"]],
                made_at=moment(one["made_at"]),
                withdrawn_at=moment_or_none(one["withdrawn_at"]),
            )
            for one in source["challenges"]
        ]
        play_offs = [
            PlayOff(stage=stage, winner=entries[one["winner"]], loser=entries[one["loser"]])
            for one in source["play_offs"]
        ]
        for kept in (moves, challenges, play_offs):
            keep(kept)
        stage.held_moves = [change for change in moves if change.ended_at is None]  # type: ignore[attr-defined]
        with_rows(stage, "challenges", challenges)
        with_rows(stage, "play_offs", play_offs)


def _make_lots(rows: EventRows, keep: Keep, nonce: str) -> None:
    """Make the chains and the urns. No secret of this server gives a chain of another: its ``nonce`` says so."""
    source = rows.source["draw"]
    chains = {
        one["number"]: DrawChain(
            event=rows.event,
            number=one["number"],
            nonce=f"{nonce} {one['number']}",
            anchor=one["anchor"],
            length=one["length"],
            made_at=moment(one["made_at"]),
        )
        for one in source["chains"]
    }
    keep(list(chains.values()))
    urns = [
        OpenUrn(
            chain=chains[one["chain"]],
            number=one["number"],
            link=one["link"],
            stage=None if one["stage"] is None else rows.stages[one["stage"]],
            scope=one["scope"],
            public_value=one["public_value"],
            digest=one["entries_hash"],
            document=one["document"],
            opened_at=moment(one["opened_at"]),
            cancelled_at=moment_or_none(one["cancelled_at"]),
        )
        for one in source["urns"]
    ]
    keep(urns)
    closings = []
    words = []
    for one in source["closings"]:
        closing = Closing(
            event=rows.event,
            digest=one["entries_hash"],
            closed_at=moment(one["closed_at"]),
            known_at=moment_or_none(one["known_at"]),
            voided_at=moment_or_none(one["voided_at"]),
            **{name: one[name] for name in ("number", "stage", "source", "dice", "drand_round", "signature")},
            **{name: one[name] for name in ("value", "void_reason")},
        )
        closings.append(closing)
        words.append((closing, one["words"]))
    keep(closings)
    keep(
        [
            GivenWord(closing=closing, number=word["number"], word=word["word"], given_at=moment(word["given_at"]))
            for closing, given in words
            for word in given
        ]
    )
    rows.lots = EventLots(rows.event, chains.values(), urns)


def _make_fixtures(rows: EventRows, source: Json, people: Mapping[str, Player], keep: Keep, *, at: datetime) -> None:
    stage = rows.stages[source["number"]]
    made: list[tuple[Json, Json, Match]] = [
        (pairing, match, match_row(match, people, at=at))
        for pairing in source["pairings"]
        for match in pairing["matches"]
    ]
    keep([match for _pairing, _match, match in made])
    matches = {(pairing["id"], source["board"]): match for pairing, source, match in made}
    fixtures = {pairing["id"]: _fixture_row(stage, pairing, rows.entries, matches) for pairing in source["pairings"]}
    keep(list(fixtures.values()))
    make_offers([(pairing, fixtures[pairing["id"]]) for pairing in source["pairings"]], rows.entries, keep)
    boards = {
        key: [
            Board(fixture=fixture, number=match["board"], match=matches[key, match["board"]])
            for match in pairing["matches"]
            if match["board"]
        ]
        for (key, fixture), pairing in zip(fixtures.items(), source["pairings"], strict=True)
    }
    keep([board for of_fixture in boards.values() for board in of_fixture])
    for key, fixture in fixtures.items():
        with_rows(fixture, "boards", boards[key])
        rows.fixtures[stage.pk].append(fixture)
    sheets = make_sheets([(match, row) for _pairing, match, row in made], keep)
    make_rulings([(match, row) for _pairing, match, row in made], sheets, rows.entries, keep)
    rows.sheets += [
        (fixtures[pairing["id"]], match["board"], sheets[row.pk], match)
        for pairing, match, row in made
        if row.pk in sheets
    ]


def _fixture_row(
    stage: Stage, source: Json, entries: Mapping[int, Entry], matches: Mapping[tuple[str, int], Match]
) -> Fixture:
    fixture = Fixture(
        stage=stage,
        key=source["id"],
        entry_a=None if source["a"] is None else entries[source["a"]],
        entry_b=None if source["b"] is None else entries[source["b"]],
        feed_a=source["a_from"],
        feed_b=source["b_from"],
        match=matches.get((source["id"], 0)),
        **{name: source[name] for name in ("bracket", "round", "number", "length", "why")},
        **deadline_fields(source, entries),
    )
    return fixture
