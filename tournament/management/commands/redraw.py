"""``manage.py redraw``: make a draw again, for anyone to compare: of an event here, or of any ``draw.json``."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refusal
from tournament.draw.chain import Chain, StagePlan, load_chain, pairs_continuously
from tournament.draw.document import canonical, digest_of
from tournament.draw.said import published_of
from tournament.entries.lists import parse_csv, parse_pasted, parse_team
from tournament.formats import FORMATS
from tournament.formats.drawing import draw_hash
from tournament.formats.errors import PlanError
from tournament.formats.lots import DRAW, QUALIFIERS, next_link
from tournament.formats.moves import MoveKind
from tournament.formats.plan import Entrant, Pairing, Seat
from tournament.management.drawn_file import check_draw_file
from tournament.management.subject import find_event
from tournament.models import Entry, Fixture, Stage
from tournament.past.rounds import rounds_settled

SEATS = ("entry_a__player", "entry_a__partner", "entry_b__player", "entry_b__partner")
Line = tuple[str, str, str]
"""Key, side A, side B: a name, or where the seat is filled from."""


class Command(SpokenCommand):
    help = gettext_noop(
        "Draws an event again from its lots and its entries, prints one line per pairing, and exits 1 if this is not "
        "the published draw. For a draw from a seed, made before there were lots, --entries takes the players from a "
        "list in the order of entry, so that a published list and a published seed are all it takes. "
        "Given a draw.json it checks that file, needs no database, and exits 1 if anything in it is wrong."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="TOURNAMENT/EVENT|FILE", help=_("an event, or the draw.json of one"))
        parser.add_argument("--stage", type=int, default=1, help=_("the number of a later stage"))
        parser.add_argument("--seed", help=_("a seed other than the published one"))
        parser.add_argument("--entries", type=Path, metavar="FILE", help=_("names, one per line, or a .csv with seeds"))

    def handle(self, *, event: str, stage: int, seed: str | None, entries: Path | None, **options: object) -> None:
        if event.endswith(".json") or Path(event).is_file():
            if not check_draw_file(Path(event), self.stdout.write):
                sys.exit(1)
            return
        try:
            chain = load_chain(find_event(event))
            drawn = _drawn_stage(chain, stage)
            if not drawn.seed and (seed is not None or entries is not None):
                raise CommandError(_("This stage was drawn by lots: --seed and --entries are for draws from a seed."))
            changed = [entry for entry in chain.entries.values() if stage == 1 and (entry.bye_taken or entry.drawn_as)]
            field = _as_drawn(chain, drawn) if entries is None else _listed(entries, teams=chain.event.has_teams)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        used = drawn.seed if seed is None else seed
        try:
            came_late = any(entry.bye_taken for entry in changed)
            by_results = entries is None and used == drawn.seed and not came_late
            if by_results and FORMATS[drawn.format].pairs_by_round and not pairs_continuously(drawn):
                lines = draw_rounds_again(chain, drawn)
            else:
                lines = draw_again(chain.at(drawn), field, used, with_results=by_results)
        except PlanError as error:
            raise CommandError(str(error)) from error
        drawn_keys = {key for key, _a, _b in lines}
        published = [
            _published(fixture)
            for fixture in drawn.fixtures.select_related(*SEATS)
            if fixture.key in drawn_keys or not FORMATS[drawn.format].pairs_by_round
        ]
        for key, a, b in lines:
            self.stdout.write(f"{key}\t{a}\t{b}")
        if changed and entries is None:
            self._name_changes(drawn, changed, draw_hash(used, field) if drawn.seed else _document_hash(chain, drawn))
        self._name_moves(chain, drawn)
        if drawn.seed:
            self.stdout.write(
                _("Seed %(seed)s, SHA-256 %(hash)s, %(count)s entries.")
                % {"seed": used, "hash": sha256(used.encode()).hexdigest(), "count": len(field)}
            )
        else:
            self._tell_lots(chain, drawn, len(field))
        differing = sorted(line for line in set(lines) ^ set(published) if by_results or _is_drawn_by_lot(line))
        if differing:
            keys = ", ".join(dict.fromkeys(key for key, _a, _b in differing))
            self.stdout.write(_("This is not the published draw. It differs in: %(keys)s.") % {"keys": keys})
            sys.exit(1)
        self.stdout.write(_("This is the published draw."))

    def _name_changes(self, drawn: Stage, changed: Sequence[Entry], committed: str) -> None:
        """Print late entries and replacements, and whether the hash is still that of the draw."""
        for entry in changed:
            if entry.bye_taken:
                self.stdout.write(
                    _("Late: %(name)s took the bye of %(match)s.") % {"name": entry, "match": f"M1-{entry.bye_taken}"}
                )
            elif entry.drawn_as[0] != entry.name:
                self.stdout.write(
                    _("Replaced: %(name)s plays for %(drawn)s, who was drawn.")
                    % {"name": entry, "drawn": entry.drawn_as[0]}
                )
        what = _("Hash of seed and entry list") if drawn.seed else _("Hash of terms and entries")
        sentence = (
            _("%(what)s, %(hash)s: the one that was published with the draw.")
            if committed == drawn.draw_hash
            else _("%(what)s, %(hash)s: not the one that was published with the draw.")
        )
        self.stdout.write(sentence % {"what": what, "hash": committed})

    def _name_moves(self, chain: Chain, drawn: Stage) -> None:
        """Print what the director has changed by hand, which is part of the published draw."""
        for move in chain.at(drawn).draw.moves:
            sentence = (
                _("Changed by the director: %(a)s swapped with %(b)s (%(reason)s).")
                if move.kind is MoveKind.SWAP
                else _("Changed by the director: %(a)s against %(b)s in round %(round)s (%(reason)s).")
            )
            b = _("the bye") if move.b is None else chain.entries[move.b]
            said = {"a": chain.entries[move.a], "b": b, "round": move.round, "reason": move.reason}
            self.stdout.write(sentence % said)

    def _tell_lots(self, chain: Chain, drawn: Stage, entries: int) -> None:
        """Print the anchor and each urn of the stage; refuse links that do not lead to the anchor."""
        self.stdout.write(
            _("Anchor %(anchor)s, %(count)s entries.") % {"anchor": chain.lots.anchor_of(drawn), "count": entries}
        )
        before = {one.pk: one.anchor for one in chain.lots.chains}
        for urn in chain.lots.urns:
            if next_link(urn.link) != before[urn.chain_id]:
                raise CommandError(_("Link %(number)s does not lead to the link before it.") % {"number": urn.number})
            before[urn.chain_id] = urn.link
        for urn in chain.lots.standing(drawn):
            if digest_of(urn.document) != urn.digest:
                raise CommandError(_("The digest of %(scope)s is not that of its document.") % {"scope": urn.scope})
            sentence = (
                _("Link %(number)s (%(scope)s) %(link)s, public value %(public)s, digest %(digest)s.")
                if urn.public_value
                else _("Link %(number)s (%(scope)s) %(link)s, digest %(digest)s.")
            )
            said = {"number": urn.number, "scope": urn.scope, "link": urn.link, "digest": urn.digest}
            self.stdout.write(sentence % {**said, "public": urn.public_value})


def draw_again(planned: StagePlan, field: tuple[Entrant, ...], seed: str, *, with_results: bool) -> list[Line]:
    """Return the pairings that this field and this seed give, before any result or with the results so far.

    Results pair the later rounds of a Swiss, and drop some pairings of a knockout with a consolation. Where players are
    paired as they become free, the order of the results counts too, and only the first batch is drawn again. Raises
    PlanError.
    """
    outcomes = planned.draw.outcomes if with_results and not pairs_continuously(planned.stage) else {}
    plan = FORMATS[planned.stage.format].plan(
        replace(
            planned.draw,
            entrants=field,
            seed=seed,
            published=planned.draw.published if outcomes else (),
            outcomes=outcomes,
        )
    )
    return [_line(pairing) for pairing in plan.pairings]


def draw_rounds_again(chain: Chain, drawn: Stage) -> list[Line]:
    """Return the pairings of every published round, from the results that were known when it was published.

    Corrections since then have not moved players who were paired already. Raises PlanError.
    """
    before: list[Fixture] = []
    lines = []
    for round, fixtures, moment in rounds_settled(drawn, chain.fixtures[drawn.pk]):
        known = load_chain(chain.event, as_of=moment)
        draw = replace(known.at(drawn).draw, entrants=_as_drawn(known, drawn))
        standing = published_of(before, all_of_them=True)
        outcomes = {line.key: draw.outcomes[line.key] for line in standing if line.key in draw.outcomes}
        pairings = FORMATS[drawn.format].plan(replace(draw, published=standing, outcomes=outcomes)).pairings
        lines += [_line(pairing) for pairing in pairings if pairing.round == round]
        before += fixtures
    return lines


def _is_drawn_by_lot(line: Line) -> bool:
    """Whether the draw itself, not a result, put a player into the pairing."""
    return any(side != "bye" and not side.startswith(("winner:", "loser:", "round:")) for side in line[1:])


def _line(pairing: Pairing) -> Line:
    return pairing.key, pairing.feed_a or _name(pairing.a), pairing.feed_b or _name(pairing.b)


def _name(seat: Seat) -> str:
    return seat.name if isinstance(seat, Entrant) else ""


def _published(fixture: Fixture) -> Line:
    """Return the pairing as it was published, without the qualifiers, late entries and replacements that came later."""
    return fixture.key, fixture.feed_a or _drawn_name(fixture.entry_a), fixture.feed_b or _drawn_name(fixture.entry_b)


def _drawn_name(entry: Entry | None) -> str:
    if entry is None or entry.bye_taken:
        return "bye"
    return entry.drawn_as[0] if entry.drawn_as else entry.name


def _as_drawn(chain: Chain, stage: Stage) -> tuple[Entrant, ...]:
    """Return the field with which the stage was drawn: without late entries, and under the names used then."""
    return tuple(
        replace(entrant, name=_drawn_name(chain.entries[entrant.id]))
        for entrant in chain.at(stage).entrants
        if not entrant.bye_taken
    )


def _drawn_stage(chain: Chain, number: int) -> Stage:
    stage = next((stage for stage in chain.stages if stage.number == number), None)
    if stage is None:
        raise CommandError(_("This event has no stage %(number)s.") % {"number": number})
    if stage.drawn_at is None:
        raise CommandError(_("This event has not been drawn yet: its seed stays secret until then."))
    return stage


def _document_hash(chain: Chain, drawn: Stage) -> str:
    """Return the hash of terms and entries as the first urn of the draw has them in its document."""
    first = next(urn for urn in chain.lots.standing(drawn) if urn.scope != QUALIFIERS)
    return digest_of(canonical({**json.loads(first.document), "scope": DRAW}))


def _listed(path: Path, *, teams: bool) -> tuple[Entrant, ...]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s.") % {"file": path, "reason": error.strerror}
        ) from error
    try:
        lines = parse_csv(data) if path.suffix.lower() == ".csv" else parse_pasted(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CommandError(_("%(file)s is not UTF-8 text.") % {"file": path}) from error
    if teams:
        lines = [parse_team(line) for line in lines]
    return tuple(
        Entrant(number, " ".join(line.name.split()), line.seed, club=line.club, country=line.country)
        for number, line in enumerate(lines, start=1)
    )
