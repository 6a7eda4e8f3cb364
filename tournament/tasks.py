"""The tasks of the workers. Each takes ids and calls one function, and may be lost or run twice without harm.

Every process registers the tasks, as any may ask for one; what they call is imported only when a worker runs them.
"""

from datetime import datetime

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from matches.tasks import count_matches, rate
from players.tasks import deliver

FORGETS_EVERY = 24 * 60 * 60
"""How many seconds pass before addresses are looked at again."""


@shared_task(once=True, asked_seconds=5)  # type: ignore[call-overload] # of config.celery.HealedTask
def recompute_standings(event_id: int) -> None:
    from tournament.draw.standings import store_standings  # noqa: PLC0415 - task
    from tournament.models import Event  # noqa: PLC0415 - task

    store_standings(event_id)
    event = Event.objects.filter(pk=event_id).values_list("tournament", flat=True)
    for tournament_id in event:
        send_alerts.delay(tournament_id)


@shared_task
def play_for_advice(players: int, tables: int | None, lengths: list[int], boards: int = 1) -> None:
    """Simulate events for the adviser, a little at a time, so that standings never wait long behind it."""
    from tournament.forecast.advice import Question, play_slice  # noqa: PLC0415 - task

    if play_slice(Question(players, tables, tuple(lengths), boards)):
        play_for_advice.delay(players, tables, lengths, boards)


@shared_task
def run(job_id: int) -> None:
    from tournament.jobs.services import run_job  # noqa: PLC0415 - task

    run_job(job_id, clock=timezone.now)


@shared_task(once=True)  # type: ignore[call-overload] # of config.celery.HealedTask
def heal() -> None:
    """Ask again for standings, ranking lists and jobs whose message was lost, for rounds of drand that are due, for
    reports to which nobody has objected for as long as their event asks, and for matches that nobody began by their
    deadline.

    It also ends announcements whose time is over, forgets answers that were kept for programs, and asks for alerts: of
    deadlines, and those not sent at once; and once a day for old addresses to be forgotten.

    Exports that are due by the calendar are begun, and webhooks that are due are sent. Celery beat runs this.
    """
    from matches.counting import has_uncounted, moment_to_count  # noqa: PLC0415 - task
    from players.webhooks.send import waiting_webhooks  # noqa: PLC0415 - task
    from tournament.alerts.send import forget_ended, tournaments_with_subscribers  # noqa: PLC0415 - task
    from tournament.changes.once import forget_answers  # noqa: PLC0415 - task
    from tournament.changes.record import rated_steps  # noqa: PLC0415 - task
    from tournament.draw.beacon import rounds_to_ask  # noqa: PLC0415 - task
    from tournament.draw.standings import stale_event_ids, stale_rating_systems  # noqa: PLC0415 - task
    from tournament.hall.announcements import end_announcements  # noqa: PLC0415 - task
    from tournament.jobs.services import lost_job_ids, start_due_exports  # noqa: PLC0415 - task
    from tournament.models.witness import reached, witnessed  # noqa: PLC0415 - task
    from tournament.results.unplayed import unplayed_matches  # noqa: PLC0415 - task
    from tournament.results.waiting import reports_due  # noqa: PLC0415 - task

    for event_id in stale_event_ids():
        recompute_standings.delay(event_id)
    moment_to_count(timezone.now())
    for system in stale_rating_systems():
        rate.delay(system, rated_steps())
    if has_uncounted():
        count_matches.delay()
    for event_id in rounds_to_ask(timezone.now()):
        fetch_drand.delay(event_id)
    for match_id, number in reports_due(reached(timezone.now())):
        confirm_report.delay(match_id, number)
    for match_id in unplayed_matches(reached(timezone.now())):
        decide_match.delay(match_id)
    start_due_exports(at=reached(timezone.now()))
    for job_id in lost_job_ids(at=timezone.now()):
        run.delay(job_id)
    for webhook_id in waiting_webhooks(at=timezone.now()):
        deliver.delay(webhook_id)
    end_announcements(at=reached(timezone.now()))
    certain = witnessed(timezone.now())
    forget_ended(at=certain)
    forget_answers(at=certain)
    for tournament_id in tournaments_with_subscribers():
        send_alerts.delay(tournament_id)
    if cache.add("addresses-forgotten", 1, timeout=FORGETS_EVERY):
        forget_addresses.delay()


