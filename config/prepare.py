"""Preparing the data folder before the first request: tables, translations, static files and a demo tournament."""

import shutil
from contextlib import suppress
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from config.terminal import ServeError, say, words
from players.outages import outage_of

MARK = ".collected"
"""The file that says from what the static files were collected."""


def prepare() -> None:
    """Prepare the data folder, leaving alone whatever is ready already. Raises ServeError."""
    django.setup()
    try:
        _prepare()
    except (OSError, DatabaseError) as error:
        if (refusal := outage_of(error)) is None:
            raise
        raise ServeError(f"{refusal} ({' '.join(str(error).split())})") from None


def _prepare() -> None:
    _migrate()
    try:
        call_command("compile_translations", verbosity=0)
    except (CommandError, OSError) as error:  # broken, or the program lies where it may not write
        say(f"The pages stay in English where a translation cannot be compiled:\n{error}")
    _collect_static_files()
    if not settings.REDIS_URL:
        # Left by a process that was killed or an older version, or half written in a power cut: heal asks again.
        cache.clear()
        for left in settings.QUEUE_DIR.iterdir():
            left.unlink()
        shutil.rmtree(settings.VAR_DIR / "metrics", ignore_errors=True)
    if settings.DEMO:
        call_command("demo", if_empty=True)
    _say_how_to_sign_in()
    connections.close_all()


def _say_how_to_sign_in() -> None:
    from players.models import User  # noqa: PLC0415 - the applications are loaded by now

    if not User.objects.exists():
        _ = words()
        say(_("Nobody can sign in yet. Make the first administrator with: manage.py createsuperuser"))


def _migrate() -> None:
    executor = MigrationExecutor(connections["default"])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)


def _collect_static_files() -> None:
    stamp = settings.STATIC_ROOT / MARK
    state = _static_state(settings.BASE_DIR)
    if not stamp.exists() or stamp.read_text() != state:
        before = _named_files()
        unused = ["rest_framework", "redoc"]
        call_command("collectstatic", interactive=False, clear=not before, verbosity=0, ignore_patterns=unused)
        _forget_all_but(before | _named_files())
        stamp.write_text(state)


def _named_files() -> set[Path]:
    """Return the files that pages name; none where files keep their names, as with DEBUG."""
    named: dict[str, str] = {}
    if hasattr(staticfiles_storage, "load_manifest"):
        with suppress(ValueError):  # damaged: everything is collected again
            named, _hash = staticfiles_storage.load_manifest()
    return {settings.STATIC_ROOT / name for name in named.values()}


def _forget_all_but(named: set[Path]) -> None:
    """Remove older files, and their compressed copies. Servers of the last version may still be serving its own."""
    if not named:
        return
    ours = {settings.STATIC_ROOT / name for name in (MARK, "staticfiles.json")}
    for path in settings.STATIC_ROOT.rglob("*"):
        plain = path.with_suffix("") if path.suffix in (".gz", ".br") else path
        if path.is_file() and plain not in named | ours:
            path.unlink()


def _static_state(base: Path) -> str:
    """Return a text that changes whenever one of our files or an installed version changes."""
    files = sorted(path for path in (base / "static").rglob("*") if path.is_file())
    ours = [f"{path.relative_to(base)} {path.stat().st_mtime_ns}" for path in files]
    return "\n".join([(base / "requirements.txt").read_text(), *ours])
