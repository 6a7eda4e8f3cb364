"""All stored data of an event, recomputed from its entries, its lots and its score sheets, and compared.

An audit changes nothing. A difference is a bug, a change by hand in the database, or standings that are still being
computed.
"""

from collections.abc import Callable, Iterator, Sequence

from django.db import transaction

from matches.audit import Difference, audit_free_matches, audit_rankings, audit_records
from players.errors import Refusal
from tournament.audit.audited import Audited, load_histories
from tournament.audit.deadlines import check_deadlines
from tournament.audit.draw import check_matches, check_plan
from tournament.audit.lots import check_lots
from tournament.audit.money import check_money
from tournament.audit.people import check_calls, check_entries, check_people
from tournament.audit.results import (
    check_challenges,
    check_finished,
    check_log,
    check_play_offs,
    check_sheets,
    check_standings,
)
from tournament.audit.rounds import check_rounds
from tournament.changes.record import lock_event
from tournament.draw.chain import load_chain
from tournament.models import Event

EVENT_VALIDATIONS: tuple[Callable[[Audited], Iterator[Difference]], ...] = (
    check_entries,
    check_sheets,
    check_log,
    check_challenges,
    check_deadlines,
    check_play_offs,
    check_plan,
    check_lots,
    check_matches,
    check_people,
    check_calls,
    check_finished,
    check_standings,
    check_money,
)
"""The checks made on every event."""

SLOW_EVENT_VALIDATIONS: tuple[Callable[[Event], Iterator[Difference]], ...] = (check_rounds,)
"""The checks made on every event once it is no longer locked."""

DATABASE_VALIDATIONS: tuple[Callable[[], Iterator[Difference]], ...] = (audit_free_matches, audit_rankings)
"""The further checks: matches that belong to no event, and the ranking lists."""

RECORD_VALIDATIONS: tuple[Callable[[], Iterator[Difference]], ...] = (audit_records,)
"""The slow checks: every match record is replayed."""

VALIDATIONS = (*EVENT_VALIDATIONS, *SLOW_EVENT_VALIDATIONS, *DATABASE_VALIDATIONS, *RECORD_VALIDATIONS)


def audit_event(event: Event) -> list[Difference]:
    """Return every discrepancy in the event."""
    return _audit_locked(event) + [difference for check in SLOW_EVENT_VALIDATIONS for difference in check(event)]


@transaction.atomic
def _audit_locked(event: Event) -> list[Difference]:
    """Return what differs while the event is locked, so that no result can slip in meanwhile."""
    event = lock_event(event)
    differences: list[Difference] = []
    chain = load_chain(event)
    for stage in chain.stages:
        audited = Audited(chain, stage, load_histories(stage, chain.fixtures[stage.pk]))
        for check in EVENT_VALIDATIONS:
            try:
                differences += check(audited)
            except (Refusal, ValueError) as error:
                slug = check.__name__.removeprefix("check_")
                differences.append(Difference(slug, audited.place, f"check of {slug}", "something", f"fails: {error}"))
    return differences


def audit_everything(*, records: bool = False) -> Iterator[Difference]:
    """Yield every discrepancy in the database, event by event; with ``records``, replay every match record too."""
    for event in Event.objects.select_related("tournament").order_by("id").iterator():
        yield from audit_event(event)
    checks: Sequence[Callable[[], Iterator[Difference]]] = DATABASE_VALIDATIONS
    for check in (*checks, *RECORD_VALIDATIONS) if records else checks:
        yield from check()
