"""Standings: computed from all confirmed results of one version of the event, and stored with that version."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import attrgetter

from django.db import transaction
from django.db.models import F

from players.errors import Conflict
from players.models import RankingList
from players.ratings import RATINGS
from tournament.changes.publish import publish_version
from tournament.changes.record import lock_event, rated_steps
from tournament.draw.chain import Chain, load_chain
from tournament.draw.kept import chain_now
from tournament.models import Event, Stage, Standing
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
        event = Event.objects.select_related("tournament").filter(pk=event_id).first()
        if event is None or not _has_stale(event):
            return
        chain = chain_now(event)
        # What was read while somebody was writing does not fit together.
        if not Event.objects.filter(pk=event_id, version=event.version).exists():
            continue
        if _store(event, _compute(chain)):
            return
    if event is not None:
        _store(event, None)


Rankings = Mapping[str, tuple[StandingLine, ...]]


@dataclass(frozen=True, slots=True)
class _Stored:
    """The lines that this process stored last for a stage, with the version of the standings that they belong to."""

    version: int
    lines: Mapping[tuple[str, int], tuple[int, StandingLine]]
    rows: Mapping[tuple[str, int], Standing]


_stored: dict[int, _Stored] = {}
MOST_STORED = 50
"""The largest number of stages whose lines are remembered."""


@transaction.atomic
def _store(event: Event, computed: list[tuple[Stage, Rankings]] | None) -> bool:
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
    for stage, rankings in computed:
        before = locked.stages.values_list("standings_version", flat=True).get(pk=stage.pk)
        stored = _replace_lines(stage, rankings, before)
        stage.save(update_fields=["standings_version", "standings_matches"])
        transaction.on_commit(partial(_remember, stage.pk, stored), robust=True)
    transaction.on_commit(partial(publish_version, locked), robust=True)
    return True


def _replace_lines(stage: Stage, rankings: Rankings, before: int) -> _Stored:
    """Replace only the stage's changed lines: most are unchanged, and other writers are waiting.

    ``before`` is the version of the lines that are stored; they are read only if they are not those that this process
    stored last.
    """
    known = _stored.get(stage.pk)
    if known is None or known.version != before or stage.standings.count() != len(known.rows):
        known = _Stored(before, {}, {(line.section, line.entry_id): line for line in stage.standings.all()})
    rows, lines = known.rows, known.lines
    now = {
        (section, line.entrant): (order, line)
        for section, ranking in rankings.items()
        for order, line in enumerate(ranking, start=1)
    }
    new = {
        place: _standing_row(stage, place[0], order, line)
        for place, (order, line) in now.items()
        if place not in lines or lines[place] != (order, line)
    }
    new = {place: row for place, row in new.items() if place not in rows or LINE(rows[place]) != LINE(row)}
    gone = [row.pk for place, row in rows.items() if place in new or place not in now]
    if gone:
        Standing.objects.filter(pk__in=gone).delete()
    Standing.objects.bulk_create(new.values())
    kept = {place: new.get(place) or rows[place] for place in now}
    return _Stored(stage.standings_version, now, kept)


def forget_standings() -> None:
    """Forget what this process has stored."""
    _stored.clear()


def _remember(stage: int, stored: _Stored) -> None:
    _stored.pop(stage, None)
    _stored[stage] = stored
    for oldest in list(_stored)[:-MOST_STORED]:
        _stored.pop(oldest, None)


def _has_stale(event: Event) -> bool:
    return event.stages.filter(drawn_at__isnull=False).exclude(standings_version=event.version).exists()


def _compute(chain: Chain) -> list[tuple[Stage, Rankings]]:
    """Return the stages whose standings lag behind the event, brought up to its version, with their new rankings."""
    version = chain.event.version
    stale = [stage for stage in chain.stages if stage.drawn_at is not None and stage.standings_version != version]
    return [(stage, _fill(chain, stage)) for stage in stale]


def _fill(chain: Chain, stage: Stage) -> Rankings:
    """Bring the stage up to the event's version without storing it; return its rankings, none while it waits."""
    stage.standings_version = chain.event.version
    waits = chain.waits(stage)
    stage.standings_matches = 0 if waits else len(chain.at(stage).results)
    return {} if waits else chain.at(stage).standings


def fill_standings(chain: Chain, stage: Stage) -> list[Standing]:
    """Bring the stage up to the event's version without storing it; return the lines of its standings."""
    return _rows(stage, _fill(chain, stage))


def standing_rows(chain: Chain, stage: Stage) -> list[Standing]:
    """Return the stored lines of all the stage's rankings; none while it waits for the previous stage."""
    return [] if chain.waits(stage) else _rows(stage, chain.at(stage).standings)


def _rows(stage: Stage, rankings: Rankings) -> list[Standing]:
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
    """Return the rating systems whose list was not computed for the last changes that require it, whatever the time."""
    covers, lists = rated_steps(), dict(RankingList.objects.values_list("system", "covers"))
    return sorted(system for system in RATINGS if lists.get(system, 0) != covers)
