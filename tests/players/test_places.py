"""A page of a ranking list has the places of the whole list."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player, RankingList, Rating
from tests.builders import AT


@pytest.mark.django_db
@given(values=st.lists(st.integers(1498, 1502), min_size=1, max_size=12), size=st.integers(1, 5))
def test_places_on_pages_are_those_of_the_whole_list(values: list[int], size: int) -> None:
    ranking = RankingList.objects.create(system="fibs", computed_at=AT, matches=len(values))
    try:
        for number, value in enumerate(values):
            player = Player.objects.create(name=f"Player {number}", created_at=AT)
            Rating.objects.create(
                ranking_list=ranking, player=player, value=Decimal(value), experience=1, matches=1, wins=0
            )
        whole = [(line.pk, line.place) for line in ranking.lines()]
        found = []
        for start in range(0, len(values), size):
            page = list(ranking.in_order()[start : start + size])
            ranking.place(page, first=start + 1)
            found += [(line.pk, line.place) for line in page]
        assert found == whole
    finally:
        Rating.objects.all().delete()
        ranking.delete()
        Player.objects.all().delete()


@pytest.mark.django_db
def test_places_of_a_page_cost_one_count() -> None:
    ranking = RankingList.objects.create(system="fibs", computed_at=AT, matches=0)
    with CaptureQueriesContext(connection) as asked:
        ranking.place([], first=1)
    assert len(asked) == 0
    player = Player.objects.create(name="Ada Byl", created_at=AT)
    Rating.objects.create(ranking_list=ranking, player=player, value=Decimal(1500), experience=1, matches=1, wins=0)
    page = list(ranking.in_order())
    with CaptureQueriesContext(connection) as asked:
        ranking.place(page, first=1)
    assert (len(asked), page[0].place) == (1, 1)
