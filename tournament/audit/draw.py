"""The published draw and its matches, compared with entries, lots and results."""

from collections.abc import Iterator

from matches.audit import Difference
from matches.models import Match
from rules.profiles import PROFILES
from rules.sheet import Terms
from tournament.audit.audited import Audited
from tournament.formats import FORMATS
from tournament.formats.plan import Pairing, seated
from tournament.models import Entry, Event, Fixture


def check_plan(audited: Audited) -> Iterator[Difference]:
    """Check that the published draw follows from the entries, the lots and the confirmed results."""
    if audited.stage.drawn_at is None:
        for fixture in audited.fixtures:
            yield Difference("plan", f"{audited.place} {fixture.key}", "fixture", "published", "not drawn yet")
        return
    planned = audited.pairings()
    stand = audited.chain.at(audited.stage).keys_that_stand if planned else frozenset()
    notes = [reason.as_dict() for reason in audited.chain.at(audited.stage).plan.notes] if planned else []
    by_round = FORMATS[audited.stage.format].pairs_by_round
    # The notes of a round that is paired by results hold until it begins.
    if audited.stage.notes != notes and not by_round:
        yield Difference("plan", audited.place, "notes", str(audited.stage.notes), str(notes))
    published = {fixture.key: fixture for fixture in audited.fixtures}
    for key in audited.chain.at(audited.stage).plan.stale if planned else ():
        yield Difference(
            "plan", f"{audited.place} {key}", "result", "confirmed", "of other entries than those that meet here"
        )
    for key in sorted(published.keys() - planned.keys()):
        yield Difference("plan", f"{audited.place} {key}", "fixture", "published", "not planned")
    for key, pairing in planned.items():
        place = f"{audited.place} {key}"
        if key not in published:
            yield Difference("plan", place, "fixture", "missing", "planned")
            continue
        stored = _published(audited, published[key])
        for what, computed in _planned(audited, pairing).items():
            # The reason of a match that has begun is from what was known when its round was paired.
            if stored[what] != computed and not (what == "reason" and key in stand):
                yield Difference("plan", place, what, str(stored[what]), str(computed))


def _published(audited: Audited, fixture: Fixture) -> dict[str, object]:
    return {
        "side A": _entry(audited, fixture.entry_a_id),
        "side B": _entry(audited, fixture.entry_b_id),
        "feed A": fixture.feed_a,
        "feed B": fixture.feed_b,
        "length": fixture.length,
        "place in the draw": (fixture.bracket, fixture.round, fixture.number),
        "reason": fixture.why,
    }


def _planned(audited: Audited, pairing: Pairing) -> dict[str, object]:
    why = pairing.why
    return {
        "side A": _entry(audited, seated(pairing.a)),
        "side B": _entry(audited, seated(pairing.b)),
        "feed A": pairing.feed_a,
        "feed B": pairing.feed_b,
        "length": pairing.length,
        "place in the draw": (pairing.bracket, pairing.round, pairing.number),
        "reason": {"code": why.code, "template": why.template, "params": dict(why.params)},
    }


def _entry(audited: Audited, entry_id: int | None) -> str:
    return f"{audited.name(entry_id)} (entry {entry_id})" if entry_id else "nobody"


def check_matches(audited: Audited) -> Iterator[Difference]:
    """Check that each pairing with known players has a match on the event's terms, and that no other pairing has one.

    Two teams have one for each board, between the members of that board or reserves who took it. What rulings changed
    is undone first: only a ruling may have changed the terms.
    """
    if audited.stage.drawn_at is None:
        return
    planned = audited.pairings()
    boards = range(1, audited.event.boards + 1) if audited.event.has_teams else range(1)
    for fixture in audited.fixtures:
        pairing = planned.get(fixture.key)
        if pairing is None:
            continue
        found = fixture.matches
        expected = set(boards) if pairing.is_ready else set()
        for number in sorted(expected - found.keys()):
            place = audited.place_of(fixture, number)
            yield Difference("matches", place, "match", "none", "one between the two that meet")
        for number in sorted(found.keys() - expected):
            yield Difference("matches", audited.place_of(fixture, number), "match", str(found[number]), "none")
        if pairing.is_ready:
            a, b = (audited.chain.entries[seated(seat) or 0] for seat in (pairing.a, pairing.b))
            yield from _wrongly_seated(audited, fixture, a, b)
            for number in sorted(expected & found.keys()):
                yield from _other_terms(audited, audited.place_of(fixture, number), pairing, found[number])


def _wrongly_seated(audited: Audited, fixture: Fixture, a: Entry, b: Entry) -> Iterator[Difference]:
    """Yield matches seating players who do not meet there; a reserve may sit at any one board of the team."""
    sitting: set[int] = set()
    for number, match in fixture.matches.items():
        sides = ((match.side_a_id, match.partner_a_id), (match.side_b_id, match.partner_b_id))
        own = [_may_sit(audited.event, entry, number) for entry in (a, b)]
        if any(side not in allowed for side, allowed in zip(sides, own, strict=True)) or sitting & {
            match.side_a_id,
            match.side_b_id,
        }:
            expected = " – ".join(_due(entry, number) for entry in (a, b))
            yield Difference("matches", audited.place_of(fixture, number), "players", str(match), expected)
        sitting |= {match.side_a_id, match.side_b_id}


def _due(entry: Entry, board: int) -> str:
    return ", ".join(str(person) for person in entry.people[board - 1 : board]) if board else str(entry)


def _may_sit(event: Event, entry: Entry, board: int) -> set[tuple[int, int | None]]:
    if not board:
        return {(entry.player_id, entry.partner_id)}
    people = entry.people
    return {(player.pk, None) for player in (*people[board - 1 : board], *people[event.boards :])}


def _other_terms(audited: Audited, place: str, pairing: Pairing, match: Match) -> Iterator[Difference]:
    stored = match.terms_without(audited.histories[match.pk].rulings)
    drawn = Terms(pairing.length, PROFILES[audited.event.profile], crawford=audited.event.crawford)
    for what, value, computed in (
        ("length of the match", stored.length, drawn.length),
        ("rules", stored.profile.slug, drawn.profile.slug),
        ("Crawford rule", stored.crawford, drawn.crawford),
        ("score at the start", stored.start, drawn.start),
        ("Crawford game played before the start", stored.crawford_done, drawn.crawford_done),
        ("games whose cube stands", sorted(stored.waived), sorted(drawn.waived)),
        ("penalty points", stored.penalties, drawn.penalties),
    ):
        if value != computed:
            yield Difference("matches", place, what, str(value), str(computed))
