"""Sessions in the database, as Django keeps them; while it cannot be written, they say so."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError

from players.outages import outage_of


class SessionStore(db.SessionStore):
    def save(self, must_create: bool = False) -> None:
        """Store the session. Raises DatabaseError, where Django says of each that the session was deleted meanwhile."""
        try:
            super().save(must_create)
        except UpdateError as error:
            cause = error.__context__
            if isinstance(cause, DatabaseError) and outage_of(cause) is not None:
                raise cause from None
            raise
