"""The score keeper: one match as the phone of a player keeps it, with a network or without."""

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.models import Match
from rules.score import Side
from tournament.models import Entry
from tournament.models.draw import Fixture
from tournament.models.team import find_fixture
from tournament.pages.match.keeper_words import keeper_words
from tournament.pages.match.mine import entry_of, until_it_ends


@require_safe
@never_cache
@until_it_ends
def score_keeper(request: HttpRequest, token: str, match_id: str) -> HttpResponse:
    """Show the score keeper of the entry's match. Raises Http404 for a match between others."""
    entry = entry_of(token)
    match, fixture = match_of(entry, int(match_id))
    side = Side.A if entry.pk == fixture.entry_a_id else Side.B
    facts = {
        "match": match.pk,
        "side": side.lower(),
        "length": match.length,
        "crawford": match.crawford,
        "start": {"a": match.start_a, "b": match.start_b, "done": match.crawford_done},
        "penalties": [[one["after"], one["against_b"], one["against_a"]] for one in match.penalties],
        "names": {"a": match.name_a, "b": match.name_b},
        "phones": entry.event.phones,
        "zone": str(entry.event.tournament.zone),
    }
    context = {
        "entry": entry,
        "token": token,
        "match": match,
        "own_side": side.lower(),
        "facts": json.dumps(facts),
        "words": json.dumps(keeper_words()),
        "live_events": entry.event_id,
    }
    return render(request, "tournament/keeper/keeper.html", context)


def match_of(entry: Entry, match_id: int) -> tuple[Match, Fixture]:
    """Find the match of the entry and its fixture. Raises Http404 for a match between others."""
    match = get_object_or_404(Match.objects.select_related("side_a", "side_b"), pk=match_id)
    fixture = find_fixture(match)
    if fixture is None or entry.pk not in {fixture.entry_a_id, fixture.entry_b_id}:
        raise Http404
    return match, fixture