@shared_task
def forget_addresses() -> None:
    """Empty addresses and programs of clients older than ``KEEP_ADDRESSES_DAYS``; shorten the log of signing in.

    Kept exports and deliveries of webhooks whose time is over go too.
    """
    from players.webhooks.send import forget_deliveries  # noqa: PLC0415 - task
    from tournament.jobs.exports import forget_exports  # noqa: PLC0415 - task
    from tournament.log.forget import forget_addresses as forget  # noqa: PLC0415 - task
    from tournament.models.witness import witnessed  # noqa: PLC0415 - task
    from tournament.sign_in.events import forget_old  # noqa: PLC0415 - task

    now = witnessed(timezone.now())
    forget(at=now)
    forget_old(at=now)
    forget_exports(at=now)
    forget_deliveries(at=now)


@shared_task(acks_late=False, time_limit=3600)
def back_up() -> None:
    """Make a backup if one is due, or if somebody asked for one; Celery beat runs this.

    A federation's takes minutes: its message is not given to another worker meanwhile.
    """
    from tournament.backup.keep import back_up as make  # noqa: PLC0415 - task

    make(clock=timezone.now)


@shared_task
def confirm_report(match_id: int, number: int) -> None:
    """Make the report the result if nobody has objected in time; ``heal`` finds it, also after a restart."""
    from tournament.models.witness import reached  # noqa: PLC0415 - task
    from tournament.results.waiting import confirm_due  # noqa: PLC0415 - task

    confirm_due(match_id, number, clock=lambda: reached(timezone.now()))


@shared_task
def decide_match(match_id: int) -> None:
    """Decide the match that nobody began by its deadline by the rule of its event; ``heal`` finds it again."""
    from tournament.models.witness import reached  # noqa: PLC0415 - task
    from tournament.results.unplayed import decide_unplayed  # noqa: PLC0415 - task

    decide_unplayed(match_id, at=reached(timezone.now()))


@shared_task
def fetch_drand(event_id: int) -> None:
    """Ask drand for the round that the event waits for, once; ``heal`` asks again."""
    from tournament.draw.beacon import fetch_round  # noqa: PLC0415 - task

    fetch_round(event_id, clock=timezone.now)


@shared_task
def play_forecast(event_id: int) -> None:
    """Simulate the rest of an event, a little at a time, so that standings never wait long behind it."""
    from tournament.forecast.event import play_slice  # noqa: PLC0415 - task

    if play_slice(event_id, at=timezone.now()):
        play_forecast.delay(event_id)


@shared_task(once=True, asked_seconds=5)  # type: ignore[call-overload] # of config.celery.HealedTask
def send_alerts(tournament_id: int) -> None:
    """Tell everybody who asked what has happened in the tournament, each thing once, a little at a time."""
    from tournament.alerts.send import send_alerts as send  # noqa: PLC0415 - task

    if send(tournament_id):
        send_alerts.delay(tournament_id)


@shared_task
def ask_address(subscription_id: int) -> None:
    """Ask an e-mail address whether it wants alerts; a question that is lost is asked for again by the player."""
    from tournament.alerts.send import ask  # noqa: PLC0415 - task

    ask(subscription_id)


@shared_task
def mail_links(address: str, site: str, language: str | None) -> None:
    """Send links for new passwords."""
    from tournament.sign_in import forgotten  # noqa: PLC0415 - task

    forgotten.mail_links(address, site, language)


@shared_task
def note_token_use(token_id: int, at: str) -> None:
    """Store when an access token was last used."""
    from tournament.sign_in.tokens import store_use  # noqa: PLC0415 - task

    store_use(token_id, at=datetime.fromisoformat(at))
