"""What counts for official lists, as their publications ask for it (:class:`matches.lists.counting.Source`)."""

from collections.abc import Collection, Iterator
from datetime import datetime
from itertools import islice

from matches.lists.counting import CHUNK, moment
from players.lists.models import OfficialList
from players.lists.values import Counted
from tournament.models import Board, Event, EventReport, Fixture, ReportState
from tournament.reporting.counting import Verdict, counts_for, verdicts
from tournament.reporting.facts import Asked


class Reported:
    """The matches of events whose reports an officer has accepted, as far as the list's policy lets them count."""

    def counted(self, official_list: OfficialList, after: datetime | None, until: datetime) -> Iterator[Counted]:
        return map(_counted, counts_for(official_list, Asked(after=after, until=until)))

    def why_not(self, official_list: OfficialList, matches: Collection[int]) -> dict[int, str]:
        found, left = dict[int, str](), iter(matches)
        while piece := list(islice(left, CHUNK)):
            found |= _why_not(official_list, piece)
        return found


def _why_not(official_list: OfficialList, matches: Collection[int]) -> dict[int, str]:
    """Return the code of what keeps these matches out, in a number of queries that does not depend on how many."""
    reports = EventReport.objects.filter(official_list=official_list, state=ReportState.ACCEPTED)
    played_in = _events_of(matches)
    accepted = set(reports.filter(event__in=set(played_in.values())).values_list("event", flat=True))
    events = Event.objects.filter(pk__in=accepted)
    judged = {one.match: one.why_not for one in verdicts(official_list, events, Asked(matches))}
    found: dict[int, str] = {}
    for match in matches:
        if match not in played_in:
            found[match] = "event_deleted"
        elif played_in[match] not in accepted:
            found[match] = "not_accepted"
        elif (code := judged.get(match, "not_decided")) is not None:
            found[match] = code
    return found


def _events_of(matches: Collection[int]) -> dict[int, int]:
    """Return the events in which the matches were played, by match; those of deleted events are left out."""
    fixtures = Fixture.objects.filter(match__in=matches, stage__event__in=Event.objects.all())
    boards = Board.objects.filter(match__in=matches, fixture__stage__event__in=Event.objects.all())
    alone = dict(fixtures.values_list("match", "stage__event"))
    return alone | dict(boards.values_list("match", "fixture__stage__event"))


def _counted(verdict: Verdict) -> Counted:
    guest = ""
    if verdict.guest_rating is not None and (verdict.winner_is_guest or verdict.loser_is_guest):
        guest = f"{'w' if verdict.winner_is_guest else 'l'}{verdict.guest_rating}"
    who = verdict.winner, verdict.loser, verdict.length
    return Counted(verdict.match, moment(verdict.at), *who, verdict.weight, guest)


SOURCE = Reported()
"""Where pages, API and commands take the matches of a list from."""
