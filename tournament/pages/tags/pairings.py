"""The rows of the pairings, each rendered once for everybody to whom it looks the same."""

from collections.abc import Iterable

from django import template
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from players.remembered import remembered
from tournament.hall.queues import queues_in
from tournament.pictures.draw import place_in_bracket, round_name
from tournament.snapshot import BoardSnapshot, FixtureSnapshot, FixtureState
from tournament.snapshot.values import Clock

register = template.Library()
register.simple_tag(place_in_bracket)
register.simple_tag(queues_in)


@register.simple_tag(takes_context=True)
def pairing_rows(context: template.Context, fixtures: Iterable[FixtureSnapshot]) -> SafeString:
    """Render the fixtures in the order listed, with a link to enter a result for users who may."""
    event, stage, today = context["event"], context["stage"], context["today"]
    may_enter = "enter_result" in context["may"] and not event.finished_at
    language = get_language()
    rows = (
        _row(
            fixture,
            round_name(stage, fixture),
            event.clock,
            fixture.is_overdue(today),
            may_enter,
            language,
        )
        for fixture in fixtures
    )
    return mark_safe("".join(rows))  # noqa: S308 - of templates


@remembered(2000)
def _row(
    fixture: FixtureSnapshot,
    where: str,
    clock: Clock | None,
    is_overdue: bool,
    may_enter: bool,
    language: str,
) -> str:
    """Render the row in the current language, ``language``."""
    values = {
        "fixture": fixture,
        "where": where,
        "clock": clock,
        "is_overdue": is_overdue,
        "may_enter": may_enter,
        "matches_url": f"{reverse('home')}matches/",
    }
    return get_template("tournament/event/_pairing.html").render(values)


@register.filter
def sooner(fixtures: Iterable[FixtureSnapshot]) -> list[FixtureSnapshot]:
    """Return the fixtures with at least one known player."""
    return [fixture for fixture in fixtures if fixture.entry_ids]


@register.filter
def later(fixtures: Iterable[FixtureSnapshot]) -> list[FixtureSnapshot]:
    """Return the fixtures with no known player yet."""
    return [fixture for fixture in fixtures if not fixture.entry_ids]


@register.filter
def next_board(fixture: FixtureSnapshot) -> BoardSnapshot | None:
    """Return the first board whose match is not decided, preferably one that is being played; None for no teams."""
    by_state = {board.state: board for board in reversed(fixture.boards)}
    return by_state.get(FixtureState.LIVE) or by_state.get(FixtureState.READY)
