from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from players.models import User
from tests.builders import build_director, build_event
from tests.tournament.api.client import CheckedClient, database
from tests.tournament.api.till import Till


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
    """The client of a director of other tournaments."""
    client = CheckedClient()
    client.force_authenticate(build_director("stranger"))
    return client


@pytest.fixture
def unchanged() -> Callable[[], AbstractContextManager[None]]:
    """``with unchanged():`` fails if any row is different afterwards."""

    @contextmanager
    def compare() -> Iterator[None]:
        before = database()
        yield
        assert database() == before

    return compare


@pytest.fixture
def till(api: CheckedClient, director: User) -> Callable[..., Till]:
    """``till(players=8)`` is the money of such an event."""

    def make(**terms: Any) -> Till:
        return Till(api, build_event(director, **{"players": 4, **terms}))

    return make
