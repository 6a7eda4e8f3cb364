"""The steps that every format takes before it draws: checking the draw and ordering the entrants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from rules.errors import gettext_noop
from tournament.formats.chance import Chance
from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.options import Seeding
from tournament.formats.plan import Draw, Entrant, Outcome, Pairing


def drawn_order(draw: Draw, chance: Chance) -> list[Entrant]:
    """Return the entrants in the order in which the draw takes them.

    In a random draw they stand by lot; in a seeded draw by seed, followed by those without one, by lot.
    """
    entrants = sorted(draw.entrants, key=lambda entrant: entrant.id)
    if draw.options.seeding is Seeding.RANDOM:
        chance.shuffle(entrants, _lot_name)
        return entrants
    unseeded = [entrant for entrant in entrants if entrant.seed is None]
    chance.shuffle(unseeded, _lot_name)
    seeded = [(entrant.seed, entrant) for entrant in entrants if entrant.seed is not None]
    return [entrant for _, entrant in sorted(seeded, key=lambda pair: pair[0])] + unseeded


def _lot_name(entrant: Entrant) -> str:
    return entrant.lot_name


def draw_hash(seed: str, entrants: Iterable[Entrant]) -> str:
    """Return the SHA-256 hash, in hex, of seed and entry list: it commits a draw to both before it is made.

    The hashed text, in UTF-8, has a line for the seed and one for each entrant in the order of entry: name, seed, club,
    country and family, and for a team its members, with tabs between them, and a line feed before each line but the
    first.
    """
    lines = [
        "\t".join(
            (entrant.name, str(entrant.seed or ""), entrant.club, entrant.country, entrant.family, *entrant.members)
        )
        for entrant in sorted(entrants, key=lambda entrant: entrant.id)
    ]
    return sha256("\n".join([seed, *lines]).encode()).hexdigest()


def check_draw(draw: Draw, format: Format) -> None:
    """Check that the field fits the format, that nobody is in it twice, and that each outcome names two entrants.

    Raises PlanError otherwise. Whether the two sit where the outcome says is for :func:`settle` to decide.
    """
    count = len(draw.entrants)
    if not format.min_entrants <= count <= format.max_entrants:
        raise PlanError(
            "field_size",
            gettext_noop("This format takes %(least)s to %(most)s entrants, not %(count)s."),
            least=format.min_entrants,
            most=format.max_entrants,
            count=count,
        )
    ids: set[int] = set()
    for entrant in draw.entrants:
        if entrant.id in ids:
            raise PlanError(
                "entrant_twice", gettext_noop("%(name)s is in the field more than once."), name=entrant.name
            )
        ids.add(entrant.id)
    if draw.options.seeding is Seeding.SEEDED:
        _check_seeds(draw.entrants)
    for key, outcome in draw.outcomes.items():
        if outcome.winner == outcome.loser or not {outcome.winner, outcome.loser} <= ids:
            raise PlanError(
                "outcome_not_of_two_entrants",
                gettext_noop("The result of %(key)s does not name two different entrants of this draw."),
                key=key,
            )
        if outcome.is_drawn and not format.ranks_by_record:
            raise PlanError(
                "outcome_without_winner",
                gettext_noop("%(key)s was drawn, but this format needs a winner of every match."),
                key=key,
            )


def _check_seeds(entrants: Sequence[Entrant]) -> None:
    holders: dict[int, Entrant] = {}
    for entrant in entrants:
        if entrant.seed is None:
            continue
        if entrant.seed < 1:
            raise PlanError(
                "seed_not_positive",
                gettext_noop("Seeds start at 1; %(name)s has seed %(seed)s."),
                name=entrant.name,
                seed=entrant.seed,
            )
        if entrant.seed in holders:
            raise PlanError(
                "seed_twice",
                gettext_noop("%(name)s and %(other)s both have seed %(seed)s."),
                name=holders[entrant.seed].name,
                other=entrant.name,
                seed=entrant.seed,
            )
        holders[entrant.seed] = entrant


def check_persons(entrants: Sequence[Entrant]) -> None:
    """Raise PlanError if two of ``entrants``, who are due to meet each other, have a person in common."""
    holders: dict[int, Entrant] = {}
    for entrant in entrants:
        for person in entrant.persons:
            if person in holders:
                raise PlanError(
                    "meets_himself",
                    gettext_noop("%(name)s and %(other)s share a player, who would have to play against themselves."),
                    name=holders[person].name,
                    other=entrant.name,
                )
            holders[person] = entrant


def check_outcome_keys(outcomes: Mapping[str, Outcome], keys: Mapping[str, object]) -> None:
    """Raise PlanError (``outcome_unknown_pairing``) unless every outcome belongs to a pairing of the draw."""
    for key in outcomes:
        if key not in keys:
            raise PlanError(
                "outcome_unknown_pairing",
                gettext_noop("This draw has no pairing %(key)s that could take a result."),
                key=key,
            )


def settle(pairing: Pairing, outcome: Outcome | None) -> tuple[Entrant, Entrant] | None:
    """Return the winner and loser of ``pairing``; None while undecided or if the outcome names other entrants.

    Raises PlanError if the outcome belongs to a bye, or names others where the draw itself, not an earlier result, has
    put the two who meet.
    """
    if outcome is None:
        return None
    if pairing.is_bye:
        raise PlanError(
            "outcome_of_bye", gettext_noop("%(key)s is a bye: there is no match and no result."), key=pairing.key
        )
    a, b = pairing.a, pairing.b
    if isinstance(a, Entrant) and isinstance(b, Entrant):
        if (outcome.winner, outcome.loser) == (a.id, b.id):
            return a, b
        if (outcome.winner, outcome.loser) == (b.id, a.id):
            return b, a
    if not pairing.feed_a and not pairing.feed_b:
        raise PlanError(
            "outcome_of_others",
            gettext_noop("The result of %(key)s names somebody who is not in that pairing."),
            key=pairing.key,
        )
    return None
