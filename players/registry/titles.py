"""The table of titles that a federation gives itself, and what it has recorded of people by it."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Federation, Membership, Norm, Title, TitleRules, User
from players.performance.table_rules import TableError, read_table, write_table
from players.performance.tracker import Held, HeldNorm
from players.registry.roles import require_federation


@transaction.atomic
def set_title_table(
    federation: Federation, rules: Mapping[str, Any], *, valid_from: date, by: User | None, at: datetime
) -> TitleRules:
    """Let the federation have this table of titles from the day on; what held before is kept.

    Raises Forbidden, Refusal for a table that there cannot be, and Conflict if the day has this table already.
    """
    federation = Federation.objects.select_for_update(of=("self",)).get(pk=federation.pk)
    require_federation(by, federation)
    try:
        written = write_table(read_table(rules))
    except TableError as error:
        told = _("This is missing, cannot have this value, or contradicts the rest of the table.")
        raise Refusal("title_table_invalid", told, field=error.name) from error
    if not 2000 <= valid_from.year <= 2200:
        raise Refusal("time_out_of_range", _("A time must be between the years 2000 and 2200."), field="valid_from")
    last = federation.title_rules.filter(valid_from__lte=valid_from).order_by("valid_from", "id").last()
    if last is not None and (last.valid_from, last.rules) == (valid_from, written):
        raise Conflict("title_table_same", _("This is the table of titles of that day already."))
    return TitleRules.objects.create(federation=federation, valid_from=valid_from, rules=written, by=by, at=at)


def held_by(federation: Federation, players: Collection[int] | None = None) -> dict[int, Held]:
    """Return the titles and norms that the federation has recorded of these people, or of everybody, by id.

    These are two queries.
    """
    titles = Title.objects.filter(issuer=federation.issuer)
    norms = Norm.objects.filter(issuer=federation.issuer)
    if players is not None:
        titles, norms = titles.filter(player__in=players), norms.filter(player__in=players)
    codes, held = dict[int, set[str]](), dict[int, list[HeldNorm]]()
    for player, code in titles.values_list("player", "code"):
        codes.setdefault(player, set()).add(code)
    for norm in norms.order_by("on", "id"):
        one = HeldNorm(norm.kind, norm.on, norm.thirds, tuple(norm.matches), bool(norm.void_reason))
        held.setdefault(norm.player_id, []).append(one)
    return {pk: Held(frozenset(codes.get(pk, ())), tuple(held.get(pk, ()))) for pk in {*codes, *held}}


def with_memberships(federation: Federation, held: Mapping[int, Held], players: Collection[int]) -> dict[int, Held]:
    """Return what is recorded of each of these people, with their memberships of the federation, in one query."""
    terms: dict[int, list[tuple[date, date | None]]] = {player: [] for player in players}
    rows = Membership.objects.filter(federation=federation, player__in=terms).order_by("starts", "pk")
    for player, starts, ends in rows.values_list("player", "starts", "ends"):
        terms[player].append((starts, ends))
    return {pk: replace(held.get(pk, Held()), memberships=tuple(found)) for pk, found in terms.items()}
