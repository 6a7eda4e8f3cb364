"""What counts for official lists, as their publications ask for it (:class:`matches.lists.counting.Source`)."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Q

from matches.lists.counting import moment
from players.lists.models import OfficialList
from players.lists.values import Counted
from tournament.models import Event, EventReport, ReportState
from tournament.reporting.counting import Verdict, counts_for, verdicts
from tournament.reporting.facts import Asked


class Reported:
    """The matches of events whose reports an officer has accepted, as far as the list's policy lets them count."""

    def counted(self, official_list: OfficialList, after: datetime | None, until: datetime) -> Iterator[Counted]:
        return map(_counted, counts_for(official_list, Asked(after=after, until=until)))

    def why_not(self, official_list: OfficialList, matches: Collection[int]) -> dict[int, str]:
        accepted = set(
            EventReport.objects.filter(official_list=official_list, state=ReportState.ACCEPTED).values_list(
                "event", flat=True
            )
        )
        found = {}
        for match in matches:
            of_match = Q(stages__fixtures__match=match) | Q(stages__fixtures__boards__match=match)
            event = Event.objects.filter(of_match).distinct().first()
            if event is None:
                found[match] = "event_deleted"
            elif event.pk not in accepted:
                found[match] = "not_accepted"
            else:
                verdict = next(verdicts(official_list, Event.objects.filter(pk=event.pk), Asked(match)), None)
                code = "not_decided" if verdict is None else verdict.why_not
                if code is not None:
                    found[match] = code
        return found


def _counted(verdict: Verdict) -> Counted:
    guest = ""
    if verdict.guest_rating is not None and (verdict.winner_is_guest or verdict.loser_is_guest):
        guest = f"{'w' if verdict.winner_is_guest else 'l'}{verdict.guest_rating}"
    who = verdict.winner, verdict.loser, verdict.length
    return Counted(verdict.match, moment(verdict.at), *who, verdict.weight, guest)


SOURCE = Reported()
"""Where pages, API and commands take the matches of a list from."""
