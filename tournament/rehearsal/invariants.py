"""The invariants that every plan of every format keeps while an event is played; a violation is one line of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tournament.formats.format import Format
from tournament.formats.plan import Draw, Entrant, LoserOf, Pairing, Placing, Plan, Published, WinnerOf, parse_feed
from tournament.rehearsal.fair_byes import check_byes


def check_first(draw: Draw, plan: Plan) -> list[str]:
    """Check the ``plan`` before any result: everyone is drawn once, and there is something to play.

    Entrants of a section that has no pairing yet are waiting and not drawn; nor is the one left over in an odd field
    without byes.
    """
    drawn = Counter(side for pairing in plan.pairings if pairing.round == 1 for side in _sides(pairing))
    waiting = _waiting(plan)
    out = [entrant for entrant in draw.entrants if not drawn[entrant.id] and entrant.id not in waiting]
    if (
        len(out) == 1
        and (len(draw.entrants) - len(waiting)) % 2
        and not any(pairing.is_bye for pairing in plan.pairings)
    ):
        out = []
    wrong = [f"{entrant.name} is not drawn" for entrant in out]
    wrong += [
        f"{entrant.name} is drawn {drawn[entrant.id]} times" for entrant in draw.entrants if drawn[entrant.id] > 1
    ]
    if plan.finished:
        wrong.append("finished before it began")
    return wrong + check_plan(draw, plan)


def check_plan(draw: Draw, plan: Plan) -> list[str]:
    """Check the ``plan`` at any time, if its outcomes came in one by one and none was corrected.

    Nobody meets themselves, or somebody who shares a person with them, or sits twice in a round; nobody has two open
    matches at once, except in a schedule that is known from the draw; byes are shared; every feed is kept; what is
    published stands; no outcome is stale.
    """
    pairings = {pairing.key: pairing for pairing in plan.pairings}
    wrong = [f"{key} is stale" for key in plan.stale]
    wrong += [] if plan.scheduled else _check_open_matches(draw, plan)
    wrong += check_byes(draw, plan)
    if len(pairings) < len(plan.pairings):
        wrong.append("two pairings have one key")
    seated: set[tuple[str, int, int]] = set()
    for pairing in plan.pairings:
        wrong += _check_seats(pairing)
        for side in _sides(pairing):
            place = (pairing.bracket, pairing.round, side)
            if place in seated:
                wrong.append(f"{pairing.key}: {side} sits twice in the round")
            seated.add(place)
        if pairing.feed_a or pairing.feed_b:
            wrong += _check_feeds(draw, pairings, pairing)
    for published in draw.published:
        pairing = pairings.get(published.key)  # type: ignore[assignment]
        if pairing is None or pairing.entrant_ids != _published_ids(published):
            wrong.append(f"{published.key} was published differently")
    return wrong


def check_end(format: Format, draw: Draw, plan: Plan) -> list[str]:
    """Check the last ``plan`` of an event, when nothing is left to play."""
    if not plan.finished:
        return ["stuck"]
    wrong = [f"{pairing.key} is undecided" for pairing in plan.pairings if not _is_decided(draw, pairing)]
    # A bye saves a life, so with lives it takes a match to be drawn.
    drawn = [pairing for pairing in plan.pairings if len(pairing.entrant_ids) > 1 or not plan.lives]
    seen = _waiting(plan).union(*(pairing.entrant_ids for pairing in drawn))
    wrong += [f"{entrant.name} was never drawn" for entrant in draw.entrants if entrant.id not in seen]
    mixed = replace(
        draw,
        entrants=draw.entrants[::-1],
        outcomes=dict(reversed(list(draw.outcomes.items()))),
        published=draw.published[::-1],
    )
    if format.plan(draw) != plan or format.plan(mixed) != plan:
        wrong.append("a second plan is different from the first")
    if plan.placings is not None:
        wrong += _check_winners(plan)
        wrong += check_places(plan.placings, draw.entrants)
    return wrong


def _check_winners(plan: Plan) -> list[str]:
    """Check that nobody shares first place except the winners of sections and entrants with lives left."""
    if not plan.winners:
        return ["nobody won"]
    ahead = {entrant for entrant, lives in plan.lives.items() if lives}
    ahead |= {line.entrant for section in plan.sections for line in section.placings or () if line.place == 1}
    if len(plan.winners) > 1 and not ahead.issuperset(plan.winners):
        return [f"{len(plan.winners)} entrants won"]
    return []


def check_places(placings: Sequence[Placing], entrants: Sequence[Entrant]) -> list[str]:
    """Check the places of a finished event: everyone has one, and together they are 1, 2, 3 ..."""
    if sorted(placing.entrant for placing in placings) != sorted(entrant.id for entrant in entrants):
        return ["the placings are not those of the entrants"]
    following = 1
    for (place, place_to), sharing in sorted(Counter((line.place, line.place_to) for line in placings).items()):
        if place != following or place_to != place + sharing - 1:
            return [f"{sharing} entrants share the places {place} to {place_to}"]
        following = place_to + 1
    return []


def _waiting(plan: Plan) -> set[int]:
    """Return the entrants of the sections that have no pairing."""
    begun = {pairing.bracket for pairing in plan.pairings}
    return {entrant for section in plan.sections if section.bracket not in begun for entrant in section.entrants}


def _sides(pairing: Pairing) -> Iterator[int]:
    return (seat.id for seat in (pairing.a, pairing.b) if isinstance(seat, Entrant))


def _check_seats(pairing: Pairing) -> list[str]:
    """Check that two entrants who share a person meet only through a bracket, which no draw can prevent."""
    a, b = pairing.a, pairing.b
    if not isinstance(a, Entrant) or not isinstance(b, Entrant):
        return []
    through_the_bracket = pairing.feed_a and pairing.feed_b
    if a.id == b.id or (a.persons & b.persons and not through_the_bracket):
        return [f"{pairing.key}: {a.name} and {b.name} share a player"]
    return []


def _check_open_matches(draw: Draw, plan: Plan) -> list[str]:
    """Check that nobody is asked to play two matches at the same time."""
    open = [pairing for pairing in plan.pairings if pairing.is_ready and not _is_decided(draw, pairing)]
    matches = Counter(side for pairing in open for side in _sides(pairing))
    return [
        f"{entrant.name} has {matches[entrant.id]} open matches at once"
        for entrant in draw.entrants
        if matches[entrant.id] > 1
    ]


def _check_feeds(draw: Draw, pairings: dict[str, Pairing], pairing: Pairing) -> list[str]:
    wrong = []
    for seat, feed in ((pairing.a, pairing.feed_a), (pairing.b, pairing.feed_b)):
        source = parse_feed(feed)
        if not isinstance(source, WinnerOf | LoserOf):
            continue
        if source.key not in pairings:
            wrong.append(f"{pairing.key} is fed by {source.key}, which does not exist")
            continue
        outcome = draw.outcomes.get(source.key)
        if outcome is not None:
            expected = outcome.winner if isinstance(source, WinnerOf) else outcome.loser
            if outcome.is_void or outcome.is_drawn or not isinstance(seat, Entrant) or seat.id != expected:
                wrong.append(f"{pairing.key} does not hold the {feed}")
    return wrong


def _published_ids(published: Published) -> frozenset[int]:
    return frozenset({published.a} if published.b is None else {published.a, published.b})


def _is_decided(draw: Draw, pairing: Pairing) -> bool:
    return pairing.is_bye or pairing.key in draw.outcomes
