"""The code on a player's badge: six characters that prove once, on any phone, whose private link to open.

It is derived from the link's epoch and a secret of the server, so a new link has a new code, and nothing is stored.
"""

from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import Entry
from tournament.snapshot import EntrySnapshot

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Characters that nobody takes for another one."""

LENGTH = 6
SALT = "tournament.entry.code"


def code_of(entry: Entry | EntrySnapshot) -> str:
    """Return the code of the entry's private link."""
    number = int.from_bytes(salted_hmac(SALT, f"{entry.id}.{entry.link_epoch}", algorithm="sha256").digest())
    letters = []
    for _place in range(LENGTH):
        number, rest = divmod(number, len(LETTERS))
        letters.append(LETTERS[rest])
    return "".join(letters)


def is_code_of(entry: Entry | EntrySnapshot, typed: str) -> bool:
    """Whether this is the entry's code, however it was typed: in small letters, with spaces or a dash."""
    given = "".join(letter for letter in typed.upper() if letter.isalnum())
    return constant_time_compare(given.encode(), code_of(entry).encode())
