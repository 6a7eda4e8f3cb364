"""The subject of an audit: a stage as stored."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from matches.history import History
from matches.models import Ruling, Scoresheet
from tournament.draw.chain import Chain
from tournament.formats.plan import Pairing
from tournament.models import Event, Fixture, Stage
from tournament.models.team import matches_in


@dataclass(frozen=True, slots=True)
class Audited:
    """A stage as stored, with its matches' histories by match id."""

    chain: Chain
    stage: Stage
    histories: dict[int, History]

    @property
    def event(self) -> Event:
        return self.chain.event

    @property
    def fixtures(self) -> Sequence[Fixture]:
        return self.chain.fixtures[self.stage.pk]

    @property
    def place(self) -> str:
        slug = f"{self.event.tournament.slug}/{self.event.slug}"
        return slug if len(self.chain.stages) == 1 else f"{slug} stage {self.stage.number}"

    def place_of(self, fixture: Fixture, board: int) -> str:
        """Return the place of a fixture's match; ``board`` is 0 if it is the only one."""
        return f"{self.place} {fixture.key}" + (f" board {board}" if board else "")

    def pairings(self) -> dict[str, Pairing]:
        """Return the pairings that should exist, by key; none while the stage waits for the previous one."""
        if self.stage.drawn_at is None or self.chain.waits(self.stage):
            return {}
        return {pairing.key: pairing for pairing in self.chain.at(self.stage).plan.pairings}

    def name(self, entry_id: int | None) -> str:
        """Return the entry's name as readers know it."""
        entry = self.chain.entries.get(entry_id or 0)
        return entry.name if entry else "nobody"


def load_histories(stage: Stage, fixtures: Sequence[Fixture]) -> dict[int, History]:
    """Load the histories of these fixtures' matches, by match id, in three queries."""
    rulings: dict[int, list[Ruling]] = defaultdict(list)
    drawn = matches_in(stage.event, stage=stage)
    for ruling in Ruling.objects.filter(match__in=drawn):
        rulings[ruling.match_id].append(ruling)
    sheets: dict[int, list[Scoresheet]] = defaultdict(list)
    for sheet in Scoresheet.objects.filter(match__in=drawn).prefetch_related("lines", "changes").order_by("number"):
        sheets[sheet.match_id].append(sheet)
    matches = [match for fixture in fixtures for match in fixture.matches.values()]
    return {match.pk: History(match, tuple(sheets[match.pk]), tuple(rulings[match.pk])) for match in matches}
