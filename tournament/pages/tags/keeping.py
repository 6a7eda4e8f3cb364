"""What a player's phone keeps for a time without a network."""

import json

from django import template
from django.urls import reverse

from tournament.models import Entry

register = template.Library()


@register.simple_tag
def kept_pages(entry: Entry, token: str) -> str:
    """Return, as JSON, the addresses of the pages that the phone with this link keeps."""
    here = [entry.event.tournament.slug, entry.event.slug]
    shown = [reverse(name, args=here) for name in ("event", "bracket", "standings")]
    return json.dumps([reverse("my-entry", args=[token]), *shown])
