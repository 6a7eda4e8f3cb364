"""Small flags of the countries that players most often come from, drawn of stripes and crosses."""

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

WHITE, BLACK, RED, BLUE, YELLOW, GREEN = "#fff", "#111", "#c8102e", "#0a3a82", "#f7c600", "#007a3d"

ACROSS: dict[str, tuple[str, ...]] = {
    "DE": (BLACK, "#d00", "#ffce00"),
    "NL": ("#ae1c28", WHITE, "#21468b"),
    "AT": ("#c8102e", WHITE, "#c8102e"),
    "HU": ("#ce2939", WHITE, "#477050"),
    "BG": (WHITE, "#00966e", "#d62612"),
    "LT": ("#fdb913", "#006a44", "#c1272d"),
    "EE": ("#0072ce", BLACK, WHITE),
    "LV": ("#9e3039", "#9e3039", WHITE, "#9e3039", "#9e3039"),
    "LU": ("#ea141d", WHITE, "#51adda"),
    "PL": (WHITE, "#dc143c"),
    "UA": ("#0057b7", "#ffd700"),
    "AM": ("#d90012", "#0033a0", "#f2a800"),
    "MC": ("#ce1126", WHITE),
}
"""Stripes from the top down."""

UPRIGHT: dict[str, tuple[str, ...]] = {
    "FR": ("#002654", WHITE, "#ce1126"),
    "IT": ("#009246", WHITE, "#ce2b37"),
    "IE": ("#169b62", WHITE, "#ff883e"),
    "BE": (BLACK, "#fdda24", "#ef3340"),
    "RO": ("#002b7f", "#fcd116", "#ce1126"),
}
"""Stripes from the hoist on."""

CROSSES: dict[str, tuple[str, str, str]] = {
    "DK": ("#c8102e", WHITE, ""),
    "SE": ("#005293", "#fecb00", ""),
    "FI": (WHITE, "#002f6c", ""),
    "NO": ("#ba0c2f", WHITE, "#00205b"),
    "IS": ("#02529c", WHITE, "#dc1e35"),
    "FO": (WHITE, "#0065bd", "#ed2939"),
}
"""Nordic crosses: the ground, the cross, and a cross within it."""

LONGER = {
    "DEN": "DK", "DNK": "DK", "SWE": "SE", "FIN": "FI", "NOR": "NO", "ISL": "IS", "FRO": "FO", "FAR": "FO",
    "GER": "DE", "DEU": "DE", "NED": "NL", "NLD": "NL", "AUT": "AT", "HUN": "HU", "BUL": "BG", "BGR": "BG",
    "LTU": "LT", "EST": "EE", "LAT": "LV", "LVA": "LV", "LUX": "LU", "POL": "PL", "UKR": "UA", "ARM": "AM",
    "MON": "MC", "MCO": "MC", "FRA": "FR", "ITA": "IT", "IRL": "IE", "BEL": "BE", "ROU": "RO", "ROM": "RO",
}  # fmt: skip
"""The codes of three letters, those of sports and those of standards."""


def draw_flag(country: str) -> SafeString:
    """Return the flag as an image named by the country's code, or the code alone where no flag is known."""
    code = country.upper()
    drawn = _drawn(LONGER.get(code, code))
    if not drawn:
        return format_html('<span class="country">{}</span>', code) if code else SafeString("")
    return format_html(
        '<svg class="flag" viewBox="0 0 36 24" role="img" aria-label="{}">{}'
        '<rect class="flag-edge" x=".5" y=".5" width="35" height="23" fill="none"/></svg>',
        code,
        mark_safe(drawn),  # noqa: S308 - of the tables above
    )


def _drawn(code: str) -> str:
    if code in ACROSS:
        height = 24 / len(ACROSS[code])
        return "".join(_rect(0, n * height, 36, height, fill) for n, fill in enumerate(ACROSS[code]))
    if code in UPRIGHT:
        return "".join(_rect(12 * n, 0, 12, 24, fill) for n, fill in enumerate(UPRIGHT[code]))
    if code in CROSSES:
        ground, cross, within = CROSSES[code]
        bars = [_rect(0, 0, 36, 24, ground), _rect(0, 9, 36, 6, cross), _rect(10, 0, 6, 24, cross)]
        if within:
            bars += [_rect(0, 10.5, 36, 3, within), _rect(11.5, 0, 3, 24, within)]
        return "".join(bars)
    if code == "CH":
        return _rect(0, 0, 36, 24, "#d52b1e") + _rect(15.5, 5, 5, 14, WHITE) + _rect(11, 9.5, 14, 5, WHITE)
    if code == "JP":
        return _rect(0, 0, 36, 24, WHITE) + '<circle cx="18" cy="12" r="7" fill="#bc002d"/>'
    return ""


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>'
