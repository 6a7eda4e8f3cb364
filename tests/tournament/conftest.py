import pytest
from django.test import Client

from players.models import User
from tests.builders import build_director


@pytest.fixture
def director(db) -> User:
    return build_director()


@pytest.fixture
def as_director(director: User) -> Client:
    client = Client()
    client.force_login(director)
    return client
