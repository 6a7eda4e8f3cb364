"""The options and the sizes of field with which every format is tried."""

from tournament.formats import parse_options
from tournament.formats.options import OptionField, OptionKind, Options, Seeding
from tournament.formats.plan import Format

SIZES = range(2, 129)


def variants(format: Format) -> list[Options]:
    """The default options, each option's other values one at a time, and a draw by seeds."""
    plain = {"lengths": [9, 7, 5]}
    chosen = [plain, {**plain, "seeding": Seeding.SEEDED.value}]
    chosen += [{**plain, option.name: value} for option in format.fields for value in _other_values(option)]
    return [parse_options(format.slug, data) for data in chosen]


def _other_values(option: OptionField) -> list[object]:
    match option.kind:
        case OptionKind.CHOICE:
            values: list[object] = [slug for slug, _name in option.choices]
        case OptionKind.FLAG:
            values = [False, True]
        case OptionKind.NUMBER:
            values = [option.least, min(option.least + 1, option.most), option.most]
        case OptionKind.LENGTHS:
            values = [[3, 1]]
    return [value for value in values if value != option.default]


def sizes_of(format: Format) -> list[int]:
    return [size for size in SIZES if format.min_entrants <= size <= format.max_entrants]


def some_sizes(format: Format, number: int, *, small: int = 6) -> list[int]:
    """So many sizes, from the least to the most; the greater ``small``, the more of the small ones, which are quick."""
    sizes = sizes_of(format)
    return [sizes[(len(sizes) - 1) * place**small // (number - 1) ** small] for place in range(number)]
