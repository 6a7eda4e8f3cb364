"""``manage.py compile_translations``: compile every catalogue in locale/ without the gettext programs."""

import os
from argparse import ArgumentParser
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Compiles the catalogues that have changed since they were last compiled; refuses a wrong placeholder."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="read and check every catalogue, write nothing")

    def handle(self, *, check: bool, verbosity: int, **options: object) -> None:
        catalogues = [po for folder in settings.LOCALE_PATHS for po in sorted(Path(folder).glob("*/LC_MESSAGES/*.po"))]
        stale = [po for po in catalogues if check or _is_stale(po)]
        findings = [finding for po in stale for finding in _compile(po, write=not check)]
        if findings:
            raise CommandError("\n".join(findings))
        if verbosity and (check or stale):
            self.stdout.write(f"{len(stale)} of {len(catalogues)} catalogues {'checked' if check else 'compiled'}.")


def _is_stale(po: Path) -> bool:
    mo = po.with_suffix(".mo")
    return not mo.exists() or mo.stat().st_mtime < po.stat().st_mtime


def _compile(po: Path, *, write: bool) -> list[str]:
    """Return what is wrong with the catalogue; only if nothing is, write the compiled file."""
    name = po.relative_to(po.parents[3])
    try:
        with po.open("rb") as file:
            catalogue = read_po(file, locale=po.parents[1].name, abort_invalid=True)
    except (PoFileError, ValueError) as error:
        return [f"{name}: {error}"]
    findings = [f"{name}:{message.lineno}: {error}" for message, errors in catalogue.check() for error in errors]
    if write and not findings:
        draft = po.with_suffix(f".{os.getpid()}.mo")
        with draft.open("wb") as file:
            write_mo(file, catalogue)
        draft.replace(po.with_suffix(".mo"))
    return findings
