"""Challenges: made and withdrawn while a ladder is played; a challenge is a pairing at once."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from matches.services import prefetched_sheet
from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, record_change, require_running
from tournament.draw.advance import advance
from tournament.draw.chain import Chain, load_chain
from tournament.draw.challenge_rows import is_ladder, standing_challenges
from tournament.draw.outcomes import has_begun, load_fixtures
from tournament.formats.challenge import LADDER
from tournament.formats.challenge import Challenge as Planned
from tournament.formats.ladder import REACH, REST
from tournament.formats.rungs import Reach, rungs_of
from tournament.models import Challenge, Entry, Event, Fixture, Stage


@transaction.atomic
def challenge(event: Event, *, challenger: Entry, challenged: Entry, by: User | None, at: datetime) -> Challenge:
    """Let an entry of the ladder challenge one that stands above it; the two can play at once.

    Raises Conflict for an event without a ladder in play, that has ended, for a player who has an open challenge or has
    left, and for two who have met too recently; Refusal for somebody who does not stand near enough above.
    """
    event, at = begin_step(event, at)
    require_running(event)
    stage = ladder_in_play(event)
    _require_may(reach_now(load_chain(event), stage, at=at), challenger, challenged)
    last = stage.challenges.aggregate(last=Max("number"))["last"] or 0
    made = Challenge.objects.create(
        stage=stage, number=last + 1, challenger=challenger, challenged=challenged, made_at=at
    )
    _follow(event, made, verb="challenge", by=by, at=at)
    return made


@transaction.atomic
def withdraw_challenge(made: Challenge, *, by: User | None, at: datetime) -> Challenge:
    """Withdraw the challenge, as if it had never been made; its number is not used again.

    Raises Conflict once it has been withdrawn or its match has begun, and for an event that has ended.
    """
    event, at = begin_step(made.stage.event, at)
    require_running(event)
    made = Challenge.objects.select_related(*PEOPLE).get(pk=made.pk)
    if made.withdrawn_at is not None:
        raise Conflict("challenge_gone", _("This challenge has already been withdrawn."))
    key = Planned(made.number, made.challenger_id, made.challenged_id).key
    if any(fixture.key == key and has_begun(fixture) for fixture in load_fixtures(made.stage)):
        raise Conflict(
            "challenge_begun", _("The match of this challenge has begun, so the challenge can no longer be withdrawn.")
        )
    made.withdrawn_at = at
    made.save(update_fields=["withdrawn_at"])
    _follow(event, made, verb="withdraw_challenge", by=by, at=at)
    return made


PEOPLE = ("stage", "challenger__player", "challenger__partner", "challenged__player", "challenged__partner")
"""The relations to load with a challenge for the names in the log."""


def ladder_in_play(event: Event) -> Stage:
    """Return the event's last drawn stage. Raises Conflict unless it is a ladder."""
    stage = event.stages.filter(drawn_at__isnull=False).order_by("-number").first()
    if stage is None or not is_ladder(stage):
        raise Conflict("no_ladder", _("This event has no ladder in play, so nobody can be challenged."))
    return stage


def reach_now(chain: Chain, stage: Stage, *, at: datetime) -> Reach:
    """Return who may challenge whom in this ladder, at this moment."""
    planned = chain.at(stage)
    stage = planned.stage
    options, outcomes = planned.draw.options, planned.outcomes
    rows = standing_challenges(stage)
    pairs = {Planned(row.number, row.challenger_id, row.challenged_id).key: row for row in rows}
    fixtures = {fixture.key: fixture for fixture in chain.fixtures.get(stage.pk, ())}
    rest = timedelta(days=options.number(REST.name))
    resting = {
        frozenset((row.challenger_id, row.challenged_id))
        for key, row in pairs.items()
        if key in outcomes and not outcomes[key].is_void and at < _decided_at(fixtures[key]) + rest
    }
    return Reach(
        rungs=rungs_of(planned.draw),
        most=options.number(REACH.name),
        busy=frozenset(
            id for key, row in pairs.items() if key not in outcomes for id in (row.challenger_id, row.challenged_id)
        ),
        gone=frozenset(entry.pk for entry in chain.entries.values() if entry.left_at is not None),
        resting=frozenset(resting),
    )


def _decided_at(fixture: Fixture) -> datetime:
    sheets = [sheet for match in fixture.matches.values() if (sheet := prefetched_sheet(match)) is not None]
    return max(sheet.played_at for sheet in sheets)


def _require_may(reach: Reach, challenger: Entry, challenged: Entry) -> None:
    for entry in (challenger, challenged):
        if entry.pk in reach.gone or entry.pk not in reach.rungs:
            raise Conflict("not_on_the_ladder", _("%(name)s is not on the ladder, or has left.") % {"name": entry.name})
        if entry.pk in reach.busy:
            raise Conflict(
                "challenge_open",
                _("%(name)s has an open challenge. The match has to be played first.") % {"name": entry.name},
            )
    names = {"name": challenger.name, "other": challenged.name, "count": reach.most}
    if challenged.pk not in reach.above(challenger.pk):
        raise Refusal(
            "out_of_reach",
            _("%(name)s cannot challenge %(other)s, who does not stand 1 to %(count)s rungs above.") % names,
        )
    if challenged.pk not in reach.of(challenger.pk):
        raise Conflict(
            "challenge_too_soon", _("%(name)s and %(other)s have met too recently to challenge each other.") % names
        )


def _follow(event: Event, made: Challenge, *, verb: str, by: User | None, at: datetime) -> None:
    advance(event, made.stage, by=by, at=at)
    details = {
        "stage": made.stage.number,
        "number": made.number,
        "key": f"{LADDER}1-{made.number}",
        "names": [made.challenger.name, made.challenged.name],
        "entries": [made.challenger_id, made.challenged_id],
    }
    record_change(event, verb=verb, by=by, at=at, **details)
