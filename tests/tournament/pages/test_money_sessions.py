"""An evening of money play on the pages: terms, games of a chouette, the account and its settlement."""

import pytest
from django.urls import reverse

from matches.money_sessions import MoneySession
from players.models import User

pytestmark = pytest.mark.django_db

LEAFLET = {"profile": "dk-leaflet", "cube": "on", "automatic_doubles": 1, "jacquet": "on", "stake": 5, "unit": "kr"}


@pytest.fixture
def owner(client):
    client.force_login(User.objects.create_user("owner"))
    return client


def begin(client, names, status=302, **terms):
    answer = client.post(reverse("money-sessions"), {"names": names, **LEAFLET, **terms})
    assert answer.status_code == status
    return MoneySession.objects.last() if status == 302 else answer


def play(client, session, number, status=302, **game):
    answer = client.post(session.get_absolute_url(), {"number": number, "box": 0, **game})
    assert answer.status_code == status
    return answer


def test_an_evening_under_the_danish_leaflet_is_settled_at_the_end(owner, client):
    session = begin(owner, "Ida\nJon\nKim")
    play(owner, session, 1, won_1="box", cube_1=2, how_1="gammon", won_2="other", cube_2=4, how_2="drop")
    play(owner, session, 1, won_1="box", cube_1=2, how_1="gammon", won_2="other", cube_2=4, how_2="drop")
    refused = play(owner, session, 2, 400, won_1="box", cube_1=1, how_1="resigned-single")
    assert "always lost as a backgammon" in refused.content.decode()
    play(owner, session, 2, box=2, won_0="other", cube_0=1, how_0="resigned-backgammon")
    page = owner.get(session.get_absolute_url()).content.decode()
    assert "Jacquet start" in page
    assert " ".join(page.split()).count("Jon pays Ida 15 kr (3 points)") == 1
    assert MoneySession.objects.get().results.count() == 3
    owner.post(reverse("money-act", args=[session.pk, "take-back"]), {"number": 2})
    owner.post(reverse("money-act", args=[session.pk, "settle"]))
    play(owner, session, 2, 400, won_1="box", cube_1=1, how_1="single")
    assert MoneySession.objects.get().results.count() == 2
    client.force_login(User.objects.create_user("other"))
    assert client.get(session.get_absolute_url()).status_code == 404


@pytest.mark.parametrize(
    ("names", "terms", "sentence"),
    [
        ("Ida\nIDA", {}, "each differently"),
        ("Ida\nJon", {"profile": "wbgf"}, "do not include automatic doubles"),
        ("Ida\nJon", {"profile": "wbgf", "automatic_doubles": 0}, "do not include the Jacquet start"),
    ],
)
def test_what_cannot_be_agreed_on_is_refused(owner, names, terms, sentence):
    assert sentence in begin(owner, names, 400, **terms).content.decode()
    assert not MoneySession.objects.exists()
