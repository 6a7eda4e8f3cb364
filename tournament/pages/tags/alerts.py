"""The part of a player's page that asks what they want to be told."""

from django import template
from django.conf import settings
from django.urls import reverse

from tournament.alerts.mail import offers_mail
from tournament.models import Entry, Subscription
from tournament.pages.match.my_alerts import AlertsForm, shown_address

register = template.Library()


@register.inclusion_tag("tournament/match/_my_alerts.html", takes_context=True)
def my_alerts(context: template.Context, entry: Entry, token: str) -> dict[str, object]:
    """Return what the private link is told by now, and the form for more."""
    request = context["request"]
    held = Subscription.objects.filter(entry=entry, epoch=entry.link_epoch)
    return {
        "form": context.get("alerts_form") or AlertsForm(),
        "token": token,
        "csrf_token": context.get("csrf_token", ""),
        "subscriptions": [(one, shown_address(one)) for one in held],
        "offers_mail": offers_mail(entry.event.tournament),
        "is_secure": request.is_secure(),
        "sender": _sender() if request.is_secure() else "",
        "worker": reverse("service-worker"),
    }


def _sender() -> str:
    from tournament.alerts.sealing import sender  # noqa: PLC0415 - memory that a hall without https does not need

    return sender(settings.SECRET_KEY)
