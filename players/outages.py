"""The answers to errors that no service raised: of constraints, and of a database or disk away, full or held."""

import errno

from django.core.exceptions import ValidationError
from django.db import DatabaseError, DataError, IntegrityError, InterfaceError, OperationalError
from django.utils.translation import gettext as _

from players.errors import Busy, Conflict, Outage, Refusal, Refused, character_nul

BUSY = ("deadlock detected", "could not serialize access", "database is locked")
FULL = ("database or disk is full", "No space left on device")
"""The words of SQLite and of PostgreSQL, where an error has no code."""

BUSY_STATES = {"40001", "40P01", "55P03", "57014"}
FULL_STATES = {"53100"}
AWAY_STATES = ("08", "25006", "42P01", "53", "57P", "58")
"""How the SQLSTATE of PostgreSQL begins: no connection, a copy that only reads, no tables, no resources, shut down,
a system in trouble. Source: PostgreSQL 17, appendix A.
"""

NUL_WORDS, NUL_STATE = "cannot contain NUL", "22P05"
"""The words of PostgreSQL's driver for U+0000 in a text, and the SQLSTATE for it in JSON."""

BUSY_NAMES = ("SQLITE_BUSY", "SQLITE_LOCKED")
AWAY_NAMES = tuple(
    f"SQLITE_{name}" for name in ("AUTH", "CANTOPEN", "CORRUPT", "IOERR", "NOTADB", "PERM", "PROTOCOL", "READONLY")
)
"""How SQLite's own name of an error begins. Source: sqlite.org/rescode.html."""

FULL_NUMBERS = {errno.ENOSPC, errno.EDQUOT}
AWAY_NUMBERS = {errno.EROFS, errno.EIO}


def refusal_of(error: Exception) -> Refused | None:
    """Return the refusal behind an error: a broken constraint, a value that a model refuses, an outage.

    None for anything else, which is a bug in the program.
    """
    if isinstance(error, Refused):
        return error
    if isinstance(error, ValidationError):
        return Refusal("invalid", " ".join(error.messages))
    if isinstance(error, IntegrityError):
        return Conflict(
            "changed_meanwhile", _("Somebody else made a conflicting change at the same moment. Try again.")
        )
    if isinstance(error, DataError) and (NUL_WORDS in str(error) or _state_of(error) == NUL_STATE):
        return character_nul()
    return outage_of(error)


def _state_of(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def outage_of(error: BaseException) -> Refused | None:
    """Return what to answer if the error says that the database or a disk cannot serve now; None for any other."""
    if isinstance(error, OSError):
        if error.errno in FULL_NUMBERS:
            return disk_full()
        return storage_away() if error.errno in AWAY_NUMBERS else None
    if isinstance(error, InterfaceError):  # the connection has gone
        return database_away()
    if not isinstance(error, DatabaseError):
        return None
    state, name = _state_of(error), getattr(error.__cause__, "sqlite_errorname", None)
    if state is not None:
        return _of_postgresql(state)
    if name is not None:
        return _of_sqlite(name, str(error))
    return _of_words(str(error)) if isinstance(error, OperationalError) else None


def busy() -> Refused:
    return Busy("busy", _("The database was busy, so nothing was saved. Try again in a moment."))


def disk_full() -> Refused:
    return Outage("disk_full", _("The server’s disk is full, so nothing was saved. Make room on it and try again."))


def database_away() -> Refused:
    return Outage("database_away", _("The database cannot be reached at the moment. Try again in a moment."))


def storage_away() -> Refused:
    return Outage("storage_away", _("The server cannot write to its disk at the moment. Try again in a moment."))


def _of_postgresql(state: str) -> Refused | None:
    if state in BUSY_STATES:
        return busy()
    if state in FULL_STATES:
        return disk_full()
    return database_away() if state.startswith(AWAY_STATES) else None


def _of_sqlite(name: str, words: str) -> Refused | None:
    if name.startswith(BUSY_NAMES):
        return busy()
    if name == "SQLITE_FULL":
        return disk_full()
    # A file that was taken away is made anew by SQLite, without tables.
    return database_away() if name.startswith(AWAY_NAMES) or words.startswith("no such table") else None


def _of_words(words: str) -> Refused:
    """Return the answer to an error of a driver that has no code, as when no connection can be made."""
    if any(one in words for one in BUSY):
        return busy()
    return disk_full() if any(one in words for one in FULL) else database_away()
