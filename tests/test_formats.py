"""Dates, times and the language of a page are those that the reader asks for."""

import re
from datetime import date, datetime
from pathlib import Path

import pytest
from django import forms
from django.conf import settings as site
from django.test import Client
from django.utils import translation
from django.utils.formats import date_format, time_format

MONDAY = datetime(2026, 11, 23, 14, 5, 9)  # noqa: DTZ001 - as a page shows it, in the zone of the tournament
ALIKE = {"c", "Y-m-d", "H:i"}  # read by machines, or written alike in every language
WRITTEN = {
    "en": ("23 November 2026", "Mon 23 Nov", "23 November 2026, 14:05", "23/11/2026 14:05", "Mon 14:05"),
    "da": ("23. november 2026", "man 23. nov", "23. november 2026, 14:05", "23.11.2026 14:05", "man 14:05"),
    "sv": ("23 november 2026", "mån 23 nov", "23 november 2026, 14:05", "2026-11-23 14:05", "mån 14:05"),
    "nb": ("23. november 2026", "man 23. nov", "23. november 2026, 14:05", "23.11.2026 14:05", "man 14:05"),
    "de": ("23. November 2026", "Mo, 23. Nov", "23. November 2026, 14:05", "23.11.2026 14:05", "Mo 14:05"),
}
NAMES = ("DATE_FORMAT", "DAY_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT", "WEEKDAY_TIME_FORMAT")


@pytest.mark.parametrize("language", WRITTEN)
def test_dates_are_written_as_readers_of_the_language_write_them(language: str) -> None:
    with translation.override(language):
        assert tuple(date_format(MONDAY, name) for name in NAMES) == WRITTEN[language]
        assert (time_format(MONDAY), date_format(MONDAY, "SECONDS_FORMAT")) == ("14:05", "14:05:09")


def test_english_days_come_before_months() -> None:
    with translation.override("en"):
        assert forms.DateField(localize=True).clean("04/03/2026") == date(2026, 3, 4)


def test_no_template_has_a_format_of_its_own() -> None:
    own = [
        (path.name, found)
        for path in Path(site.BASE_DIR, "templates").rglob("*.html")
        for found in re.findall(r"""\|(?:date|time):["']([^"']+)["']""", path.read_text(encoding="utf-8"))
        if found not in ALIKE and not found.endswith("_FORMAT")
    ]
    assert own == []


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("no", "nb"),
        ("nn", "nb"),
        ("nn-NO,nn;q=0.9,da;q=0.1", "nb"),
        ("no-NO;q=0.9, da;q=0.8", "nb"),
        ("fr, nn;q=0.5, da;q=0.4", "nb"),
        ("da, no;q=0.5", "da"),
        ("nb-NO", "nb"),
        ("de-AT", "de"),
        ("en-US", "en"),
        ("nno", "en"),
        ("x-no", "en"),
    ],
)
def test_norwegian_in_either_form_is_answered_in_bokmal(asked: str, language: str, db) -> None:
    page = Client(headers={"accept-language": asked}).get("/accounts/login/")
    assert f'<html lang="{language}">' in page.content.decode()
    assert page.headers["Content-Language"] == language
