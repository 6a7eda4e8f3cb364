"""The code on a badge: it belongs to one link, ends with it, and can be typed as people type."""

import pytest

from tests.builders import AT, build_event
from tournament.entries.codes import LENGTH, LETTERS, code_of, is_code_of
from tournament.entries.renew import renew_links

pytestmark = pytest.mark.django_db


def test_every_entry_has_a_code_of_its_own_that_is_stable_until_its_link_is_replaced(director):
    event = build_event(director, players=64, drawn=False)
    entries = list(event.entries.order_by("number"))
    codes = {entry.pk: code_of(entry) for entry in entries}
    assert len(set(codes.values())) == len(entries)
    assert all(len(code) == LENGTH and set(code) <= set(LETTERS) for code in codes.values())
    renew_links(event, entries=[entries[0].pk], by=director, at=AT)
    again = {entry.pk: code_of(entry) for entry in event.entries.all()}
    assert [pk for pk in codes if codes[pk] != again[pk]] == [entries[0].pk]


def test_small_letters_spaces_and_dashes_do_not_matter_and_another_code_does(director):
    first, second = build_event(director, players=2, drawn=False).entries.all()
    code = code_of(first)
    for typed in (code, code.lower(), f"{code[:3]}-{code[3:]}", f" {code[:3]} {code[3:]} "):
        assert is_code_of(first, typed)
    for typed in ("", code[:5], code + "2", code_of(second), "ÅÆØ"):
        assert not is_code_of(first, typed)
