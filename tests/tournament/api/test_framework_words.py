"""Sentences of the framework are in the reader's language too."""

import pytest
from django.conf import settings
from django.utils.translation import gettext, override
from rest_framework.exceptions import Throttled
from rest_framework.fields import BooleanField, CharField, DateTimeField, ListField, SlugField, UUIDField

from tournament.api.framework_words import SENTENCES

LANGUAGES = [language for language, _name in settings.LANGUAGES if not language.startswith("en")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_field_is_translated(language):
    kinds = (BooleanField, CharField, DateTimeField, ListField, SlugField, UUIDField)
    said = {str(text) for kind in kinds for text in kind().error_messages.values() if str(text) != "{value}"}
    said |= {str(Throttled.extra_detail_singular), str(Throttled.extra_detail_plural), *SENTENCES}
    with override(language):
        assert [text for text in sorted(map(str, said)) if gettext(text) == text] == []


def test_a_field_refuses_in_the_language_of_the_reader(client):
    answer = client.post(
        "/api/v1/token/", {"username": "a", "password": []}, content_type="application/json", HTTP_ACCEPT_LANGUAGE="sv"
    )
    assert [row["message"] for row in answer.json()["errors"]] == ["Inte en giltig text."]
