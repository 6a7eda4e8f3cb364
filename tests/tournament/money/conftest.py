import pytest

from players.models import User
from tests.tournament.money.closed import build_ended
from tournament.models import Event


@pytest.fixture
def ended(director: User) -> Event:
    return build_ended(director)
