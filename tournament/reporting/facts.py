"""The decided matches of events in rating order, with what a policy asks about each."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from heapq import merge
from itertools import islice
from typing import Any

from django.db.models import F, QuerySet

from matches.claims import claim_of, score_of
from matches.models import Conclusion, Match, Scoresheet, SheetState
from players.lists.models import OfficialList
from players.lists.policies import Policies
from players.lists.policy import Affiliation, Bracket, Declared, MatchFacts, Outcome, Policy, Where
from players.models import Federation, Membership
from rules.score import Ending, MatchScore, Side
from tournament.models import Event, RatingRuling, RatingVerdict, Sanction

CHUNK = 1000

PATHS = ("match__fixture", "match__board__fixture")
"""From a sheet to the fixture that it decides, alone or as one of the boards."""

BRACKETS = {
    **dict.fromkeys("MFPTEB", Bracket.MAIN),
    **dict.fromkeys("CD", Bracket.CONSOLATION),
    "L": Bracket.LAST_CHANCE,
    "J": Bracket.JACKPOT,
}
"""What a bracket is, by the first letter of its name; all others are groups or rounds."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A match that is decided, by its current sheet, and where in its event; its stage was drawn at ``drawn_at``."""

    event: Event
    sheet: Scoresheet
    bracket: str
    is_board: bool
    drawn_at: datetime | None

    @property
    def match(self) -> Match:
        return self.sheet.match

    @property
    def day(self) -> date:
        """The day of play, in the zone of the tournament."""
        return self.sheet.played_at.astimezone(self.event.tournament.zone).date()

    @property
    def score(self) -> MatchScore:
        claim = claim_of(self.sheet)
        return score_of(self.match.terms, claim.games, claim.final, claim.awarded_to)

    @property
    def winner(self) -> Side | None:
        return self.score.winner


