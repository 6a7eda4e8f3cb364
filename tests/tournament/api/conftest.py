from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from players.models import User
from tests.builders import build_director
from tests.tournament.api.client import CheckedClient, database


@pytest.fixture
def anonymous(db) -> CheckedClient:
    return CheckedClient()


@pytest.fixture
def api(director: User) -> CheckedClient:
    """The director's client, by token."""
    client = CheckedClient()
    client.force_authenticate(director)
    return client


@pytest.fixture
def stranger(db) -> CheckedClient:
    """Somebody who directs other tournaments."""
    client = CheckedClient()
    client.force_authenticate(build_director("stranger"))
    return client


@pytest.fixture
def unchanged() -> Callable[[], AbstractContextManager[None]]:
    """``with unchanged():`` fails if any row is another one afterwards."""

    @contextmanager
    def compare() -> Iterator[None]:
        before = database()
        yield
        assert database() == before

    return compare
