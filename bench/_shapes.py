"""The two shapes of an installation, for benchmarks: one command on a laptop, and all the servers of a federation."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bench._servers import bench_site
from bench._wire import Wire
from tests.federation import Federation
from tests.processes import Running, Site, environment, shell
from tests.servers import postgres_server, redis_program, redis_server


@dataclass(frozen=True)
class Shape:
    """A running installation: a site whose data is at hand, and the addresses at which its pages are served."""

    site: Site
    webs: list[str]
    federation: Federation | None = None
    """Processes each of which watches others."""
    redis: Running | None = None
    wire: Wire | None = None
    """Between the program and its database; ``site`` reads around it."""


@contextmanager
def laptop(processes: int, **settings: object) -> Iterator[Shape]:
    with bench_site(postgres=False, PAGE_PROCESSES=processes, **settings) as site:
        yield Shape(site, [site.url])


@contextmanager
def federation(inside: Path | None = None) -> Iterator[Shape]:
    """The processes of docker-compose.yml, on a real PostgreSQL and a real Redis from their wheels.

    All their data is in a folder ``inside``.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-", dir=inside)))
        (folder / "redis").mkdir()
        redis, server = stack.enter_context(redis_server(redis_program(), folder / "redis"))
        database = stack.enter_context(postgres_server(inside))
        parts = urlsplit(database)
        wire = Wire(f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432")
        stack.callback(wire.close)
        user = parts.username or "postgres"
        over_wire = f"postgresql://{user}@127.0.0.1:{wire.port}{parts.path}?sslmode=disable&gssencmode=disable"
        env = environment(VAR_DIR=folder / "var", DATABASE_URL=over_wire, REDIS_URL=redis)
        started = Federation(env, folder)
        stack.callback(started.stop)
        started.start()
        site = started.site()
        past_the_wire = env | {"DATABASE_URL": database}
        own = stack.enter_context(shell(past_the_wire))
        around = Site(site.url, site.live_url, past_the_wire, site.running, own)
        yield Shape(around, started.webs, started, server, wire)
