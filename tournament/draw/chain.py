"""An event as its formats see it: a chain of stages, each with its entrants, plan and standings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal, in_words
from players.models import Player
from tournament.draw.challenge_rows import standing_challenges, with_challenges
from tournament.draw.document import Known, Standings
from tournament.draw.lots import EventLots, StageLots, load_lots
from tournament.draw.moves import moves_of, with_moves
from tournament.draw.outcomes import load_fixtures_as_of, outcome_of, read_fixtures
from tournament.draw.said import Said, said_by
from tournament.formats import FORMATS, parse_options
from tournament.formats.advance import Advanced
from tournament.formats.challenge import Challenge
from tournament.formats.chance import Chance, chance_among
from tournament.formats.errors import PlanError
from tournament.formats.lots import QUALIFIERS
from tournament.formats.plan import Draw, Entrant, Outcome, Placing, Plan, Published
from tournament.formats.rate_points import gives_rate_point
from tournament.models import Carry, Entry, Event, Fixture, Member, PlayOff, Stage
from tournament.ranking.qualifying import has_stayed, qualify, survivors
from tournament.ranking.standings import Ranking, StandingLine, compute_standings, free_rounds, ranking_of
from tournament.ranking.tiebreaks import Result, ResultKind

MOVED = ("outcome_of_others", "outcome_of_bye", "outcome_unknown_pairing")
"""The codes with which a format refuses the result of two entrants who no longer meet in that fixture."""


def load_people(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Load the entries with all their players and those players' clubs, in a single extra query."""
    return entries.select_related("player__club", "partner").prefetch_related(_members())


def read_members(entries: Iterable[Entry]) -> None:
    """Read the members of teams other than the first, with their clubs; without teams this takes no query."""
    prefetch_related_objects([entry for entry in entries if entry.team], _members())


def _members() -> Prefetch:
    return Prefetch("members", queryset=Member.objects.select_related("player__club"))


def entrant_of(entry: Entry) -> Entrant:
    """Return the entry as a format sees it, with its players loaded (:func:`load_people`, :func:`read_members`).

    Club and country are those that it was drawn with, even if somebody else plays in its place since.
    """
    _name, club, country = entry.drawn_as or ("", club_of(entry), country_of(entry))
    return Entrant(
        id=entry.pk,
        name=entry.name,
        seed=entry.seed,
        club=club,
        country=country,
        family=entry.family,
        persons=frozenset(person.pk for person in entry.people),
        rating=entry.rating,
        presence=tuple(entry.presence),
        members=tuple(person.name for person in entry.people) if entry.team else (),
        bye_taken=entry.bye_taken,
        number=entry.number,
    )


def club_of(entry: Entry) -> str:
    """Return the club of the player, of a pair's first player, or of a team whose members all share it."""
    clubs = {person.club.name if person.club else "" for person in _representatives(entry)}
    return clubs.pop() if len(clubs) == 1 else ""


def country_of(entry: Entry) -> str:
    """Return the country of the player, of a pair's first player, or of a team whose members all share it."""
    countries = {person.country for person in _representatives(entry)}
    return countries.pop() if len(countries) == 1 else ""


def as_drawn(entry: Entry) -> list[str]:
    """Return the name, club and country under which the entry would be drawn now."""
    return [entry.name, club_of(entry), country_of(entry)]


def _representatives(entry: Entry) -> tuple[Player, ...]:
    return entry.people if entry.team else (entry.player,)


