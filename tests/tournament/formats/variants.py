"""The options and field sizes with which every format is tried."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, count
from random import Random

from tournament.formats import SIMULATED, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.lots import Lots
from tournament.formats.options import OptionField, OptionKind, Options, Seeding
from tournament.formats.plan import Draw
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.simulation import simulate_event
from tournament.rehearsal.summary import PlayedEvent

SIZES = range(2, 129)
PROBES = (16, 24, 8, 32, 5, 3, 64)
MIXED = 8

Chosen = dict[str, object]


def sizes_of(format: Format) -> list[int]:
    return [size for size in SIZES if format.min_entrants <= size <= format.max_entrants]


def some_sizes(format: Format, number: int, *, small: int = 6) -> list[int]:
    """This many sizes, from smallest to largest; a greater ``small`` favours the small ones, which are quick."""
    sizes = sizes_of(format)
    last = max(number - 1, 1)
    return [sizes[(len(sizes) - 1) * place**small // last**small] for place in range(number)]


@cache
def variants(slug: str) -> tuple[Options, ...]:
    """The default options, a draw by seeds, every other value of every option, and some values mixed at random.

    A value that needs another one comes with it. Each variant draws a field of some size.
    """
    chosen: list[Chosen] = [{}, {"seeding": Seeding.SEEDED.value}]
    values = [(option.name, value) for option in SIMULATED[slug].fields for value in _other_values(option)]
    chosen += [_with_what_it_needs(slug, name, value, values) for name, value in values]
    mixed = (data for data in _mixed(slug, Random(slug)) if _draws(slug, data))
    chosen += [next(mixed) for _ in range(MIXED if len(SIMULATED[slug].fields) > 1 else 0)]
    return tuple(_options(slug, data) for data in chosen)


@cache
def pairs(slug: str) -> tuple[Options, ...]:
    """Every two values of two options that draw a field of some size; there are hundreds for some formats."""
    values = [(option.name, value) for option in SIMULATED[slug].fields for value in _other_values(option)]
    both: list[Chosen] = [{one: value, other: wanted} for (one, value), (other, wanted) in combinations(values, 2)]
    return tuple(_options(slug, data) for data in both if len(data) == 2 and _draws(slug, data))


def play_if_drawn(slug: str, options: Options, size: int, seed: str) -> PlayedEvent | None:
    """Play an event; None if these options are refused for a field of this size."""
    try:
        return simulate_event(SIMULATED[slug], options, size, seed)
    except PlanError:
        return None


def play_variant(slug: str, options: Options, size: int, seed: str, lots: Lots | None = None) -> PlayedEvent:
    """Play an event; with the default options if these do not fit the field, and with more players until some play."""
    for more in count():
        for chosen in (options, variants(slug)[0]):
            try:
                return simulate_event(SIMULATED[slug], chosen, size + more, seed, lots=lots)
            except PlanError:
                continue
    raise AssertionError


def _other_values(option: OptionField) -> list[object]:
    match option.kind:
        case OptionKind.CHOICE:
            values: list[object] = [slug for slug, _name in option.choices]
        case OptionKind.FLAG:
            values = [False, True]
        case OptionKind.NUMBER:
            values = sorted({option.least, min(option.least + 1, option.most), min(option.most, 8)})
        case OptionKind.LENGTHS:
            values = [[3, 1]]
        case OptionKind.DATE:
            values = ["2026-03-06"]
    return [value for value in values if value != option.default]


def _with_what_it_needs(slug: str, name: str, value: object, others: list[tuple[str, object]]) -> Chosen:
    alone: Chosen = {name: value}
    tried = (alone, *({other: needed, name: value} for other, needed in others))
    found = next((data for data in tried if _draws(slug, data)), None)
    assert found is not None, f"{slug} draws no field with {name} {value}"
    return found


def _mixed(slug: str, rng: Random) -> Iterator[Chosen]:
    while True:
        yield {
            option.name: rng.choice([option.default, *_other_values(option)])
            for option in SIMULATED[slug].fields
            if option.kind is not OptionKind.LENGTHS
        }


def _options(slug: str, data: Chosen) -> Options:
    return parse_options(slug, {"lengths": [9, 7, 5], **data})


def _draws(slug: str, data: Chosen) -> bool:
    """Whether a field of some size is drawn."""
    options = _options(slug, data)
    for size in PROBES:
        try:
            if SIMULATED[slug].plan(Draw(draw_field(size, "probe"), options, seed="probe")).pairings:
                return True
        except PlanError:
            continue
    return False
