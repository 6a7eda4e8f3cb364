"""Which matches count for an official list, each with the code of what keeps it out, and who is a guest in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db.models import QuerySet

from matches.models import Match
from players.lists.models import OfficialList
from players.lists.policy import Guests, guests_in, why_not
from rules.score import Side
from tournament.models import Event, EventReport, ReportState
from tournament.reporting.facts import ALL, Asked, Decided, Judgement, decided_in, judge_all


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decided match as a list sees it; it counts if ``why_not`` is None.

    ``winner`` and ``loser`` are ids of players, 0 if nobody has won. ``weight`` is in hundredths. A guest's rating is
    kept unseen, or is ``guest_rating`` throughout if that is given.
    """

    match: int
    at: datetime
    winner: int
    loser: int
    length: int
    why_not: str | None
    weight: int
    winner_is_guest: bool
    loser_is_guest: bool
    guest_rating: int | None
    decided: Decided

    @property
    def counts(self) -> bool:
        return self.why_not is None


def verdicts(official_list: OfficialList, events: QuerySet[Event], asked: Asked = ALL) -> Iterator[Verdict]:
    """Yield the list's verdict on every decided match of these events that is asked for, in rating order."""
    for judgement in judge_all(official_list, decided_in(events, asked)):
        yield _verdict(judgement)


def counts_for(official_list: OfficialList, asked: Asked = ALL) -> Iterator[Verdict]:
    """Yield the matches that count for the list, in rating order: those of reports that an officer has accepted.

    Nothing of a deleted event counts.
    """
    accepted = EventReport.objects.filter(official_list=official_list, state=ReportState.ACCEPTED)
    found = verdicts(official_list, Event.objects.filter(pk__in=accepted.values("event")), asked)
    return (verdict for verdict in found if verdict.counts)


def verdict_on(official_list: OfficialList, event: Event, match: Match) -> Verdict | None:
    """Return the list's verdict on a match of the event; None before it is decided."""
    return next(verdicts(official_list, Event.objects.filter(pk=event.pk), Asked([match.pk])), None)


def lists_of(event: Event) -> list[OfficialList]:
    """Return the lists for which the event says that it counts, by name."""
    if not event.rated_for:
        return []
    return list(OfficialList.objects.filter(slug__in=event.rated_for).select_related("federation"))


def digest_of(found: Iterator[Verdict]) -> str:
    """Return SHA-256 of the matches that count: id, moment, winner, loser, length and weight, a line for each."""
    digest = sha256()
    for one in found:
        if one.counts:
            fields = one.match, one.at.isoformat(), one.winner, one.loser, one.length, one.weight
            digest.update((" ".join(map(str, fields)) + "\n").encode())
    return digest.hexdigest()


def _verdict(judgement: Judgement) -> Verdict:
    decided, policy, facts = judgement.decided, judgement.policy, judgement.facts
    match, won = decided.match, decided.winner
    guests = guests_in(policy, facts)
    sides = (match.side_a_id, match.side_b_id) if won is Side.A else (match.side_b_id, match.side_a_id)
    winner_is_guest, loser_is_guest = guests if won is Side.A else guests[::-1]
    return Verdict(
        match=match.pk,
        at=decided.sheet.played_at,
        winner=sides[0] if won else 0,
        loser=sides[1] if won else 0,
        length=match.length,
        why_not=why_not(policy, facts),
        weight=judgement.weight,
        winner_is_guest=winner_is_guest,
        loser_is_guest=loser_is_guest,
        guest_rating=policy.guest_rating if policy.guests is Guests.FIXED else None,
        decided=decided,
    )
