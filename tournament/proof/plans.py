"""Checking the plans: each step is planned again by its format, with the lots of the urns and what was known then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.errors import gettext_noop
from tournament.formats import FORMATS, parse_options
from tournament.formats.challenge import Challenge
from tournament.formats.errors import PlanError
from tournament.formats.hand import LAPSED
from tournament.formats.lots import Urn
from tournament.formats.plan import Draw, Entrant, Outcome, Pairing, Published, seated
from tournament.proof.findings import WHOLE, Finding, Place, note, ok, wrong
from tournament.proof.moves import name_moves
from tournament.proof.values import (
    DrawFile,
    FileDraw,
    FileEarlier,
    FileEntrant,
    FilePairing,
    FileResult,
    FileStep,
)

MOST_NAMED = 6
"""The most pairings that one finding names."""

BROKEN = (LookupError, ValueError, TypeError, AssertionError, RecursionError, ArithmeticError)
"""What a format may raise for data that no event has: a file from a stranger may hold anything."""


def check_plans(file: DrawFile) -> Iterator[Finding]:
    """Plan every step of every draw again, and compare the pairings."""
    for draw in file.draws:
        place = place_of(draw)
        if draw.cancelled_at is not None:
            yield note(
                "draw_cancelled",
                place,
                gettext_noop("This draw was taken back at %(time)s: ask why."),
                time=draw.cancelled_at,
            )
        if draw.seed:
            yield note(
                "drawn_from_a_seed",
                place,
                gettext_noop("This draw was made from a seed that the server chose: it has no lots."),
            )
        yield from name_moves(draw, place)
        yield from _check_draw(file, draw, place)
    if not file.draws:
        yield note("nothing_drawn", WHOLE, gettext_noop("Nothing has been drawn yet."))


def place_of(draw: FileDraw) -> Place:
    """Return the place of the draw, as findings name it."""
    return Place(stage=draw.stage, is_cancelled=draw.cancelled_at is not None)


@dataclass(slots=True)
class FileLots:
    """The urns of a draw, by scope. A scope without an urn gets lots from ``else_link``, and is noted as missing."""

    urns: Mapping[str, Urn]
    else_link: str
    missing: set[str] = field(default_factory=set)

    def urn(self, scope: str) -> Urn:
        found = self.urns.get(scope)
        if found is None:
            self.missing.add(scope)
            return Urn(self.else_link, "", "")
        return found


def _check_draw(file: DrawFile, draw: FileDraw, place: Place) -> Iterator[Finding]:
    urns = {urn.scope: urn.urn for urn in file.urns if urn.place in draw.links}
    for _chain, number in sorted(set(draw.links) - {urn.place for urn in file.urns}):
        yield wrong(
            "link_left_out",
            place,
            gettext_noop("This draw used link %(number)s, but the file does not have it."),
            number=number,
        )
    entrants: Sequence[FileEntrant] = ()
    results: dict[str, FileResult] = {}
    standing: dict[str, FilePairing] = {}
    for step in draw.steps:
        entrants = entrants if step.entrants is None else step.entrants
        where = replace(place, round=step.round)
        ids = {entrant.number: id for id, entrant in enumerate(entrants, start=1)}
        _note_results(step, results)
        try:
            asked = _asked(draw, step, entrants, ids, results, standing)
            yield from _check_step(draw, step, asked, urns, where)
        except PlanError as error:
            yield wrong("plan_refused", where, error.template, **error.params)
        except BROKEN:
            yield wrong("plan_impossible", where, gettext_noop("No draw can be made from what the file has here."))
        standing.update((pairing.key, pairing) for pairing in step.pairings)


def asked_at(draw: FileDraw) -> Iterator[tuple[FileStep, Draw]]:
    """Yield each step whose results and entrants fit together, with what the format was asked there, without lots."""
    entrants: Sequence[FileEntrant] = ()
    results: dict[str, FileResult] = {}
    standing: dict[str, FilePairing] = {}
    for step in draw.steps:
        entrants = entrants if step.entrants is None else step.entrants
        _note_results(step, results)
        ids = {entrant.number: id for id, entrant in enumerate(entrants, start=1)}
        try:
            asked = _asked(draw, step, entrants, ids, results, standing)
        except (PlanError, *BROKEN):
            continue
        yield step, asked
        standing.update((pairing.key, pairing) for pairing in step.pairings)


def _note_results(step: FileStep, results: dict[str, FileResult]) -> None:
    """Add the results that came since the step before."""
    for result in step.results:
        if result.winner is None or result.loser is None:
            results.pop(result.key, None)
        else:
            results[result.key] = result


def _asked(
    draw: FileDraw,
    step: FileStep,
    entrants: Sequence[FileEntrant],
    ids: Mapping[int, int],
    results: Mapping[str, FileResult],
    standing: Mapping[str, FilePairing],
) -> Draw:
    """Return all that the format takes into account at this step, but for the lots."""
    return Draw(
        entrants=tuple(_entrant(entrant, ids) for entrant in entrants),
        options=parse_options(draw.format, draw.options),
        outcomes={key: _outcome(result, ids) for key, result in results.items()},
        seed=draw.seed,
        published=tuple(
            Published(one.key, ids[one.a or 0], None if one.b is None else ids[one.b]) for one in standing.values()
        ),
        earlier=tuple(_earlier(match, ids) for match in step.earlier),
        earlier_byes={ids[number]: count for number, count in step.earlier_byes},
        edition=draw.edition,
        moves=tuple(
            replace(move, a=ids.get(move.a, -move.a), b=None if move.b is None else ids.get(move.b, -move.b))
            for move in draw.moves
        ),
        challenges=tuple(Challenge(number, ids[low], ids[high]) for number, low, high in step.challenges),
    )


def _check_step(
    draw: FileDraw, step: FileStep, asked: Draw, urns: Mapping[str, Urn], place: Place
) -> Iterator[Finding]:
    format = FORMATS[draw.format]
    plans = []
    lots = FileLots(urns, "no urn")
    for else_link in ("no urn", "no urn either"):
        lots = FileLots(urns, else_link)
        plans.append(format.plan(asked if draw.seed else replace(asked, lots=lots)))
        if not lots.missing:
            break
    numbers = {entrant.id: entrant.number for entrant in asked.entrants}
    planned, other = (_of_step(plan.pairings, step, numbers) for plan in (plans[0], plans[-1]))
    if planned != other:
        yield wrong(
            "urn_missing",
            place,
            gettext_noop("The file has no lots for %(scopes)s, which this draw needs."),
            scopes=", ".join(sorted(lots.missing)),
        )
        return
    yield from (note(one.code, place, one.template, **dict(one.params)) for one in plans[0].notes if one.code in LAPSED)
    published = {pairing.key: pairing for pairing in step.pairings}
    differing = sorted(key for key in planned.keys() | published.keys() if planned.get(key) != published.get(key))
    if differing or len(published) != len(step.pairings):
        yield wrong(
            "pairings_differ",
            place,
            gettext_noop("The published pairings are not those that the lots give; they differ in: %(keys)s."),
            keys=", ".join(differing[:MOST_NAMED]) + ("…" if len(differing) > MOST_NAMED else ""),
        )
    else:
        yield ok(
            "pairings_agree",
            place,
            gettext_noop("Pairings as the lots and the results of that time give them: %(count)s."),
            count=len(planned),
        )


def _of_step(pairings: Sequence[Pairing], step: FileStep, numbers: Mapping[int, int]) -> dict[str, FilePairing]:
    """Return the pairings that a step publishes, by key: those of its round, or all of them."""
    return {
        pairing.key: FilePairing(
            key=pairing.key,
            bracket=pairing.bracket,
            round=pairing.round,
            number=pairing.number,
            length=pairing.length,
            a=numbers.get(seated(pairing.a) or 0),
            b=numbers.get(seated(pairing.b) or 0),
            feed_a=pairing.feed_a,
            feed_b=pairing.feed_b,
        )
        for pairing in pairings
        if step.round in (0, pairing.round)
    }


def _outcome(result: FileResult, ids: Mapping[int, int]) -> Outcome:
    winner, loser = ids[result.winner or 0], ids[result.loser or 0]
    return Outcome(winner, loser, result.is_void, result.is_drawn, _lower_rates(result, winner, loser))


def _earlier(match: FileEarlier, ids: Mapping[int, int]) -> Outcome:
    """Return the outcome of an earlier stage, in which either of the two may not have gone on."""
    winner, loser = ids.get(match.winner, -match.winner), ids.get(match.loser, -match.loser)
    return Outcome(winner, loser, is_drawn=match.is_drawn, lower_rates=_lower_rates(match, winner, loser))


def _lower_rates(row: FileResult | FileEarlier, winner: int, loser: int) -> tuple[int, ...]:
    return (winner,) * row.winner_rated + (loser,) * row.loser_rated


def _entrant(entrant: FileEntrant, ids: Mapping[int, int]) -> Entrant:
    return Entrant(
        id=ids[entrant.number],
        name=entrant.name,
        seed=entrant.seed,
        club=entrant.club,
        country=entrant.country,
        family=entrant.family,
        persons=frozenset(entrant.persons),
        rating=entrant.rating,
        lives=entrant.lives,
        presence=entrant.presence,
        members=entrant.members,
        bye_taken=entrant.bye_taken,
        number=entrant.number,
    )
