"""What a page says to other sites that show it."""

from django import template
from django.template import Context

from tournament.hall.site import site_of

register = template.Library()


@register.simple_tag(takes_context=True)
def site_here(context: Context) -> str:
    """Return how the address of this page begins; empty if that is not known for certain."""
    request = context.get("request")
    return site_of(request) if request is not None else ""
