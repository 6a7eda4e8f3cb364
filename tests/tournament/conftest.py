import pytest

from players.models import User
from tests.builders import build_director


@pytest.fixture
def director(db) -> User:
    return build_director()
