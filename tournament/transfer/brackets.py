"""The brackets of a stage, with their names in English, as an event file lists them."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import override

from tournament.snapshot.rounds import bracket_title


def brackets_of(slugs: Iterable[str]) -> list[dict[str, str]]:
    """Return each of these brackets once, in the order in which they are met."""
    with override("en"):
        return [{"id": slug, "name": bracket_title(slug)} for slug in dict.fromkeys(slugs)]
