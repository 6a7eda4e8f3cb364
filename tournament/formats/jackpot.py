"""Jackpot: small knockouts, each drawn as soon as enough have entered, all evening long; 1 to 512 entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.advance import Run, advance
from tournament.formats.chance import chance_in
from tournament.formats.drawing import check_draw
from tournament.formats.format import Format
from tournament.formats.groups import group_letters, places_of_the_field, wins_and_losses
from tournament.formats.hand import swap_seats, with_reasons
from tournament.formats.knockout import Feed, FeedKind, Graph
from tournament.formats.main_bracket import round_count, winners_meet
from tournament.formats.moves import Move
from tournament.formats.options import OptionField, OptionKind
from tournament.formats.plan import Draw, Entrant, Pairing, Placing, Plan, Reason, Section
from tournament.formats.void import close_up, neither_came, voided

JACKPOT = "J"


class Jackpot(Format):
    """Entrants fill brackets in order of entry; a player who has been knocked out may enter again."""

    slug: ClassVar[str] = "jackpot"
    name: ClassVar[str] = gettext_noop("Jackpot")
    description: ClassVar[str] = gettext_noop(
        "Knockouts of 4, 8 or 16. Each is drawn at random as soon as enough have entered, and a new "
        "one opens. Players who enter again never meet themselves."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (
        OptionField(
            name="size",
            kind=OptionKind.CHOICE,
            label=gettext_noop("Entrants per jackpot"),
            help=gettext_noop("A jackpot is drawn as soon as this many wait for it."),
            default="8",
            choices=(("4", "4"), ("8", "8"), ("16", "16")),
        ),
    )
    open_entries: ClassVar[bool] = True
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = True
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 1
    max_entrants: ClassVar[int] = 512

    def plan(self, draw: Draw) -> Plan:
        """Plan all full brackets, advanced as far as the outcomes allow. Raises PlanError.

        A full bracket never changes, no matter who enters later. The entries that wait for theirs come last, and
        the others can finish without them.
        """
        check_draw(draw, self)
        size = int(draw.options.choice("size"))
        brackets = fill_brackets(draw.entrants, size)
        graph = Graph()
        drawn: list[Entrant] = []
        causes: dict[int, Move] = {}
        waiting = list(draw.moves)
        for index, members in enumerate(brackets):
            if len(members) == size:
                bracket = JACKPOT + group_letters(index)
                lines = list(members)
                chance = chance_in(draw, _scope(group_letters(index)), seeded=bracket)
                chance.shuffle(lines, lambda entrant: entrant.lot_name)
                inside = _moves_within(draw, lines)
                waiting = [move for move in waiting if move not in inside]
                hand = swap_seats(lines, inside, lambda seats: False)
                lines = [entrant for entrant in hand.seats if entrant]
                causes |= hand.causes
                _add_knockout(graph, bracket, len(drawn), size)
                drawn += lines
        run = advance(graph, drawn, (), draw)
        won, lost = wins_and_losses(run)
        sections = tuple(
            _section(group_letters(index), members, run, won, lost)
            if len(members) == size
            else _waiting(group_letters(index), members, size)
            for index, members in enumerate(brackets)
        )
        return Plan(
            pairings=with_reasons(run.pairings, causes),
            placings=_placings(sections, size, run),
            finished=run.finished,
            stale=tuple(run.stale),
            sections=sections,
            notes=swap_seats((), waiting, lambda seats: False).notes,
        )

    def scope(self, pairing: Pairing) -> str:
        return _scope(pairing.bracket.removeprefix(JACKPOT))


def _moves_within(draw: Draw, lines: Sequence[Entrant]) -> list[Move]:
    """Return the moves whose two are both in this bracket."""
    ids = {entrant.id for entrant in lines}
    return [move for move in draw.moves if {move.a, move.b} <= ids]


def _scope(letters: str) -> str:
    return f"jackpot {letters}"


def fill_brackets(entrants: Sequence[Entrant], size: int) -> list[list[Entrant]]:
    """Divide the entrants, in order of their ids, into brackets of ``size``; those in a bracket not yet full wait.

    Each entrant goes into the first bracket that has room and none of their persons, so that later entries never change
    a full one.
    """
    brackets: list[list[Entrant]] = []
    persons: list[set[int]] = []
    first_open = 0
    for entrant in sorted(entrants, key=lambda entrant: entrant.id):
        while first_open < len(brackets) and len(brackets[first_open]) == size:
            first_open += 1
        index = first_open
        while index < len(brackets) and (len(brackets[index]) == size or entrant.persons & persons[index]):
            index += 1
        if index == len(brackets):
            brackets.append([])
            persons.append(set())
        brackets[index].append(entrant)
        persons[index] |= entrant.persons
    return brackets


def _add_knockout(graph: Graph, bracket: str, first: int, lines: int) -> None:
    """Add a knockout to the graph, with ``lines`` lines, a power of two, all occupied and counted from ``first``."""
    feeds = [Feed(FeedKind.LINE, first + line) for line in range(lines)]
    for round in range(1, round_count(lines) + 1):
        nodes = []
        for number, (upper, lower) in enumerate(zip(feeds[::2], feeds[1::2], strict=True), start=1):
            if round == 1:
                why = _why_drawn(2 * number - 1, lines)
            else:
                why = winners_meet(graph.nodes[upper.index], graph.nodes[lower.index])
            nodes.append(graph.add(bracket, (round, number), (upper, lower), why, to_final=round_count(lines) - round))
        feeds = [Feed(FeedKind.WINNER, node) for node in nodes]


def _why_drawn(line: int, lines: int) -> Reason:
    return Reason(
        "drawn",
        gettext_noop("Drawn at random: lines %(line)s and %(next)s of %(lines)s."),
        (("line", line), ("next", line + 1), ("lines", lines)),
    )


def _section(letters: str, members: Sequence[Entrant], run: Run, won: Counter[int], lost: Counter[int]) -> Section:
    """Return a full bracket with its places: entrants who went out in the same round share them."""
    rounds = round_count(len(members))
    void = voided(run)
    placings = []
    for entrant in members:
        wins, is_out = won[entrant.id], entrant.id in lost or entrant.id in void
        best = 2 ** (rounds - wins - 1) + 1 if is_out else 1
        key = void.get(entrant.id)
        why = neither_came(key) if key else _why_placed(letters, wins, rounds, is_out=is_out)
        placings.append(Placing(entrant.id, best, 2 ** (rounds - wins), why))
    return _titled(letters, members, close_up(run, (JACKPOT + letters,), placings))


def _why_placed(letters: str, wins: int, rounds: int, *, is_out: bool) -> Reason:
    jackpot = ("jackpot", letters)
    if wins == rounds:
        return Reason("jackpot_won", gettext_noop("Won jackpot %(jackpot)s."), (jackpot,))
    round = (("round", wins + 1), ("rounds", rounds))
    if is_out:
        return Reason(
            "jackpot_lost",
            gettext_noop("Lost in round %(round)s of %(rounds)s in jackpot %(jackpot)s."),
            (*round, jackpot),
        )
    return Reason(
        "jackpot_still_in",
        gettext_noop("Still in jackpot %(jackpot)s: plays in round %(round)s of %(rounds)s."),
        (jackpot, *round),
    )


def _waiting(letters: str, members: Sequence[Entrant], size: int) -> Section:
    """Return a bracket that is not yet full: every place in it is open."""
    why = Reason(
        "jackpot_waits",
        gettext_noop("Waiting for jackpot %(jackpot)s to fill: %(entrants)s of %(size)s have entered."),
        (("jackpot", letters), ("entrants", len(members)), ("size", size)),
    )
    return _titled(letters, members, [Placing(entrant.id, 1, size, why) for entrant in members])


def _titled(letters: str, members: Sequence[Entrant], placings: Sequence[Placing]) -> Section:
    title = Reason("jackpot", gettext_noop("Jackpot %(name)s"), (("name", letters),))
    ordered = sorted(placings, key=lambda placing: (placing.place, placing.place_to, placing.entrant))
    return Section(JACKPOT + letters, title, tuple(entrant.id for entrant in members), tuple(ordered))


def _placings(sections: Sequence[Section], size: int, run: Run) -> tuple[Placing, ...]:
    """Return the places in the whole field: those of the full brackets, followed by all entrants who are waiting."""
    full = [section for section in sections if len(section.entrants) == size]
    placed = close_up(run, run.tracks.keys(), places_of_the_field(full))
    waiting = [placing for section in sections if section not in full for placing in section.placings or ()]
    last = len(placed) + len(waiting)
    return (*placed, *(replace(placing, place=len(placed) + 1, place_to=last) for placing in waiting))
