"""Ladders for tests: who stands on which rung, one with an open challenge, and challenges done again from the log."""

from datetime import date

from players.models import User
from rules.score import Side
from tests.builders import AT, build_event
from tournament.draw.chain import load_chain
from tournament.draw.challenges import PEOPLE, challenge, withdraw_challenge
from tournament.models import Challenge, Entry, Event, Tournament
from tournament.results.deadlines import extend_deadline, move_deadline, offer_to_play, restore_deadline


def rungs(event: Event) -> list[int]:
    """The ids of the entries, from the top rung to the bottom."""
    return [placing.entrant for placing in load_chain(event).at(event.stages.get()).plan.placings]


def at_rung(event: Event, rung: int) -> Entry:
    return Entry.objects.select_related("player", "partner", "event__tournament").get(pk=rungs(event)[rung - 1])


def build_ladder(director: User, tournament: Tournament) -> Event:
    """A ladder of four in which the second has challenged the first."""
    event = build_event(director, players=4, format="ladder", tournament=tournament, name="Ladder")
    challenge(event, challenger=at_rung(event, 2), challenged=at_rung(event, 1), by=director, at=AT)
    return event


class ReplayedDeadlines:
    """The verbs of deadlines, for :class:`tests.tournament.replay.replaying.Replay`."""

    def move_deadline(self, row, detail, who) -> None:
        to = date.fromisoformat(detail["last_day"][1])
        move_deadline(self._match(detail), to=to, reason=detail["reason"], **who)

    def extend_deadline(self, row, detail, who) -> None:
        extend_deadline(self._match(detail), side=Side(detail["side"]), at=who["at"])

    def restore_deadline(self, row, detail, who) -> None:
        play_by, extended_by = detail["after"]["play_by"], detail["after"]["extended_by"]
        restore_deadline(
            self._match(detail),
            play_by=date.fromisoformat(play_by) if play_by else None,
            extended_by=[self.entries[entry] for entry in extended_by],
            **who,
        )

    def offer_to_play(self, row, detail, who) -> None:
        days = [date.fromisoformat(day) for day in detail["days"]]
        offer_to_play(self._match(detail), side=Side(detail["side"]), days=days, at=who["at"])


class ReplayedChallenges:
    """The verbs of challenges, for :class:`tests.tournament.replay.replaying.Replay`."""

    def challenge(self, row, detail, who) -> None:
        low, high = (self._entry(entry) for entry in detail["entries"])
        challenge(self.event, challenger=low, challenged=high, **who)

    def withdraw_challenge(self, row, detail, who) -> None:
        made = Challenge.objects.select_related("stage__event__tournament", *PEOPLE)
        stage = self.event.stages.get(number=detail["stage"])
        withdraw_challenge(made.get(stage=stage, number=detail["number"]), **who)
