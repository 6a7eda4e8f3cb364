"""Percentiles of what was timed, as the reports print them."""

from statistics import quantiles


def figures_of(action: str, seconds: list[float], conflicts: int) -> str:
    figures = "".join(f"{at(seconds, percent):9.1f}" for percent in (50, 99, 100))
    return f"{action:44}{len(seconds):7}{figures}{f'   {conflicts}' if conflicts else ''}"


def at(seconds: list[float], percent: int) -> float:
    """Return the milliseconds within which this percentage of the requests were answered."""
    if percent == 100 or len(seconds) < 2:
        return 1000 * max(seconds)
    return 1000 * quantiles(seconds, n=100, method="inclusive")[percent - 1]