@dataclass(frozen=True)
class StagePlan:
    """A stage's entrants, decisions and published pairings, with the plan and standings that follow from them.

    ``outcomes`` say who advances, ``results`` what was played: they differ where somebody advanced by ruling.

    What cannot be drawn raises Refusal, naming the format's reason.
    """

    stage: Stage
    entrants: tuple[Entrant, ...]
    results: tuple[Result, ...]
    outcomes: Mapping[str, Outcome]
    published: tuple[Published, ...]
    earlier: tuple[Result, ...]
    earlier_byes: Mapping[int, tuple[int, ...]]
    play_offs: tuple[Result, ...]
    challenges: tuple[Challenge, ...]
    tiebreaks: tuple[str, ...]
    lots: StageLots | None
    """The urns that decide; None for a stage that was drawn from a seed, before there were lots."""

    @property
    def draw(self) -> Draw:
        """Everything that the format takes into account."""
        return Draw(
            entrants=self.entrants,
            options=parse_options(self.stage.format, self.stage.options),
            outcomes=self.outcomes,
            seed=self.stage.seed,
            published=self.published,
            earlier=tuple(outcome_of(result) for result in self.earlier),
            earlier_byes={entrant: len(rounds) for entrant, rounds in self.earlier_byes.items()},
            lots=self.lots,
            edition=self.stage.edition_of_rules,
            moves=moves_of(self.stage),
            challenges=self.challenges,
        )

    @property
    def keys_that_stand(self) -> frozenset[str]:
        """The keys of pairings that stand whatever the results; they keep the reasons published with them."""
        by_round = FORMATS[self.stage.format].pairs_by_round
        return frozenset(published.key for published in self.published) if by_round else frozenset()

    @cached_property
    def plan(self) -> Plan:
        """The pairings that should exist.

        After a correction in an earlier stage, other entrants may sit where a later stage has results; these results do
        not count then.
        """
        draw = self.draw
        while True:
            try:
                return FORMATS[self.stage.format].plan(draw)
            except PlanError as error:
                key = error.params.get("key")
                if self.stage.number == 1 or error.code not in MOVED or key not in draw.outcomes:
                    raise Refusal(error.code, in_words(error)) from error
                draw = replace(draw, outcomes={other: draw.outcomes[other] for other in draw.outcomes if other != key})

    @cached_property
    def standings(self) -> Mapping[str, tuple[StandingLine, ...]]:
        """The ranking of the whole field under "", and of each section under its bracket."""
        return {
            bracket: compute_standings(placings=placings, **self._counted_in(bracket))
            for bracket, placings in self.placings.items()
        }

    @property
    def placings(self) -> Mapping[str, Sequence[Placing] | None]:
        """The places in the whole field under "", and in each section under its bracket; None if ranked by record."""
        return {"": self.plan.placings, **{section.bracket: section.placings for section in self.plan.sections}}

    def ranking(self, bracket: str) -> Ranking:
        """Return what decides between those who share a place in the whole field, or in the section that is named."""
        return ranking_of(**self._counted_in(bracket))

    def _counted_in(self, bracket: str) -> dict[str, Any]:
        """Return what counts for the ranking of the whole field, or of the section that is named."""
        plan = self.plan
        if not bracket:
            return {
                "entrants": self.entrants,
                "results": self.results,
                "tiebreaks": self.tiebreaks,
                "earlier": self.earlier,
                "earlier_byes": self.earlier_byes,
                "free_wins": free_rounds(plan),
                "play_offs": self.play_offs,
            }
        (members,) = (set(section.entrants) for section in plan.sections if section.bracket == bracket)
        brackets = {pairing.key: pairing.bracket for pairing in plan.pairings}
        return {
            "entrants": [entrant for entrant in self.entrants if entrant.id in members],
            "results": [result for result in self.results if brackets.get(result.key) == bracket],
            "tiebreaks": self.tiebreaks,
            "free_wins": free_rounds(plan, bracket),
            "play_offs": [match for match in self.play_offs if {match.a, match.b} <= members],
        }


