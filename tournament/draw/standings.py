"""Standings: computed from all confirmed results of one version of the event, and stored with that version."""

from fractions import Fraction
from functools import partial
from operator import attrgetter

from django.db import transaction
from django.db.models import F, Max

from players.errors import Conflict
from players.models import RankingList
from players.ratings import RATINGS
from tournament.changes.publish import publish_version
from tournament.changes.record import RATED_VERBS, lock_event
from tournament.draw.chain import Chain, load_chain
from tournament.models import Event, LogEntry, Stage, Standing
from tournament.ranking.standings import StandingLine

TRIES = 5
"""The maximum number of attempts to compute standings while results come in; after that, results wait."""

LINE = attrgetter(*(field.attname for field in Standing._meta.concrete_fields if not field.primary_key))
"""All the values of a line of the standings."""


def store_standings(event_id: int) -> None:
    """Compute and store the standings of every drawn stage for the event's current version.

    There is nothing to do if they are stored already, or if the event is gone or deleted. Nobody waits while they are
    computed: if a result slips in, they are computed again, and only after several times with the event locked. On
    commit open pages are told.
    """
    event: Event | None = None
    for _each in range(TRIES):
        event = Event.objects.filter(pk=event_id).first()
        if event is None or not _has_stale(event):
            return
        chain = load_chain(event)
        # What was read while somebody was writing does not fit together.
        if not Event.objects.filter(pk=event_id, version=event.version).exists():
            continue
        if _store(event, _compute(chain)):
            return
    if event is not None:
        _store(event, None)


@transaction.atomic
def _store(event: Event, computed: list[tuple[Stage, list[Standing]]] | None) -> bool:
    """Store the lines; return False if they were computed for a version that is no longer the event's current one."""
    try:
        locked = lock_event(event)
    except Conflict:
        return True
    if not _has_stale(locked):
        return True
    if computed is None:
        computed = _compute(load_chain(locked))
    elif locked.version != event.version:
        return False
    for stage, rows in computed:
        _replace_lines(stage, rows)
        stage.save(update_fields=["standings_version", "standings_matches"])
    transaction.on_commit(partial(publish_version, event.pk, locked.version), robust=True)
    return True


def _replace_lines(stage: Stage, rows: list[Standing]) -> None:
    """Replace only the stage's changed lines: most are unchanged, and other writers are waiting."""
    stored = {(line.section, line.entry_id): line for line in stage.standings.all()}
    changed = []
    for row in rows:
        before = stored.get((row.section, row.entry_id))
        if before is not None and LINE(before) == LINE(row):
            del stored[row.section, row.entry_id]
        else:
            changed.append(row)
    Standing.objects.filter(pk__in=[line.pk for line in stored.values()]).delete()
    Standing.objects.bulk_create(changed)


def _has_stale(event: Event) -> bool:
    return event.stages.filter(drawn_at__isnull=False).exclude(standings_version=event.version).exists()


def _compute(chain: Chain) -> list[tuple[Stage, list[Standing]]]:
    """Return the stages whose standings lag behind the event, brought up to its version, with their new lines."""
    version = chain.event.version
    stale = [stage for stage in chain.stages if stage.drawn_at is not None and stage.standings_version != version]
    return [(stage, fill_standings(chain, stage)) for stage in stale]


def fill_standings(chain: Chain, stage: Stage) -> list[Standing]:
    """Bring the stage up to the event's version without storing it; return the lines of its standings."""
    stage.standings_version = chain.event.version
    stage.standings_matches = 0 if chain.waits(stage) else len(chain.at(stage).results)
    return standing_rows(chain, stage)


def standing_rows(chain: Chain, stage: Stage) -> list[Standing]:
    """Return the stored lines of all the stage's rankings; none while it waits for the previous stage."""
    if chain.waits(stage):
        return []
    rankings = chain.at(stage).standings
    return [
        _standing_row(stage, section, order, line)
        for section, lines in rankings.items()
        for order, line in enumerate(lines, start=1)
    ]


def _standing_row(stage: Stage, section: str, order: int, line: StandingLine) -> Standing:
    return Standing(
        stage=stage,
        section=section,
        entry_id=line.entrant,
        order=order,
        place=line.place,
        place_to=line.place_to,
        played=line.played,
        wins=line.wins,
        losses=line.losses,
        draws=line.draws,
        rate_wins=line.rate_wins,
        points_for=line.points_for,
        points_against=line.points_against,
        tiebreaks=[[slug, _as_json(value)] for slug, value in line.tiebreaks],
        decided_by=line.decided_by or "",
        note=line.note.as_dict() if line.note else {},
        why=line.why.as_dict(),
    )


def _as_json(value: int | Fraction | None) -> int | str | None:
    """Keep a fraction exact, as text like ``7/2``."""
    return str(value) if isinstance(value, Fraction) else value


def stale_event_ids() -> list[int]:
    """Return the ids of the events that have a drawn stage with out-of-date standings."""
    stale = Stage.objects.filter(drawn_at__isnull=False, event__in=Event.objects.all()).exclude(
        standings_version=F("event__version")
    )
    return list(stale.values_list("event_id", flat=True).distinct())


def stale_rating_systems() -> list[str]:
    """Return the rating systems whose list predates the last change that requires it to be recomputed."""
    latest = LogEntry.objects.filter(verb__in=RATED_VERBS).aggregate(at=Max("at"))["at"]
    if latest is None:
        return []
    fresh = RankingList.objects.filter(computed_at__gte=latest).values_list("system", flat=True)
    return sorted(set(RATINGS) - set(fresh))
