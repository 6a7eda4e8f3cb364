"""The page that a QR code of a score sheet opens: the sheet stands behind the # and never reaches the server."""

import json

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.pages.match.keeper_words import handed_words


@require_safe
def handed(request: HttpRequest) -> HttpResponse:
    """Show a sheet that was handed over, or scan one. Nothing here belongs to its reader: every phone keeps it."""
    context = {"words": json.dumps(handed_words()), "user": AnonymousUser()}
    return render(request, "tournament/keeper/handed.html", context)
