"""Codes of countries: ISO 3166-1 alpha-2 and alpha-3, and those of the International Olympic Committee.

The nations of the United Kingdom that have teams of their own have the codes that sport uses for them.
"""

from functools import cache

from django_countries import countries

NATIONS = frozenset({"ENG", "SCO", "WAL", "NIR"})
NEWER = {"SSD": "SS"}
"""Olympic codes of countries whose code the package does not have yet."""


def alpha_2(code: str) -> str:
    """Return the alpha-2 code of a country given by any of its codes, a nation's own code, or nothing if unknown."""
    code = code.strip().upper()
    if code in NATIONS or code in countries.alt_codes:
        return code
    return _by_three_letters().get(code, "")


def one_code(code: str) -> str:
    """Return the one code by which countries are compared: alpha-2 where it is known, else the code as it is."""
    return alpha_2(code) or code.strip().upper()


def codes_of(code: str) -> frozenset[str]:
    """Return all codes of the country that has this one."""
    one = one_code(code)
    return frozenset({one, *(three for three, two in _by_three_letters().items() if two == one)})


def olympic(code: str) -> str:
    """Return the code of three letters that results in sport use, or the code as it is where there is none."""
    return countries.ioc_code(code) or countries.alpha3(code) or code[:3]


@cache
def _by_three_letters() -> dict[str, str]:
    """Return the alpha-2 code of each code of three letters. Where the two systems differ over one, ISO decides."""
    olympic = {code: two for two, code in countries.ioc_codes.items()}
    return NEWER | olympic | {three: two for two, (three, _number) in countries.alt_codes.items()}
