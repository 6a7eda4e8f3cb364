"""Titles over the API: tables, what is missing, and awards by officers."""

import pytest

from players.models import Norm, Title
from tests.tournament.api.client import CheckedClient
from tests.tournament.registry.test_titles import RULES, build_analysed, first_of
from tests.tournament.reporting.lists import build_list, build_officer

pytestmark = pytest.mark.django_db


def test_an_officer_gives_a_table_and_awards_what_a_player_has_reached(unchanged):
    official_list = build_list()
    player, officer, reader = first_of(build_analysed(official_list)), CheckedClient(), CheckedClient()
    officer.force_authenticate(build_officer(official_list))
    tables, path = "federations/dbgf/titles/tables/", "federations/dbgf/titles/"
    sent = {"valid_from": "2026-01-01", "rules": RULES}
    assert officer.post(tables, sent).status_code == 201
    with unchanged():
        refused = [
            officer.post(tables, sent),
            officer.post(tables, {**sent, "rules": {"titles": []}}),
            officer.post(path, {"player": player.pk}),
            officer.post(path, {"player": player.pk, "title": "GM"}),
            officer.post(path, {"player": player.pk, "norm_on": "2026-01-01"}),
        ]
    assert [(one.status_code, one.json()["code"]) for one in refused] == [
        (409, "title_table_same"),
        (400, "title_table_invalid"),
        (400, "award_unclear"),
        (409, "title_not_reached"),
        (409, "norm_not_reached"),
    ]
    assert [one["valid_from"] for one in reader.get(tables).json()] == ["2026-01-01"]
    due = officer.get(path).json()[0]
    assert (due["player"], due["award"], due["next"]) == (player.pk, {"code": "M", "on": "2026-03-06"}, "GM")
    assert officer.post(path, {"player": player.pk, "norm_on": due["norms"][0]["on"]}).status_code == 201
    assert officer.post(path, {"player": player.pk, "title": "M"}).status_code == 201
    assert (Title.objects.get().code, Norm.objects.get().matches) == ("M", due["norms"][0]["matches"])
    shown = reader.get(f"players/{player.pk}/titles/").json()
    assert shown["titles"] == [{"issuer": "dbgf", "code": "M", "on": "2026-03-06"}]
    (progress,) = shown["progress"]
    assert progress["missing"] == "Missing for Grandmaster (GM): a PR of 3 or lower instead of 3.20."
    assert (progress["points"], progress["pr"], progress["pr_needed"], progress["thirds"]) == (15, "3.20", "3.000", 3)
