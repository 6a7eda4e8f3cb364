"""How somebody with a user account finds the page of the person they are, and where to ask to be shown otherwise."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages import text_of
from tests.players.registry.people import Registry, build_registry

pytestmark = pytest.mark.django_db


@pytest.fixture
def registry() -> Registry:
    return build_registry()


@pytest.mark.parametrize("name", ["home", "user-account"])
def test_a_person_finds_their_own_page(registry, name):
    addresses = registry.holm.get_absolute_url(), f"{reverse('person', args=[registry.holm.pk])}#registry-shown"
    for user, finds in ((registry.member, True), (registry.stranger, False), (registry.officer, False)):
        client = Client()
        client.force_login(user)
        source = client.get(reverse(name)).content.decode()
        assert [f'href="{one}"' in source for one in addresses] == [finds, finds]
    assert addresses[0] not in Client().get(reverse("home")).content.decode()


def test_what_is_kept_about_oneself_is_told_to_be_with_others(registry):
    client = Client()
    client.force_login(registry.member)
    answer = client.get(reverse("personal-data", args=[registry.holm.pk]))
    assert answer.status_code == 403
    assert "merge" not in text_of(answer)
    assert "an officer of their federation. Ask one of them" in text_of(answer)
