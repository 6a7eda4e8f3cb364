"""Checking the plans: each step is planned again by its format, with the lots of the urns and what was known then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.errors import gettext_noop
from tournament.formats import FORMATS, parse_options
from tournament.formats.challenge import Challenge
from tournament.formats.errors import PlanError
from tournament.formats.lots import Urn
from tournament.formats.plan import Draw, Entrant, Outcome, Pairing, Published, seated
from tournament.proof.findings import WHOLE, Finding, Place, note, ok, wrong
from tournament.proof.values import DrawFile, FileDraw, FileEntrant, FilePairing, FileStep

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
        for move in draw.moves:
            yield note(
                "moved_by_hand",
                place,
                gettext_noop("The director changed this draw by hand: %(move)s."),
                move=str(move)[:200],
            )
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
    entrants: Sequence[FileEntrant] = ()
    outcomes: dict[str, Outcome] = {}
    standing: dict[str, FilePairing] = {}
    for step in draw.steps:
        entrants = entrants if step.entrants is None else step.entrants
        where = replace(place, round=step.round)
        ids = {entrant.number: id for id, entrant in enumerate(entrants, start=1)}
        _note_results(step, outcomes)
        try:
            yield from _check_step(draw, step, entrants, ids, outcomes, standing, urns, where)
        except PlanError as error:
            yield wrong("plan_refused", where, error.template, **error.params)
        except BROKEN:
            yield wrong("plan_impossible", where, gettext_noop("No draw can be made from what the file has here."))
        standing.update((pairing.key, pairing) for pairing in step.pairings)


def _note_results(step: FileStep, outcomes: dict[str, Outcome]) -> None:
    """Add the results that came since the step before; ids are the numbers of entries."""
    for result in step.results:
        if result.winner is None or result.loser is None:
            outcomes.pop(result.key, None)
        else:
            outcomes[result.key] = Outcome(result.winner, result.loser, result.is_void)


def _check_step(
    draw: FileDraw,
    step: FileStep,
    entrants: Sequence[FileEntrant],
    ids: Mapping[int, int],
    outcomes: Mapping[str, Outcome],
    standing: Mapping[str, FilePairing],
    urns: Mapping[str, Urn],
    place: Place,
) -> Iterator[Finding]:
    format = FORMATS[draw.format]
    asked = Draw(
        entrants=tuple(_entrant(entrant, ids) for entrant in entrants),
        options=parse_options(draw.format, draw.options),
        outcomes={key: _outcome(outcome, ids) for key, outcome in outcomes.items()},
        seed=draw.seed,
        published=tuple(
            Published(one.key, ids[one.a or 0], None if one.b is None else ids[one.b]) for one in standing.values()
        ),
        earlier=tuple(Outcome(ids.get(winner, -winner), ids.get(loser, -loser)) for winner, loser in step.earlier),
        earlier_byes={ids[number]: count for number, count in step.earlier_byes},
        edition=draw.edition,
        challenges=tuple(Challenge(number, ids[low], ids[high]) for number, low, high in step.challenges),
    )
    plans = []
    lots = FileLots(urns, "no urn")
    for else_link in ("no urn", "no urn either"):
        lots = FileLots(urns, else_link)
        plans.append(format.plan(asked if draw.seed else replace(asked, lots=lots)).pairings)
        if not lots.missing:
            break
    numbers = {id: number for number, id in ids.items()}
    planned, other = (_of_step(plan, step, numbers) for plan in (plans[0], plans[-1]))
    if planned != other:
        yield wrong(
            "urn_missing",
            place,
            gettext_noop("The file has no lots for %(scopes)s, which this draw needs."),
            scopes=", ".join(sorted(lots.missing)),
        )
        return
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


def _outcome(outcome: Outcome, ids: Mapping[int, int]) -> Outcome:
    return Outcome(ids[outcome.winner], ids[outcome.loser], outcome.is_void)


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
