"""Pages and the API read without a transaction, so that nobody who looks waits for somebody who writes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.score import Side
from tests.builders import build_director, build_event, open_matches, win

PAGES = ("", "pairings/", "bracket/", "standings/", "entries/")


@pytest.mark.django_db
@pytest.mark.parametrize("signed_in", [True, False])
def test_nobody_who_looks_writes_or_locks_anything(client, signed_in: bool) -> None:
    director = build_director()
    event = build_event(director)
    win(open_matches(event)[0], Side.A, by=director)
    if signed_in:
        client.force_login(director)
    hall = event.tournament.get_absolute_url()
    private = [f"{event.get_absolute_url()}log/", f"{hall}desk/", f"/api/v1/tournaments/{event.tournament_id}/hall/"]
    public = [f"{event.get_absolute_url()}{page}" for page in PAGES]
    answers = {}
    for address in [*public, hall, f"/api/v1/events/{event.pk}/", *(private if signed_in else [])]:
        with CaptureQueriesContext(connection) as captured:
            answers[address] = client.get(address).status_code
        others = [query["sql"] for query in captured if not query["sql"].startswith("SELECT")]
        assert others == [], address
    assert [address for address, status in answers.items() if status != 200] == []
