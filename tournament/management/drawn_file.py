"""Checking a ``draw.json`` on the command line: no row of any database is read."""

from collections.abc import Callable
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.errors import in_words
from tournament.proof.check import check_file
from tournament.proof.faults import FileFault
from tournament.proof.node import MOST_BYTES
from tournament.proof.read import read_draw_file


def check_draw_file(path: Path, write: Callable[[str], object]) -> bool:
    """Print a line for each finding and for each lot, and return whether nothing in the file is wrong.

    Raises CommandError for a file that is no draw file.
    """
    try:
        with path.open("rb") as opened:
            file = read_draw_file(opened.read(MOST_BYTES + 1))
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s.") % {"file": path, "reason": error.strerror}
        ) from error
    except FileFault as fault:
        raise CommandError(in_words(fault)) from fault
    report = check_file(file)
    for urn in report.lots:
        for rank, lot in enumerate(urn.lots, start=1):
            write(f"{urn.urn.scope}\t{rank}\t{lot.lot}\t{lot.line}\t{lot.name}")
    for finding in report.findings:
        place = f"{finding.place}: " if str(finding.place) else ""
        write(f"{finding.verdict}\t{place}{in_words(finding)}")
    count = len(report.wrong)
    fails = ngettext(
        "This draw does not hold: %(count)s finding is wrong.",
        "This draw does not hold: %(count)s findings are wrong.",
        count,
    )
    write(_("This draw holds.") if report.holds else fails % {"count": count})
    return report.holds
