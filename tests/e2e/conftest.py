import uuid
from collections.abc import Callable

import pytest

from tests.processes import Site

PASSWORD = "long-enough-for-tests"


@pytest.fixture
def director(live_site: Site) -> str:
    """The name of a user who may sign in."""
    name = f"td-{uuid.uuid4().hex[:8]}"
    live_site.python(f"from players.models import User; User.objects.create_user({name!r}, password={PASSWORD!r})")
    return name


@pytest.fixture
def desk(open_page: Callable, director: str):
    """The page of a director who is signed in."""
    page = open_page()
    page.goto("/")
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_label("User name").fill(director)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    return page