@dataclass(frozen=True, slots=True)
class Asked:
    """Which matches are asked for: those with these ids, those that ended after a moment, and by another."""

    matches: Collection[int] | None = None
    after: datetime | None = None
    until: datetime | None = None

    def within(self, sheets: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        if self.matches is not None:
            sheets = sheets.filter(match__in=self.matches)
        if self.after is not None:
            sheets = sheets.filter(played_at__gt=self.after)
        return sheets if self.until is None else sheets.filter(played_at__lte=self.until)


ALL = Asked()


def decided_in(events: QuerySet[Event], asked: Asked = ALL) -> Iterator[Decided]:
    """Yield the decided matches of these events that are asked for, in rating order, reading piece by piece."""
    known = {event.pk: event for event in events.select_related("tournament")}
    streams = [_stream(known, path, asked) for path in PATHS]
    return merge(*streams, key=lambda one: (one.sheet.played_at, one.sheet.match_id))


def _stream(known: dict[int, Event], path: str, asked: Asked) -> Iterator[Decided]:
    sheets = Scoresheet.objects.filter(state=SheetState.CONFIRMED, **{f"{path}__stage__event__in": list(known)})
    sheets = asked.within(sheets)
    named = sheets.annotate(
        of_event=F(f"{path}__stage__event"), of_bracket=F(f"{path}__bracket"), of_draw=F(f"{path}__stage__drawn_at")
    )
    rows = named.select_related("match").prefetch_related("lines").order_by("played_at", "match_id")
    for sheet in rows.iterator(chunk_size=CHUNK):
        event, bracket = sheet.of_event, sheet.of_bracket
        yield Decided(known[event], sheet, bracket, path != PATHS[0], sheet.of_draw)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a list needs to judge a match: its policy of the day, the facts, and how much the match counts."""

    decided: Decided
    policy: Policy
    facts: MatchFacts
    weight: int


def judge_all(official_list: OfficialList, decided: Iterator[Decided]) -> Iterator[Judgement]:
    """Yield what the list needs to judge each of the matches, in their order. Reads ``official_list.federation``."""
    federation = official_list.federation.code if official_list.federation else ""
    policies = Policies(official_list.pk, has_federation=bool(federation))
    while piece := list(islice(decided, CHUNK)):
        memberships = _memberships(piece)
        sanctions, ruled = _sanctions(official_list, piece), _ruled(official_list, piece)
        for one in piece:
            policy, event = policies.on(one.day), one.event
            facts = MatchFacts(
                **_facts_of_play(one),
                federation=federation,
                where=Where.ONLINE if event.online else Where.LIVE,
                event_class=event.event_class,
                sanctioned=event.pk in sanctions,
                declared=_declared(one, official_list.slug),
                voided=ruled.get(one.match.pk) == RatingVerdict.OUT,
                allowed=ruled.get(one.match.pk) == RatingVerdict.COUNTS,
                players=(
                    _affiliation(memberships.get(one.match.side_a_id, ()), one.day),
                    _affiliation(memberships.get(one.match.side_b_id, ()), one.day),
                ),
            )
            yield Judgement(one, policy, facts, sanctions.get(event.pk) or policy.weight_of(event.event_class))


def _facts_of_play(one: Decided) -> dict[str, Any]:
    match, sheet = one.match, one.sheet
    is_begun = sheet.final_a is not None or any(line.ending != Ending.FORFEIT for line in sheet.lines.all())
    return {
        "outcome": Outcome(Conclusion(sheet.conclusion).value),
        "length": match.length,
        "bracket": BRACKETS.get(one.bracket[:1], Bracket.ROUNDS),
        "doubles": match.partner_a_id is not None,
        "teams": one.is_board,
        "begun": is_begun,
        "penalised": bool(match.penalties),
    }


def _declared(one: Decided, slug: str) -> Declared:
    """Return whether the list was declared before the match, or before its draw: results may be typed in later."""
    event = one.event
    if slug not in event.rated_for or event.declared_at is None:
        return Declared.NO
    latest = max(one.sheet.played_at, one.drawn_at or one.sheet.played_at)
    return Declared.BEFORE if event.declared_at <= latest else Declared.LATE


def _memberships(piece: Collection[Decided]) -> dict[int, list[Membership]]:
    """Return the memberships in federations of all who played these matches, by player, in one query."""
    players = {player for one in piece for player in (one.match.side_a_id, one.match.side_b_id)}
    rows = Membership.objects.filter(player__in=players, federation__isnull=False).select_related("federation")
    found: dict[int, list[Membership]] = {}
    for row in rows:
        found.setdefault(row.player_id, []).append(row)
    return found


def _sanctions(official_list: OfficialList, piece: Collection[Decided]) -> dict[int, int | None]:
    """Return the weights by which the events of these matches are approved, by event."""
    standing = Sanction.objects.filter(official_list=official_list, withdrawn_at=None)
    return dict(standing.filter(event__in={one.event.pk for one in piece}).values_list("event", "weight"))


def _ruled(official_list: OfficialList, piece: Collection[Decided]) -> dict[int, str]:
    """Return what has been ruled of these matches last, by match."""
    rulings = RatingRuling.objects.filter(official_list=official_list, match__in=[one.match.pk for one in piece])
    return dict(rulings.order_by("pk").values_list("match", "verdict"))


def is_member_of(federation: Federation | None, players: Collection[int]) -> Callable[[int, date], bool]:
    """Return how to ask whether one of these players was a member of the federation on a day, guests apart."""
    rows = Membership.objects.filter(player__in=players, federation=federation).exclude(kind=Membership.Kind.GUEST)
    found: dict[int, list[Membership]] = {}
    for row in rows if federation is not None else ():
        found.setdefault(row.player_id, []).append(row)
    return lambda player, day: any(row.holds_on(day) for row in found.get(player, ()))


def _affiliation(memberships: Collection[Membership], day: date) -> Affiliation:
    held = [(row.federation.code, row.kind) for row in memberships if row.federation and row.holds_on(day)]
    return Affiliation(
        member_of=frozenset(code for code, kind in held if kind != Membership.Kind.GUEST),
        guest_of=frozenset(code for code, kind in held if kind == Membership.Kind.GUEST),
    )
