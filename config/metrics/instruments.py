"""What each process counts. No id and no name of a person is a label, and every label has few values."""

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

from config.metrics.share import Share

disable_created_metrics()

REGISTRY = CollectorRegistry()
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
LONG_SECONDS = (0.01, 0.05, 0.25, 1, 5, 30, 120)

REQUESTS = Counter("sixprime_requests", "Requests answered", ["view", "status"], registry=REGISTRY)
REQUEST_SECONDS = Histogram(
    "sixprime_request_seconds", "Time to answer a request", ["view"], buckets=SECONDS, registry=REGISTRY
)
WRITER_SECONDS = Histogram(
    "sixprime_writer_wait_seconds", "Time that a writer waited for its turn", buckets=SECONDS, registry=REGISTRY
)
TASKS = Counter("sixprime_tasks", "Tasks that ended", ["task", "outcome"], registry=REGISTRY)
TASK_SECONDS = Histogram(
    "sixprime_task_seconds", "Time that a task took", ["task"], buckets=LONG_SECONDS, registry=REGISTRY
)

WANTED = bool(settings.METRICS_ALLOWED or settings.METRICS_TOKEN)

SHARE = Share(settings.VAR_DIR / "metrics", REGISTRY)


def request_answered(view: str, status: str, seconds: float) -> None:
    if WANTED:
        REQUESTS.labels(view, status).inc()
        REQUEST_SECONDS.labels(view).observe(seconds)
        SHARE.changed()


def writer_waited(seconds: float) -> None:
    if WANTED:
        WRITER_SECONDS.observe(seconds)


def task_ended(name: str, outcome: str, seconds: float) -> None:
    if WANTED:
        TASKS.labels(name, outcome).inc()
        TASK_SECONDS.labels(name).observe(seconds)
        SHARE.changed()