class Chain:
    """The stages of an event in order.

    Reads fixtures as :func:`tournament.draw.outcomes.load_fixtures` loads them.
    """

    def __init__(
        self,
        event: Event,
        stages: Iterable[Stage],
        entries: Iterable[Entry],
        fixtures: Mapping[int, Sequence[Fixture]],
        lots: EventLots,
        *,
        plans: dict[int, "StagePlan"] | None = None,
    ) -> None:
        self.event = event
        self.stages = tuple(stages)
        self.entries = {entry.id: entry for entry in entries}
        self.fixtures = fixtures
        self.lots = lots
        self._plans: dict[int, StagePlan] = {} if plans is None else plans
        self.reading: object = self._plans
        """The same for two chains that were made of the same rows."""
        self.runs: dict[int, Advanced | None] = {}
        """Knockouts as they were advanced by these rows or earlier ones, by stage; None for another format."""
        self.rewritten: dict[int, Fixture] | None = {}
        """The fixtures that a writer changed, by id; None once more than these was written."""

    def planned_again(self) -> "Chain":
        """Return the chain with new plans after a change to its fixtures."""
        again = Chain(self.event, self.stages, self.entries.values(), self.fixtures, self.lots)
        again.rewritten = None
        return again

    def at(self, stage: Stage) -> StagePlan:
        """Return the stage as planned now. Raises Conflict (``stage_waits``) until the previous one is finished."""
        if stage.number not in self._plans:
            entrants = self._entrants(stage)
            ids = {entrant.id for entrant in entrants}
            # After a correction in an earlier stage a fixture may still seat an entrant who is no longer in this one.
            seats = {None, *ids}
            fixtures = [
                fixture
                for fixture in self.fixtures.get(stage.pk, ())
                if fixture.entry_a_id in seats and fixture.entry_b_id in seats
            ]
            said = self._said_by(
                fixtures,
                rate_point=gives_rate_point(parse_options(stage.format, stage.options)),
                all_of_them=pairs_continuously(stage),
            )
            self._plans[stage.number] = StagePlan(
                stage=stage,
                entrants=entrants,
                results=said.results,
                outcomes=said.outcomes,
                published=said.published,
                earlier=self._earlier(stage, ids),
                earlier_byes=self._earlier_byes(stage, ids),
                play_offs=tuple(
                    _play_off_result(play_off)
                    for play_off in stage.play_offs.all()
                    if {play_off.winner_id, play_off.loser_id} <= ids
                ),
                challenges=tuple(
                    Challenge(row.number, row.challenger_id, row.challenged_id)
                    for row in standing_challenges(stage)
                    if {row.challenger_id, row.challenged_id} <= ids
                ),
                tiebreaks=tuple(self.event.tiebreaks),
                lots=None if stage.seed else self.lots.of(stage, entrants),
            )
        return self._plans[stage.number]

    def _said_by(self, fixtures: Sequence[Fixture], *, rate_point: bool, all_of_them: bool) -> Said:
        return said_by(fixtures, rate_point=rate_point, all_of_them=all_of_them)

    def waits(self, stage: Stage) -> bool:
        """Whether an earlier stage is unfinished, so that the entrants of this one are not yet known."""
        return any(
            earlier.drawn_at is None or self.waits(earlier) or not self.at(earlier).plan.finished
            for earlier in self.stages[: stage.number - 1]
        )

    def _entrants(self, stage: Stage) -> tuple[Entrant, ...]:
        if stage.number == 1:
            return tuple(entrant_of(entry) for entry in self.entries.values() if entry.is_drawn_in(1))
        if self.waits(stage):
            raise Conflict(
                "stage_waits",
                _("Stage %(number)s has to wait until the stage before it is finished.") % {"number": stage.number},
            )
        before = self.at(self.stages[stage.number - 2])
        entrants = {entrant.id: replace(entrant, bye_taken=0) for entrant in before.entrants}
        gone = self._gone(stage)
        if not stage.qualifiers:
            return survivors(before.standings[""], entrants, before.plan.lives, gone)
        rankings = _rankings(before)
        known = {"standings": ranked(rankings, entrants, gone)}
        lots = None if stage.seed else self.lots.of(stage, before.entrants, known)
        chance = chance_among(lots, QUALIFIERS, seed=f"{stage.seed}:lots")
        return qualify(
            rankings, entrants, count=stage.qualifiers, chance=chance, gone=gone, edition=stage.edition_of_rules
        )

    def _gone(self, stage: Stage) -> frozenset[int]:
        return frozenset(entry.pk for entry in self.entries.values() if not entry.is_drawn_in(stage.number))

    def qualifying(self, stage: Stage) -> tuple[tuple[Entrant, ...], Standings] | None:
        """Return the entrants and standings from which lots take those who go on to the stage; None without lots."""
        if stage.number == 1 or not stage.qualifiers or stage.seed:
            return None
        before = self.at(self.stages[stage.number - 2])
        entrants = {entrant.id: entrant for entrant in before.entrants}
        return before.entrants, ranked(_rankings(before), entrants, self._gone(stage))

    def _earlier(self, stage: Stage, entrants: set[int]) -> tuple[Result, ...]:
        if stage.carry == Carry.NONE:
            return ()
        results = [result for before in self.stages[: stage.number - 1] for result in self.at(before).results]
        inside = [{result.a, result.b} & entrants for result in results]
        wanted = 2 if stage.carry == Carry.MET else 1
        return tuple(result for result, who in zip(results, inside, strict=True) if len(who) >= wanted)

    def _earlier_byes(self, stage: Stage, entrants: set[int]) -> dict[int, tuple[int, ...]]:
        """Return the rounds of the byes that counted as wins, if all matches are carried over."""
        rounds: dict[int, tuple[int, ...]] = {}
        if stage.carry == Carry.ALL:
            for before in self.stages[: stage.number - 1]:
                for entrant, free in free_rounds(self.at(before).plan).items():
                    if entrant in entrants and free:
                        rounds[entrant] = rounds.get(entrant, ()) + free
        return rounds


