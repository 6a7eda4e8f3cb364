"""The places in a knockout: in the main bracket, in the whole field, and in each consolation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rules.errors import gettext_noop
from tournament.formats.advance import Run, Sitter, Track
from tournament.formats.knockout import (
    BUY_IN,
    BYE,
    CONSOLATION,
    FINAL,
    FINAL_EIGHT,
    LAST_CHANCE,
    MAIN,
    SECOND_CONSOLATION,
    SECOND_PLACE,
    THIRD_PLACE,
    Feed,
    FeedKind,
    Node,
)
from tournament.formats.plan import Entrant, Placing, Reason, Section
from tournament.formats.void import close_up, neither_came

TITLES = {
    CONSOLATION: Reason("consolation", gettext_noop("Consolation")),
    SECOND_CONSOLATION: Reason("second_consolation", gettext_noop("Second consolation")),
    LAST_CHANCE: Reason("last_chance", gettext_noop("Last chance")),
    BUY_IN: Reason("buy_in", gettext_noop("Buy-in bracket")),
}

EVERY = (MAIN, CONSOLATION, FINAL, SECOND_PLACE)
"""The brackets that decide the places of a field that two of them share."""

Span = tuple[int, int]
"""The best and the worst place."""


class Places:
    """The places that each round of a bracket decides: its losers rank behind all who win there or play later.

    Both sides of a void match go out. ``beside`` counts those who go out in a round without having come to the bracket.
    ``ahead`` are those who come out of a bracket that ends before its final.
    """

    def __init__(
        self, run: Run, bracket: str, beside: Mapping[int, int] | None = None, ahead: int | None = None
    ) -> None:
        self.nodes = run.graph.nodes
        sure: Counter[int] = Counter(beside or {})
        possible: Counter[int] = Counter(beside or {})
        champion: Sitter = None
        for index, node in run.graph.bracket(bracket):
            out = 2 * (index in run.void)
            sure[node.round] += out or run.played[index] is True
            possible[node.round] += out or run.played[index] is not False
            champion = run.winners[index]
        self.best, self.last = {}, {}
        better = worse = int(champion is not BYE) if ahead is None else ahead
        self.ahead = 1 if ahead is None else ahead
        for round in sorted(possible, reverse=True):
            self.best[round] = better + 1
            better += sure[round]
            worse += possible[round]
            self.last[round] = worse

    def worst(self, round: int) -> int:
        """Return the worst place left to an entrant who reaches ``round``: that of losing there, or of those ahead."""
        return self.last.get(round, self.ahead)

    def of(self, track: Track) -> Span:
        """Return the places still open to an entrant who got this far."""
        round = self.nodes[track.node].round
        if track.won:
            return 1, self.worst(round + 1)
        return 1 if track.won is None else self.best[round], self.worst(round)


def main_placings(run: Run) -> tuple[Placing, ...]:
    """Return the places in the main bracket, and those from the match for third place if there is one.

    Losers of the same round share its places; those still in share all places that they can still take.
    """
    places = Places(run, MAIN)
    third = _third_place(run)
    placings = []
    for entrant, track in run.tracks[MAIN].items():
        if entrant in third:
            placings.append(_of_third_place(run, entrant, third[entrant]))
        else:
            placings.append(_placing(run, entrant, places.of(track), track))
    return close_up(run, (MAIN, THIRD_PLACE), placings)


def _third_place(run: Run) -> Mapping[int, Track]:
    """Return the tracks in the match for third place; none where it has only one side, as after a void semifinal."""
    is_bye = any(
        run.winners[index] is not None and not _was_held(run, index) for index, _ in run.graph.bracket(THIRD_PLACE)
    )
    return {} if is_bye else run.tracks.get(THIRD_PLACE, {})


def _was_held(run: Run, index: int) -> bool:
    return run.played[index] is True or index in run.void


def second_place_placings(run: Run, passing: int) -> tuple[Placing, ...]:
    """Return the places of a main bracket whose beaten finalist plays the winner of the consolation for place 2.

    An entrant who comes there from behind puts back those passed on the way by one place. ``passing`` is the last main
    round whose losers can; after a bye in round 1 that may be round 2, even if the consolation is for first losers.
    """
    ranking = _SecondPlace(run, passing)
    return close_up(run, EVERY, (ranking.placing(entrant) for entrant in run.tracks[MAIN]))


class _SecondPlace:
    def __init__(self, run: Run, passing: int) -> None:
        self.run = run
        self.places = Places(run, MAIN)
        self.main = run.tracks[MAIN]
        self.fallen = run.tracks.get(CONSOLATION, {})
        self.match = run.tracks.get(SECOND_PLACE, {})
        came = [self._round(entrant) for entrant in self.match if not self._is_finalist(entrant)]
        is_over = all(run.winners[index] is not None for index, _ in run.graph.bracket(SECOND_PLACE))
        nobody = len(run.graph.nodes)
        self.came_from = (came[0], came[0]) if came else (nobody, nobody) if is_over else (1, passing)

    def _round(self, entrant: int) -> int:
        return self.run.graph.nodes[self.main[entrant].node].round

    def _is_finalist(self, entrant: int) -> bool:
        return self.run.graph.nodes[self.main[entrant].node].to_final == 0

    def placing(self, entrant: int) -> Placing:
        track = self.main[entrant]
        if entrant in self.match:
            return _of_decider(self.run, entrant, self.match[entrant], 2)
        if track.won and self._is_finalist(entrant):
            return _placing(self.run, entrant, (1, 1), track)
        if track.is_void and self._is_finalist(entrant):
            return _placing(self.run, entrant, self.places.of(track), track)
        best, worst = self._passed(entrant, self.places.of(track))
        if track.won is not False:
            return Placing(entrant, 1, worst)
        if entrant in self.fallen and self.fallen[entrant].won is not False:
            return Placing(entrant, 2, worst)
        return _placing(self.run, entrant, (best, worst), track)

    def _passed(self, entrant: int, span: Span) -> Span:
        """Return ``span``, each end a place lower if the entrant from the consolation has passed this one, or may."""
        earliest, latest = self.came_from
        round = self._round(entrant)
        return span[0] + (latest <= round), span[1] + (earliest < round)


def whole_field_placings(run: Run) -> tuple[Placing, ...]:
    """Return every entrant's place where the main bracket and consolation end in a grand final.

    They go by how far each came after losing once; those who went out in a void match of the main bracket share the
    places of the round in which its loser would have entered the consolation.
    """
    falls = _falling_rounds(run)
    earliest = _earliest_falls(run, falls)
    beside: Counter[int] = Counter()
    for index in run.void & falls.keys():
        beside[falls[index]] += 2
    places = Places(run, CONSOLATION, beside)
    *_earlier, (last, _node) = run.graph.bracket(MAIN)
    ahead = int(run.winners[last] is not BYE)
    placings = []
    for entrant, track in run.tracks[MAIN].items():
        fallen = run.tracks.get(CONSOLATION, {}).get(entrant)
        decider = run.tracks.get(FINAL, {}).get(entrant)
        if decider:
            placings.append(_of_decider(run, entrant, decider, 1))
        elif fallen:
            best, worst = places.of(fallen)
            span = (best + ahead if fallen.won is False else 1, worst + ahead)
            placings.append(_placing(run, entrant, span, fallen))
        elif track.is_void:
            round = falls.get(track.node)
            span = (places.best[round] + ahead, places.worst(round) + ahead) if round else (1, 2)
            placings.append(_placing(run, entrant, span, track))
        else:
            round = earliest.get(track.node)
            placings.append(Placing(entrant, 1, places.worst(round) + 1 if round else 2))
    return close_up(run, EVERY, placings)


def final_eight_placings(run: Run, eight: Sequence[Feed]) -> tuple[Placing, ...]:
    """Return every entrant's place where the main bracket and consolation end in a final eight, fed by ``eight``.

    Those who did not get there go by how far they came in the consolation; those who went out in a void match of the
    main bracket share the places of the round in which its loser would have entered the consolation.
    """
    falls = _falling_rounds(run)
    after = 1 + max((node.round for _, node in run.graph.bracket(CONSOLATION)), default=0)
    falls |= {feed.index: after for feed in eight if feed.origin is FeedKind.LOSER}
    beside: Counter[int] = Counter()
    for index in run.void & falls.keys():
        beside[falls[index]] += 2
    come = (run.winners[feed.index] if feed.origin is FeedKind.WINNER else run.losers[feed.index] for feed in eight)
    places = Places(run, CONSOLATION, beside, ahead=sum(sitter is not BYE for sitter in come))
    deciding = Places(run, FINAL_EIGHT)
    placings = []
    for entrant, track in run.tracks[MAIN].items():
        fallen = run.tracks.get(CONSOLATION, {}).get(entrant)
        decider = run.tracks.get(FINAL_EIGHT, {}).get(entrant)
        if decider:
            placings.append(_placing(run, entrant, deciding.of(decider), decider))
        elif fallen:
            placings.append(_placing(run, entrant, places.of(fallen), fallen))
        elif track.is_void:
            round = falls[track.node]
            placings.append(_placing(run, entrant, (places.best[round], places.worst(round)), track))
        else:
            round = after if track.won is not None else falls[track.node]
            placings.append(Placing(entrant, 1, places.worst(round)))
    return close_up(run, (MAIN, CONSOLATION, FINAL_EIGHT), placings)


def sections(run: Run, brackets: Iterable[str]) -> tuple[Section, ...]:
    """Return the rankings of those ``brackets`` that the knockout has, leaving out entrants who are yet to arrive."""
    found = []
    for bracket in brackets:
        if any(node.bracket == bracket for node in run.graph.nodes):
            entrants = tuple(sorted(run.tracks.get(bracket, {})))
            found.append(Section(bracket, TITLES[bracket], entrants, bracket_placings(run, bracket)))
    return tuple(found)


def bracket_placings(run: Run, bracket: str) -> tuple[Placing, ...]:
    """Return the places in one bracket by itself, of those who have come to it."""
    places = Places(run, bracket)
    tracks = run.tracks.get(bracket, {})
    return close_up(run, (bracket,), (_placing(run, one, places.of(track), track) for one, track in tracks.items()))


def decider_placing(run: Run, entrant: int, track: Track) -> Placing:
    """Return the place of one of the two in a single grand final, the last match of the graph."""
    return _of_decider(run, entrant, track, 1)


def _falling_rounds(run: Run) -> dict[int, int]:
    """Map each node whose loser enters the consolation to the first round that the loser plays there.

    For losers who are placed when their round is over it is the first in which any of them plays.
    """
    rounds: dict[int, int] = {}
    earliest: dict[int, int] = {}
    placed = []
    for _, node in run.graph.bracket(CONSOLATION):
        for feed in (node.a, node.b):
            if feed.origin is FeedKind.LOSER:
                rounds[feed.index] = node.round + node.is_bye
            elif feed.origin is FeedKind.PLACED:
                placed.append(feed.index)
                main, plays = run.graph.nodes[feed.index].round, node.round + node.is_bye
                earliest[main] = min(plays, earliest.get(main, plays))
    return rounds | {index: earliest[run.graph.nodes[index].round] for index in placed}


def _earliest_falls(run: Run, falls: Mapping[int, int]) -> dict[int, int]:
    """Map each main node to the first round of the consolation that an entrant who has got there may yet fall into.

    A loser of round 1 may have a bye there that a loser of round 2 has not.
    """
    earliest = dict(falls)
    for index, node in reversed(list(run.graph.bracket(MAIN))):
        for feed in (node.a, node.b):
            if feed.origin is FeedKind.WINNER and index in earliest:
                earliest[feed.index] = min(earliest.get(feed.index, earliest[index]), earliest[index])
    return earliest


def _of_decider(run: Run, entrant: int, track: Track, place: int) -> Placing:
    """Return the place of one of the two finalists of the bracket that decides ``place`` and the place below it."""
    last = len(run.graph.nodes) - 1
    champion = run.winners[last]
    if track.is_void:
        return _placing(run, entrant, (place, place + 1), track)
    if not isinstance(champion, Entrant):
        return Placing(entrant, place, place + 1)
    is_spared = run.graph.nodes[track.node].recharge is not None and not run.played[track.node]
    track = Track(track.node - 1 if is_spared else track.node, champion.id == entrant)
    return _placing(run, entrant, (place, place) if track.won else (place + 1, place + 1), track)


def _of_third_place(run: Run, entrant: int, track: Track) -> Placing:
    if track.won is None or track.is_void:
        return _placing(run, entrant, (3, 4), track)
    return _placing(run, entrant, (3, 3) if track.won else (4, 4), track)


def _placing(run: Run, entrant: int, span: Span, track: Track) -> Placing:
    """Return ``span`` with the reason for it, if nothing is still open."""
    node = run.graph.nodes[track.node]
    if track.is_void:
        return Placing(entrant, *span, why=neither_came(node.key))
    if track.won and node.to_final == 0 and run.played[track.node] is False:
        key = (("key", node.key),)
        return Placing(entrant, *span, why=Reason("nobody_left", gettext_noop("Nobody else was left in %(key)s."), key))
    if track.won is None or (track.won and node.to_final > 0 and node.bracket != THIRD_PLACE):
        return Placing(entrant, *span)
    return Placing(entrant, *span, why=_why(node, span, won=track.won))


def _why(node: Node, span: Span, *, won: bool) -> Reason:
    key = (("key", node.key),)
    if node.bracket == THIRD_PLACE:
        if won:
            return Reason("won_third_place", gettext_noop("Won %(key)s, the match for third place."), key)
        return Reason("lost_third_place", gettext_noop("Lost %(key)s, the match for third place."), key)
    if node.bracket == SECOND_PLACE:
        if won:
            return Reason("won_second_place", gettext_noop("Won %(key)s, the match for second place."), key)
        return Reason("lost_second_place", gettext_noop("Lost %(key)s, the match for second place."), key)
    if node.to_final == 0 and span[0] < 3:
        if won:
            return Reason("won_final", gettext_noop("Won %(key)s, the final."), key)
        return Reason("lost_final", gettext_noop("Lost %(key)s, the final."), key)
    if span[0] == span[1]:
        return Reason("lost_alone", gettext_noop("Lost %(key)s; nobody shares this place."), key)
    return Reason("lost_round", gettext_noop("Lost %(key)s; all who lose in that round share these places."), key)
