"""``/metrics``: for the addresses of ``METRICS_ALLOWED`` when they ask directly, or with ``METRICS_TOKEN``."""

from collections.abc import Iterable, Iterator
from hmac import compare_digest
from wsgiref.types import StartResponse, WSGIEnvironment

from django.conf import settings
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from config.addresses import is_among
from config.metrics.instruments import REGISTRY, SHARE
from config.metrics.share import Counts
from config.metrics.state import state

PATH = "/metrics"
OF_PROXIES = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


class Site(Collector):
    """All that is known of the site: the sums of its processes, and how things stand."""

    def collect(self) -> Iterator[Metric]:
        yield from summed(SHARE.counts())
        yield from state(settings.VAR_DIR / "metrics")


def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer with the text that Prometheus reads, or with 403. ``REMOTE_ADDR`` is still that of the connection."""
    if not may_read(environ):
        start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")])
        return [b"Metrics are for METRICS_ALLOWED, or for METRICS_TOKEN as a Bearer token.\n"]
    registry = CollectorRegistry()
    registry.register(Site())
    start_response("200 OK", [("Content-Type", CONTENT_TYPE_PLAIN_0_0_4), ("Cache-Control", "no-store")])
    return [generate_latest(registry)]


def may_read(environ: WSGIEnvironment) -> bool:
    """Whether the token is right, or the address is allowed and no proxy has passed the request on.

    To a proxy on this machine, everybody on the internet would be the machine itself.
    """
    given = environ.get("HTTP_AUTHORIZATION", "")
    if settings.METRICS_TOKEN and compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return True
    if any(environ.get(header) for header in OF_PROXIES):
        return False
    return is_among(environ.get("REMOTE_ADDR", ""), settings.METRICS_ALLOWED)


def summed(counts: Counts) -> Iterator[Metric]:
    """Yield the families of the registry with these values instead of this process's own."""
    for family in REGISTRY.collect():
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}[family.type]
        names = [f"{family.name}{end}" for end in ends]
        found = Metric(family.name, family.documentation, family.type)
        for (name, labels), value in counts.items():
            if name in names:
                found.add_sample(name, dict(labels), value)
        yield found
