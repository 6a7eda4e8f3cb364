"""What every page of money shows: the ledger of one event, and keys for its buttons."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.money.accounts import Ledger
from tournament.roles.permissions import actions_of


def money_page(
    request: HttpRequest, ledger: Ledger, template: str, status: int = 200, **context: object
) -> HttpResponse:
    """Render a page of money: what only its own template needs is in ``context``."""
    allowed = actions_of(request.user, ledger.terms.event)
    if ledger.event.at is not None:
        allowed &= {"handle_money"}  # the past is read only
    values = {"ledger": ledger, "event": ledger.event, "stage": ledger.event.stage, "may": allowed}
    values |= {"currency": ledger.currency, "page_key": uuid.uuid4().hex, **context}
    return render(request, f"tournament/money/{template}.html", values, status=status)
