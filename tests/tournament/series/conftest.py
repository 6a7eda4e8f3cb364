"""Whether a request changes anything, as the tests of the API ask it."""

from tests.tournament.api.conftest import unchanged

__all__ = ["unchanged"]
