"""The Swiss with lives as the occasion makes it, played on its pages to shared places and prizes."""

from collections import Counter

import pytest
from django.urls import reverse

from tests.builders import open_matches
from tests.tournament.money.test_ledger import THREE, give_money, ledger_of
from tournament.models import Event, Fixture
from tournament.prizes import PayoutPlan, Share

pytestmark = pytest.mark.django_db

NAMES = "\n".join(f"Player {number}" for number in range(1, 10))


def test_the_occasion_is_played_until_one_has_fewer_than_three_losses(as_director):
    as_director.post("/tournaments/new/", {"occasion": "swiss-lives", "starts_on": "2026-11-21", "lengths": "3"})
    event = Event.objects.select_related("tournament").get()
    address = [event.tournament.slug, event.slug]
    as_director.post(reverse("entries", args=address), {"way": "list", "text": NAMES, "draw": "1"})
    give_money(event, payouts=PayoutPlan((Share("", 10_000, THREE),)))
    number = 0
    while matches := open_matches(event):
        for match in matches:
            number += 1
            sent = {"key": f"{number:032x}", "base": 0, "final_a": 3, "final_b": 1}
            assert as_director.post(reverse("enter", args=[match.pk, "final"]), sent).status_code == 302
    prizes = {account.entry.id: account.prize for account in ledger_of(event).payouts}
    played = Fixture.objects.filter(stage__event=event, match__isnull=False)
    losses = Counter(fixture.entry_b_id for fixture in played)
    assert sorted(losses[entry.pk] < 3 for entry in event.entries.all())[-2:] == [False, True]
    three = [entry.pk for entry in event.entries.all() if losses[entry.pk] == 3]
    page = as_director.get(reverse("standings", args=address)).content.decode()
    assert page.count("when only one player had more: all with one life left share these places.") == len(three)
    shared = [prizes[id] for id in three]
    assert sum(shared) == (13500 if len(three) == 1 else 22500)
    assert max(shared) - min(shared) <= 1
    bracket = as_director.get(reverse("bracket", args=address))
    assert (bracket.status_code, "Both have a record of" in bracket.content.decode()) == (200, True)
