"""The form of an event file, version 1: every member of every object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.interchange.canonical import MOST_WHOLE
from tournament.interchange.shape import (
    Day,
    Either,
    Flag,
    Free,
    Items,
    Moment,
    OrNull,
    Record,
    Shape,
    Table,
    Text,
    Whole,
    Word,
)

FORMAT = "backgammon-event"
MAJOR, MINOR = 1, 1
VERSION = f"{MAJOR}.{MINOR}"
FIRST = f"{MAJOR}.0"

PROFILES = ("event", "results")
"""How much a file holds: an event with its draws, or its results without what the draws were made from."""
VISIBILITIES = ("public", "initials", "hidden", "minor")
SOURCES = ("desk", "record", "absence", "player", "scorer")
ENDINGS = ("bearoff", "drop", "resigned", "forfeit")
MATCH_OUTCOMES = ("open", "live", "played", "forfeit", "walkover", "void")
OUTCOMES = ("bye", "waiting", *MATCH_OUTCOMES, "drawn")
"""How a pairing stands: no two of these are ever the same word."""
AWARDED = ("forfeit", "walkover")
DEPARTURES = ("withdrawn", "no-show", "disqualified")
CARRIED = ("none", "met", "all")
PUBLIC_SOURCES = ("none", "dice", "words", "drand")

MOST_PEOPLE, MOST_EVENTS, MOST_PAIRINGS, MOST_GAMES = 20_000, 100, 20_000, 500
SMALL = 32_767
LARGE = 2**31 - 1
HEX = Text(64, 64, "^[0-9a-f]{64}$", "64 × 0–9, a–f")
SLUG = Text(80, 1, "^[-a-zA-Z0-9_]+$", "a–z, A–Z, 0–9, -, _")
NAME = Text(80, 1)
SHORT, LONG = Text(100), Text(1000)
REASON = Text(200)
ID = Text(80, 1)
NUMBER = Whole(1, SMALL)
NATION = Text(3, 0, "^([A-Z]{2,3})?$", "DK, DEN")
SIDE = Word(("A", "B"))
POINTS = Items(Whole(0, SMALL), most=2, least=2)
KEY = Text(16, 1)
FEED = Text(24, 0, "^(bye|(winner|loser):[!-~]{1,16}|round:[1-9][0-9]{0,3})?$", "bye, winner:M1-1, loser:M1-1, round:2")


def record(**members: Shape) -> Record:
    return Record(members)


WHY = record(code=SHORT, template=Text(1000), params=Table(Either((Text(1000), Whole(-LARGE, LARGE)), "text, number")))

PERSON = record(
    id=ID,
    name=NAME,
    nation=NATION,
    club=Text(80),
    visibility=Word(VISIBILITIES),
    ids=Items(record(issuer=Text(40, 1), value=Text(80, 1)), most=40),
    memberships=Items(
        record(
            federation=Text(80),
            club=Text(80),
            kind=Text(40),
            number=Text(80),
            **{"from": OrNull(Day()), "to": OrNull(Day())},
        ),
        most=200,
    ),
)

ENTRANT = record(
    number=NUMBER,
    people=Items(ID, most=40, least=1),
    team=Text(80),
    reentry=Whole(0, SMALL),
    seed=OrNull(NUMBER),
    family=Text(40),
    presence=Items(Whole(0, SMALL), most=1000),
    rating=OrNull(Whole(0, LARGE)),
    home_evening=OrNull(Whole(0, 6)),
    waiting=Flag(),
    checked_in_at=OrNull(Moment()),
    left=OrNull(record(at=Moment(), kind=Word(DEPARTURES), reason=REASON, bracket=Text(4), stage=NUMBER)),
    bye_taken=Whole(0, SMALL),
    drawn_as=OrNull(record(name=LONG, club=Text(80), nation=NATION)),
)

DRAW = record(
    algorithm=Word(("sha256-lots",)),
    public_source=Word(PUBLIC_SOURCES),
    chains=Items(record(number=NUMBER, anchor=HEX, length=Whole(1, 1_000_000), made_at=Moment()), 100, key="number"),
    closings=Items(
        record(
            number=NUMBER,
            stage=NUMBER,
            source=Word(PUBLIC_SOURCES[1:]),
            entries_hash=HEX,
            closed_at=Moment(),
            dice=Text(60),
            first=Text(200),
            second=Text(200),
            by_link=Flag(),
            drand_round=OrNull(Whole(1, 10**12)),
            signature=Text(96),
            value=Text(64),
            known_at=OrNull(Moment()),
            voided_at=OrNull(Moment()),
            void_reason=REASON,
            words=Items(record(number=NUMBER, word=Text(40, 1), given_at=Moment()), SMALL, key="number"),
        ),
        most=100,
        key="number",
    ),
    urns=Items(
        record(
            chain=NUMBER,
            number=Whole(1, 1_000_000),
            link=HEX,
            stage=OrNull(NUMBER),
            scope=Text(40, 1),
            public_value=LONG,
            entries_hash=HEX,
            document=Text(2_000_000, 1),
            opened_at=Moment(),
            cancelled_at=OrNull(Moment()),
        ),
        most=20_000,
    ),
)

GAME = record(n=NUMBER, winner=SIDE, cube=Whole(1, 2**30), level=Whole(1, 3), ending=Word(ENDINGS))

SHEET = record(
    source=Word(SOURCES),
    entered_at=Moment(),
    played_at=Moment(),
    games=OrNull(Items(GAME, most=MOST_GAMES, key="n")),
    final=OrNull(POINTS),
    awarded_to=OrNull(SIDE),
    reason=REASON,
).since(1, unplayed_by=Day())

RULING = record(
    kind=Text(20, 1),
    why=record(template=Text(300), params=WHY.members["params"]),
    reason=Text(200, 1),
    at=Moment(),
    said=Table(Free()),
    before=Table(Free()),
    made_sheet=Flag(),
    after_sheet=Flag(),
    undoes=OrNull(NUMBER),
)

MATCH = record(
    board=Whole(0, 9),
    a=Items(ID, most=2, least=1),
    b=Items(ID, most=2, least=1),
    length=Whole(1, SMALL),
    rules=Text(20, 1),
    crawford=Flag(),
    start=POINTS,
    crawford_done=Flag(),
    waived=Items(NUMBER, most=MOST_GAMES),
    penalties=Items(
        record(after=Whole(0, SMALL), against_a=Whole(0, SMALL), against_b=Whole(0, SMALL)), most=MOST_GAMES
    ),
    error_rates=OrNull(Items(Whole(0, 100_000), most=2, least=2)),
    outcome=Word(MATCH_OUTCOMES),
    score=OrNull(POINTS),
    winner=OrNull(SIDE),
    completed_at=OrNull(Moment()),
    sheet=OrNull(SHEET),
    rulings=Items(RULING, most=200),
    advance=OrNull(record(entrant=NUMBER, reason=Text(200, 1), at=Moment())),
    record=OrNull(record(media=SHORT, sha256=HEX, href=LONG)),
)

PAIRING = record(
    id=KEY,
    bracket=Text(4),
    round=NUMBER,
    number=NUMBER,
    length=Whole(1, SMALL),
    a=OrNull(NUMBER),
    b=OrNull(NUMBER),
    a_from=FEED,
    b_from=FEED,
    winner_to=OrNull(KEY),
    loser_to=OrNull(KEY),
    outcome=Word(OUTCOMES),
    winner=OrNull(NUMBER),
    why=WHY,
    matches=Items(MATCH, most=9, key="board"),
).since(
    1,
    play_by=Day(),
    extended_by=Items(NUMBER, most=2, least=1),
    offers=Items(record(entrant=NUMBER, days=Items(Day(), most=50), made_at=Moment()), most=100, least=1),
)

STANDING = record(
    section=Text(4),
    entrant=NUMBER,
    place=NUMBER,
    place_to=NUMBER,
    played=Whole(0, SMALL),
    wins=Whole(0, SMALL),
    draws=Whole(0, SMALL),
    losses=Whole(0, SMALL),
    rate_wins=Whole(0, SMALL),
    points_for=Whole(0, LARGE),
    points_against=Whole(0, LARGE),
    tiebreaks=Items(
        record(name=Text(40, 1), value=OrNull(Either((Whole(-LARGE, LARGE), Text(60)), "number, 7/2"))), most=40
    ),
    decided_by=Text(30),
)

STAGE = record(
    number=NUMBER,
    format=Text(30),
    options=Table(Free()),
    qualifiers=OrNull(Whole(0, SMALL)),
    carry=Word(CARRIED),
    edition=Whole(0, SMALL),
    seed=Text(64),
    drawn_at=OrNull(Moment()),
    draw_hash=Text(64),
    notes=Items(WHY, most=1000),
    moves=Items(
        record(
            number=NUMBER,
            kind=Word(("swap", "pair")),
            round=Whole(0, SMALL),
            a=NUMBER,
            b=OrNull(NUMBER),
            reason=Text(200, 1),
            at=Moment(),
            ended_at=OrNull(Moment()),
        ),
        most=20_000,
        key="number",
    ),
    challenges=Items(
        record(number=NUMBER, challenger=NUMBER, challenged=NUMBER, made_at=Moment(), withdrawn_at=OrNull(Moment())),
        most=20_000,
        key="number",
    ),
    play_offs=Items(record(winner=NUMBER, loser=NUMBER), most=20_000),
    brackets=Items(record(id=Text(4), name=NAME), most=1000, key="id"),
    pairings=Items(PAIRING, most=MOST_PAIRINGS, key="id"),
    standings=Items(STANDING, most=MOST_PAIRINGS),
)

AMOUNT = Whole(0, 10**12)
"""An amount of money in the smallest unit of its currency."""

MONEY = record(
    currency=Text(3, 3, "^[A-Z]{3}$", "EUR"),
    fee=AMOUNT,
    reentry_fee=AMOUNT,
    registration_fee=AMOUNT,
    rake=Text(12, 1),
    rake_value=AMOUNT,
    added=AMOUNT,
    payouts=record(
        shares=Items(
            record(
                section=Text(8),
                basis_points=Whole(0, 10_000),
                table=record(kind=Text(12, 1), template=Text(12), values=Items(AMOUNT, most=64)),
            ),
            most=8,
            least=1,
        ),
        step=Whole(1, 10**9),
        rounding=Text(30, 1),
    ),
    prizes=Items(
        record(section=Text(8), entrant=NUMBER, place=NUMBER, place_to=NUMBER, amount=OrNull(Whole(0, MOST_WHOLE))),
        most=SMALL,
    ),
)

EVENT = record(
    id=SLUG,
    name=NAME,
    rated_for=Items(SHORT, most=40),
    rules=record(profile=Text(20, 1), crawford=Flag(), boards=Whole(1, 9), doubles=Flag()),
    clock=OrNull(record(minutes=NUMBER, delay=Whole(0, SMALL))),
    door=record(max_entries=OrNull(Whole(0, SMALL)), check_in=Flag(), late_minutes=OrNull(Whole(0, SMALL))),
    reports=record(phones=Flag(), confirm_minutes=OrNull(NUMBER), shows_chances=Flag()),
    starts_at=OrNull(Moment()),
    finished_at=OrNull(Moment()),
    tiebreaks=Items(Text(40, 1), most=40),
    entrants=Items(ENTRANT, most=SMALL, key="number"),
    draw=DRAW,
    stages=Items(STAGE, most=20, least=1, key="number"),
    money=OrNull(MONEY),
)

DOCUMENT = record(
    format=Word((FORMAT,)),
    version=Text(12, 3, r"^1\.(0|[1-9][0-9]{0,4})$", VERSION),
    profile=Word(PROFILES),
    generator=SHORT,
    created=OrNull(Moment()),
    digest=Text(71, 71, "^sha256:[0-9a-f]{64}$", "sha256:…"),
    federations=Items(record(code=Text(40, 1), name=Text(80), nation=NATION), most=400, key="code"),
    people=Items(PERSON, most=MOST_PEOPLE, key="id"),
    tournament=record(id=SLUG, name=NAME, place=Text(80), starts_on=Day(), ends_on=OrNull(Day()), time_zone=Text(64)),
    events=Items(EVENT, most=MOST_EVENTS, least=1, key="id"),
    ratings=Items(
        record(
            system=Text(40, 1),
            lines=Items(
                record(
                    person=ID,
                    value=Text(20, 1, "^-?[0-9]{1,12}(\\.[0-9]{1,6})?$", "1523.1234"),
                    experience=Whole(0, LARGE),
                    matches=Whole(0, LARGE),
                    wins=Whole(0, LARGE),
                ),
                most=MOST_PEOPLE,
                key="person",
            ),
        ),
        most=40,
        key="system",
    ),
    signatures=Items(record(by=SHORT, algorithm=Word(("ed25519",)), key=LONG, value=LONG), most=40),
)


def version_of(document: Mapping[str, object]) -> str:
    """Return the lowest version that has all members of the file that this program knows."""
    return f"{MAJOR}.{_minor_in(DOCUMENT, document)}"


def _minor_in(shape: Shape, value: Any) -> int:
    """Return the lowest minor version that has all members of the value."""
    if isinstance(shape, OrNull):
        return _minor_in(shape.shape, value) if value is not None else 0
    if isinstance(shape, Items):
        return max((_minor_in(shape.shape, one) for one in value), default=0)
    if not isinstance(shape, Record):
        return 0
    own = (later.minor for key, later in shape.later.items() if key in value)
    inner = (_minor_in(one, value[key]) for key, one in shape.shapes.items() if key in value)
    return max((*own, *inner), default=0)


def as_schema() -> dict[str, object]:
    """Return the form as JSON Schema 2020-12. What refers to what, and the rules of play, it cannot say."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:backgammon-event:1",
        "title": "A backgammon event",
        **DOCUMENT.schema(),
    }
