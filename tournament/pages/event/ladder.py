"""A ladder on the page of its event: the rungs, and the form for a challenge that directors enter."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from tournament.draw.chain import load_chain
from tournament.draw.challenge_rows import is_ladder
from tournament.draw.challenges import reach_now
from tournament.models import Event
from tournament.snapshot import EntrySnapshot, FixtureSnapshot, FixtureState, StageSnapshot


@dataclass(frozen=True, slots=True)
class RungLine:
    """A rung with its entry and, if that has one, its open challenge and the opponent in it."""

    rung: int
    entry: EntrySnapshot
    fixture: FixtureSnapshot | None
    opponent: EntrySnapshot | None
    is_challenger: bool
    is_overdue: bool
    can_be_withdrawn: bool


def rung_lines(stage: StageSnapshot, today: date) -> list[RungLine]:
    """Return the rungs of a ladder from top to bottom; none for another format."""
    waiting = [one for one in stage.in_state(FixtureState.READY, FixtureState.LIVE) if stage.is_ladder]
    opened = {entry: fixture for fixture in waiting for entry in fixture.entry_ids}
    return [_line(rung, entry, opened.get(entry.id), today) for rung, entry in enumerate(stage.rungs, start=1)]


def _line(rung: int, entry: EntrySnapshot, fixture: FixtureSnapshot | None, today: date) -> RungLine:
    if fixture is None:
        return RungLine(rung, entry, None, None, is_challenger=False, is_overdue=False, can_be_withdrawn=False)
    is_challenger = fixture.a.entry is not None and fixture.a.entry.id == entry.id
    return RungLine(
        rung,
        entry,
        fixture,
        fixture.b.entry if is_challenger else fixture.a.entry,
        is_challenger,
        is_overdue=fixture.is_overdue(today),
        can_be_withdrawn=is_challenger and fixture.state is FixtureState.READY and not fixture.reports,
    )


class ChallengeForm(forms.Form):
    """A challenge that may be made now: one of the pairs, grouped by challenger."""

    # A pair that was offered a moment ago may no longer be: the page shows those that are.
    pair = forms.ChoiceField(
        label=gettext_lazy("Challenger, and the player challenged"),
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), gettext_lazy("Choose a challenge that can be made now.")
        ),
    )

    def __init__(self, data: Mapping[str, str] | None = None, *, event: Event) -> None:
        super().__init__(data)
        field: forms.ChoiceField = self.fields["pair"]  # type: ignore[assignment]
        field.choices = [("", "–"), *_pairs(event)]


def _pairs(event: Event) -> list[tuple[str, list[tuple[str, str]]]]:
    chain = load_chain(event)
    stage = chain.stages[-1]
    if not is_ladder(stage) or stage.drawn_at is None:
        return []
    reach = reach_now(chain, stage, at=timezone.now())
    names = {entry.pk: entry.name for entry in chain.entries.values()}
    return [
        (names[low], [(f"{low}-{high}", f"{names[low]} → {names[high]}") for high in reach.of(low)])
        for low in reach.rungs
        if reach.of(low)
    ]
