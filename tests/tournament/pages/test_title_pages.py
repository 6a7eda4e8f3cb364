"""Titles on pages: what is missing, to whom it is shown, and the officer who awards what is reached."""

import html

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Norm, Player, Title, TitleRules, User, Visibility
from tests.builders import AT
from tests.tournament.registry.test_titles import RULES, build_analysed, first_of
from tests.tournament.reporting.lists import build_list, build_officer

pytestmark = pytest.mark.django_db
TABLE = {
    "valid_from": "2026-01-01",
    "titles": "gm; Grandmaster; 3; 1\nM; Master; 5,0;",
    "least": 10,
    "shortest": 5,
    "clocked": "on",
    "sanction": "on",
    "members": "on",
    "norm_matches": 2,
    "norm_below": "3.5",
    "norm_shortest": 5,
    "norm_most": 2,
}


def text(answer) -> str:
    return " ".join(html.unescape(answer.content.decode()).split())


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_officer_makes_a_table_and_awards_what_is_reached():
    official_list = build_list()
    player, officer = first_of(build_analysed(official_list)), client_of(build_officer(official_list))
    page, table = (reverse(name, args=["dbgf"]) for name in ("federation-titles", "title-table"))
    assert "The federation has no table of titles yet." in text(officer.get(page))
    wrong = officer.post(table, {**TABLE, "titles": "GM; Grandmaster; 3; many"})
    assert (wrong.status_code, "contradicts the rest of the table" in text(wrong)) == (400, True)
    assert officer.post(table, TABLE).status_code == 302
    assert TitleRules.objects.get().rules["titles"][1] == {"code": "M", "name": "Master", "pr": "5.0", "norms": 0}
    assert officer.post(table, TABLE).status_code == 409
    shown = text(officer.get(page))
    assert (f'Award title<span class="hidden"> M {player.name}' in shown, "Record norm" in shown) == (True, True)
    public = text(Client().get(reverse("player-titles", args=[player.pk])))
    assert "Master was reached on 6 March 2026, and has not been awarded yet." in public
    award = reverse("award-title", args=["dbgf"])
    assert client_of(User.objects.create_user("x")).post(award, {"player": player.pk, "title": "M"}).status_code == 403
    assert not Title.objects.exists()
    officer.post(award, {"player": player.pk, "title": "GM"})
    officer.post(award, {"player": player.pk, "title": "M"})
    officer.post(award, {"player": player.pk, "norm": "2026-03-06"})
    officer.post(award, {"player": player.pk, "norm": "soon"})
    assert list(Title.objects.values_list("code", "on")) == [("M", AT.date())]
    assert list(Norm.objects.values_list("kind", "on")) == [("BN", AT.date())]
    after = text(officer.get(page))
    assert "Missing for Grandmaster (GM): a PR of 3 or lower instead of 3.20." in after
    person = text(Client().get(reverse("player-titles", args=[player.pk])))
    assert "1 match under 3.5 is missing for the next norm (BN)." in person


def test_titles_of_a_player_whose_name_is_not_public_are_not_shown_to_everybody():
    official_list = build_list()
    player = first_of(build_analysed(official_list, matches=1))
    TitleRules.objects.create(federation=official_list.federation, valid_from=AT.date(), rules=RULES, at=AT)
    path, page = reverse("player-titles", args=[player.pk]), reverse("player", args=[player.pk])
    assert f'href="{path}"' in Client().get(page).content.decode()
    officer = client_of(build_officer(official_list))
    for visibility in (Visibility.HIDDEN, Visibility.INITIALS, Visibility.MINOR):
        Player.objects.filter(pk=player.pk).update(visibility=visibility, given="Ann", family="Holm")
        assert (Client().get(path).status_code, officer.get(path).status_code) == (403, 200)
        assert Client().get(f"/api/v1/players/{player.pk}/titles/").status_code == 403