def _rankings(before: StagePlan) -> Mapping[str, Sequence[StandingLine]]:
    """Return the rankings from which entrants go on: one for each group, or that of the whole field."""
    groups = {slug: lines for slug, lines in before.standings.items() if slug} if before.plan.groups else {}
    return groups or {"": before.standings[""]}


def ranked(
    rankings: Mapping[str, Sequence[StandingLine]], entrants: Mapping[int, Entrant], gone: frozenset[int]
) -> Standings:
    """Return the rankings as a document has them, with those who can go on."""
    return {
        slug: [
            _as_known(line, entrants[line.entrant].number) for line in lines if has_stayed(entrants[line.entrant], gone)
        ]
        for slug, lines in rankings.items()
    }


def _as_known(line: StandingLine, number: int) -> Sequence[int]:
    """Return the line as a document has it; draws and second wins only where there are any."""
    halves = [line.draws, line.rate_wins] if line.draws or line.rate_wins else []
    return [number, line.place, line.wins, line.points_for - line.points_against, *halves]


def open_chance(
    chain: Chain, stage: Stage, scope: str, *, seeded: str = "", known: Known | None = None, at: datetime
) -> Chance:
    """Return what decides outside the plan of the stage: the lots of this scope, whose urn is opened if need be.

    The urn commits to what is ``known``. In a stage without lots it is the seed, followed by ``seeded``. The event must
    be locked.
    """
    lots = chain.at(stage).lots
    if lots is not None and known is not None:
        lots = lots.knowing(known)
    with chain.lots.opening([stage], at=at):
        return chance_among(lots, scope, seed=f"{stage.seed}:{seeded}")


def _play_off_result(play_off: PlayOff) -> Result:
    a, b = play_off.winner_id, play_off.loser_id
    return Result("play-off", a, b, 0, 0, winner=a, conclusion=ResultKind.PLAYED, length=1)


def pairs_continuously(stage: Stage) -> bool:
    """Whether players are paired as they become free, so that a pairing stands from the moment it is published."""
    return FORMATS[stage.format].is_continuous(parse_options(stage.format, stage.options))


def load_chain(event: Event, *, as_of: datetime | None = None, named: bool = False) -> Chain:
    """Load the event's chain as currently stored, in a fixed number of queries.

    With ``as_of`` it has the results that were known then, and the pairings of now. With ``named`` the names of those
    who claimed the sheets are loaded, for a snapshot.
    """
    stages = with_challenges(with_moves(event.stages.order_by("number").prefetch_related("play_offs")))
    entries = list(event.entries.select_related("player__club", "partner"))
    read_members(entries)
    fixtures: dict[int, list[Fixture]] = {stage.pk: [] for stage in stages}
    if as_of is not None:
        fixtures = {stage.pk: load_fixtures_as_of(stage, as_of) for stage in stages}
    else:
        for fixture in read_fixtures(Fixture.objects.filter(stage__in=list(fixtures)), named=named):
            fixtures[fixture.stage_id].append(fixture)
    return Chain(event, stages, entries, fixtures, load_lots(event))
