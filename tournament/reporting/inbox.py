"""What an officer reads: the reports of events, what each match of one is to the list, and what stands out."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import QuerySet

from matches.claims import claim_of, score_of
from matches.models import Match, SheetState
from players.lists.anomalies import Anomalies, Seen, find_anomalies
from players.lists.models import OfficialList
from players.lists.officers import lists_kept_by
from players.lists.policies import Policies
from players.models import Club, Player, User
from tournament.models import Event, EventReport, Fixture, ReportState
from tournament.models.draw import place_of
from tournament.reporting.counting import Verdict, verdicts
from tournament.reporting.rulings import reasons_of_rulings
from tournament.reporting.words import sentence_of

MOST_SHOWN = 200
PERIOD = timedelta(days=365)

OPEN = (ReportState.ARRIVED, ReportState.ANSWERED)
"""The states in which a report waits for its officer."""


def reports_for(user: User) -> QuerySet[EventReport]:
    """Return the reports for the lists that the user keeps, the latest first."""
    kept = EventReport.objects.filter(official_list__in=lists_kept_by(user), event__in=Event.objects.all())
    return kept.select_related("official_list", "event__tournament").order_by("-arrived_at", "-id")


def declared_for(user: User) -> list[tuple[Event, OfficialList, bool]]:
    """Return the running events that declare a list which the user keeps, and whether each is approved."""
    kept = {one.slug: one for one in lists_kept_by(user)}
    events = Event.objects.filter(finished_at=None).exclude(rated_for=[]).select_related("tournament")
    found = []
    for event in events.prefetch_related("sanctions").order_by("-id"):
        approved = {one.official_list_id for one in event.sanctions.all() if one.withdrawn_at is None}
        found += [(event, kept[slug], kept[slug].pk in approved) for slug in event.rated_for if slug in kept]
    return found


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A match of a report: where it was played, between whom, how it ended, and whether it counts.

    ``outsiders`` names who is no member, where that keeps the match out. ``is_later`` says that its result has come
    since the report was accepted; ``was`` is the score that it had then, None if it had none or no other.
    """

    verdict: Verdict
    match: Match
    place: str
    score: tuple[int, int]
    why: str
    outsiders: str = ""
    is_later: bool = False
    was: tuple[int, int] | None = None


def lines_of(report: EventReport) -> list[ReportLine]:
    """Return the matches of the report in rating order, in a number of queries that does not depend on how many."""
    found = list(verdicts(report.official_list, Event.objects.filter(pk=report.event_id)))
    matches = Match.objects.select_related("side_a", "side_b", "partner_a", "partner_b").in_bulk(
        [one.match for one in found]
    )
    places = _places(report.event)
    ruled = reasons_of_rulings(report.official_list, matches)
    accepted = report.steps.filter(state=ReportState.ACCEPTED).last()
    lines = []
    for one in found:
        match, score = matches[one.match], _score(one)
        is_later = accepted is not None and one.decided.sheet.at > accepted.at
        was = _score_at(match, accepted.at) if accepted is not None and is_later else None
        lines.append(
            ReportLine(
                one,
                match,
                places.get(one.match, ""),
                score,
                sentence_of(one.why_not, ruled.get(one.match, "")),
                _outsiders(one, match),
                is_later,
                was if was != score else None,
            )
        )
    return lines


def _outsiders(verdict: Verdict, match: Match) -> str:
    if verdict.why_not not in ("guest", "not_member"):
        return ""
    names = {match.side_a_id: match.name_a, match.side_b_id: match.name_b}
    flags = ((verdict.winner, verdict.winner_is_guest), (verdict.loser, verdict.loser_is_guest))
    return ", ".join(names[player] for player, is_guest in flags if is_guest and player in names)


def _score_at(match: Match, at: datetime) -> tuple[int, int] | None:
    """Return the score of the match as it stood then; None if it had none."""
    sheet = match.sheets.filter(state=SheetState.SUPERSEDED, at__lte=at).prefetch_related("lines").last()
    if sheet is None:
        return None
    claim = claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    return score.a, score.b


def _score(verdict: Verdict) -> tuple[int, int]:
    claim_score = verdict.decided.score
    return claim_score.a, claim_score.b


def _places(event: Event) -> dict[int, str]:
    rows = Fixture.objects.filter(stage__event=event)
    alone = {match: key for match, key in rows.values_list("match", "key") if match is not None}
    boards = rows.exclude(boards=None).values_list("boards__match", "key", "boards__number")
    return {**alone, **{match: place_of(key, number) for match, key, number in boards}}


@dataclass(frozen=True, slots=True)
class Striking:
    """What stands out among the matches of a list since a day, with the people and clubs by id."""

    since: date
    found: Anomalies
    players: dict[int, Player]
    clubs: dict[int, Club]
    matches: dict[int, Match]


def striking_in(official_list: OfficialList, *, at: datetime) -> Striking:
    """Return what stands out among the matches of reported events in the last year, counting or not yet accepted."""
    since = (at - PERIOD).date()
    reported = EventReport.objects.filter(official_list=official_list, event__finished_at__gte=at - PERIOD)
    events = Event.objects.filter(pk__in=reported.values("event"))
    clubs = dict(Player.objects.filter(club__isnull=False).values_list("pk", "club"))
    seen = (
        Seen(
            one.match,
            one.winner,
            one.loser,
            clubs.get(one.winner, 0),
            clubs.get(one.loser, 0),
            one.decided.event.event_class,
            one.decided.day,
            one.decided.sheet.at - one.at if not one.decided.sheet.corrects else timedelta(),
        )
        for one in verdicts(official_list, events)
        if one.counts
    )
    policy = Policies(official_list.pk, has_federation=official_list.federation_id is not None).on(at.date())
    found = find_anomalies(seen, most_per_day=policy.most_per_day)
    people = {who for pair in (*found.pairs, *found.days) for who in (pair.first, pair.second)}
    people |= {share.who for share in found.players}
    return Striking(
        since,
        found,
        Player.objects.in_bulk(people),
        Club.objects.in_bulk({share.who for share in found.clubs}),
        Match.objects.select_related("side_a", "side_b", "partner_a", "partner_b").in_bulk(found.late[:MOST_SHOWN]),
    )
