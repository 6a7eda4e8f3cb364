"""What Celery does. A task takes ids, calls one function and may be lost or run twice without harm."""

from celery import shared_task


@shared_task
def recompute_standings(event_id: int) -> None:
    from tournament.services.standings import store_standings

    store_standings(event_id)


@shared_task
def heal_standings() -> None:
    """Standings whose message was lost are asked for again; beat runs this."""
    from tournament.services.standings import stale_event_ids

    for event_id in stale_event_ids():
        recompute_standings.delay(event_id)
