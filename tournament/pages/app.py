"""The site as an app of a phone: its manifest, its service worker, and the page that stands in without a network."""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

WORKERS = ("js/service-worker.js", "js/push-worker.js")
"""The files that the service worker consists of, in this order."""

SHELL = (
    *("css/base.css", "css/event.css", "css/match.css", "css/bracket.css", "css/keeper.css"),
    *("css/card.css", "css/mine.css", "js/mine.js", "js/follow.js", "js/followed.js"),
    *("django_htmx/htmx-2.min.js", "js/live.js", "js/page.js", "js/bracket.js", "js/app.js"),
    *("js/keeper-codes.js", "js/keeper-score.js", "js/keeper-store.js", "js/keeper-outbox.js"),
    *("js/keeper-view.js", "js/keeper.js", "js/keeper-qr.js", "js/keeper-scan.js"),
    *("js/keeper-server.js", "js/keeper-handover.js", "js/handed.js"),
    *("img/mark.svg", "img/points.svg"),
)
"""The files that a player's pages need without a network."""

PAGES = ("offline", "handed")
"""The pages that every phone keeps; nothing personal is on them."""

ICONS = (
    ("img/icon-192.png", "192x192", "any"),
    ("img/icon-512.png", "512x512", "any"),
    ("img/icon-maskable-512.png", "512x512", "maskable"),
)

_PRIVATE = re.compile(r"/e/[^/?#]+/")


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app; with ``?start=`` it opens with that private page, otherwise with the home page."""
    asked = request.GET.get("start", "")
    start = asked if _PRIVATE.fullmatch(asked) else reverse("home")
    described = {
        "id": start,
        "name": "Sixprime",
        "short_name": "Sixprime",
        "description": _("Backgammon tournaments: your matches, the score and the standings."),
        "lang": get_language(),
        "start_url": start,
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": "#f5f3ee",
        "theme_color": "#12574a",
        "icons": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for path, sizes, purpose in ICONS
        ],
    }
    return JsonResponse(described, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of the site. It changes, and phones fetch it anew, when one of its files changes."""
    told = {
        "version": shell_version(),
        "files": [static(path) for path in SHELL],
        "pages": [reverse(name) for name in PAGES],
        "offline": reverse("offline"),
    }
    workers = ", ".join(json.dumps(static(path)) for path in WORKERS)
    source = f'"use strict";\nself.app = {json.dumps(told)};\nimportScripts({workers});\n'
    return HttpResponse(source, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that stands in for those that a phone has not kept."""
    return render(request, "tournament/keeper/offline.html", {"user": AnonymousUser()})


@cache
def shell_version() -> str:
    """Return a name for the present state of all files of the shell and the service worker."""
    state = hashlib.sha256()
    for path in (*WORKERS, *SHELL):
        state.update(path.encode() + Path(str(finders.find(path))).read_bytes())
    return state.hexdigest()[:16]
