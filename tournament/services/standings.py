"""Standings: computed from all confirmed results of a version of the event, stored with that version."""

from fractions import Fraction

from django.db import transaction
from django.db.models import F

from matches.models import SheetState
from matches.services import claim_of, score_of
from rules.score import Side
from tournament.formats.plan import Entrant
from tournament.models import Entry, Event, Fixture, Stage, Standing
from tournament.reconcile import load_fixtures, plan_stage
from tournament.services.change import lock_event
from tournament.standings import Result, StandingLine, compute_standings


def results_of(fixtures: list[Fixture]) -> list[Result]:
    """The confirmed results of the fixtures, points as credited in play."""
    results = []
    for fixture in fixtures:
        sheet = next(iter(fixture.match.sheets.all()), None) if fixture.match else None
        if sheet is None or sheet.state != SheetState.CONFIRMED:
            continue
        claim = claim_of(sheet)
        score = score_of(fixture.match.terms, claim.games, claim.final, claim.awarded_to)
        # A forfeit counts with the points that were played for, not with those awarded.
        points = score_of(fixture.match.terms, claim.games, claim.final, None)
        results.append(
            Result(
                key=fixture.key,
                a=fixture.entry_a_id,
                b=fixture.entry_b_id,
                score_a=points.a,
                score_b=points.b,
                winner=fixture.entry_a_id if score.winner is Side.A else fixture.entry_b_id,
                conclusion=claim.conclusion.value,
                length=fixture.length,
            )
        )
    return results


def standings_of(event: Event, stage: Stage, entries: list[Entry], fixtures: list[Fixture]) -> tuple[StandingLine, ...]:
    """The standings that the stage's confirmed results give now."""
    plan = plan_stage(stage, entries, fixtures)
    entrants = [Entrant(entry.pk, entry.player.name, entry.seed) for entry in entries]
    return compute_standings(entrants, results_of(fixtures), event.tiebreaks, plan.placings)


@transaction.atomic
def store_standings(event_id: int) -> None:
    """The stored standings of every drawn stage are those of the event's version.

    Nothing to do when they are already, or when the event is gone. The event is locked, so that no result slips in
    between.
    """
    try:
        event = lock_event(Event(pk=event_id))
    except Event.DoesNotExist:
        return
    for stage in event.stages.filter(drawn_at__isnull=False).exclude(standings_version=event.version):
        entries = list(event.entries.select_related("player__club"))
        fixtures = load_fixtures(stage)
        lines = standings_of(event, stage, entries, fixtures)
        stage.standings.all().delete()
        Standing.objects.bulk_create(standing_row(stage, order, line) for order, line in enumerate(lines, start=1))
        stage.standings_version = event.version
        stage.standings_matches = len(results_of(fixtures))
        stage.save(update_fields=["standings_version", "standings_matches"])


def standing_row(stage: Stage, order: int, line: StandingLine) -> Standing:
    return Standing(
        stage=stage,
        entry_id=line.entrant,
        order=order,
        place=line.place,
        place_to=line.place_to,
        played=line.played,
        wins=line.wins,
        losses=line.losses,
        points_for=line.points_for,
        points_against=line.points_against,
        tiebreaks=[[slug, _as_json(value)] for slug, value in line.tiebreaks],
        decided_by=line.decided_by or "",
    )


def _as_json(value: int | Fraction | None) -> int | str | None:
    """A fraction is kept exactly, as text like ``7/2``."""
    return str(value) if isinstance(value, Fraction) else value


def stale_event_ids() -> list[int]:
    """Events with a drawn stage whose standings are of an older version."""
    stale = Stage.objects.filter(drawn_at__isnull=False).exclude(standings_version=F("event__version"))
    return list(stale.values_list("event_id", flat=True).distinct())
