"""The databases and sites of benchmarks, each in a folder of its own that is gone afterwards."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.processes import Site, environment, site
from tests.servers import postgres_server


@contextmanager
def database_env(*, postgres: bool) -> Iterator[dict[str, str]]:
    """The environment of a program with an empty database: a file of SQLite, or a real PostgreSQL from its wheel."""
    with ExitStack() as stack:
        settings = {"VAR_DIR": stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-"))}
        if postgres:
            settings["DATABASE_URL"] = stack.enter_context(postgres_server())
        yield environment(**settings, DJANGO_SETTINGS_MODULE="config.settings")


@contextmanager
def bench_site(*, postgres: bool, **settings: object) -> Iterator[Site]:
    """A site as ``script/server`` runs it, with an empty database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-")))
        if postgres:
            settings["DATABASE_URL"] = stack.enter_context(postgres_server())
        yield stack.enter_context(site(folder / "var", **settings))
