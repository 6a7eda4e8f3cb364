"""Citations: the text and section that state a rule, or the texts that it is taken from."""

from __future__ import annotations

from dataclasses import dataclass

from rules.profiles import PROFILES, RuleProfile


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule is stated: in the profile's own text (``stated``), or in the other texts that it is taken from.

    ``places`` name the text and the section, ready to show; empty if no text states the rule.
    """

    stated: bool
    places: tuple[str, ...]


def cite(parameter: str, profile: RuleProfile) -> Citation:
    """Cite the profile's own text for a parameter or, where it is silent, every text that states the same value.

    Raises AttributeError for a name that is not a parameter.
    """
    if profile.states(parameter):
        return Citation(True, (_place(profile, parameter),))
    value = getattr(profile, parameter)
    others = [other for other in PROFILES.values() if other.states(parameter) and getattr(other, parameter) == value]
    return Citation(False, tuple(_place(other, parameter) for other in others))


def cite_section(stating: RuleProfile, section: str, profile: RuleProfile) -> Citation:
    """Cite a rule that no profile has a parameter for, as only one text states it."""
    return Citation(profile is stating, (f"{stating.source}: {section}",))


def _place(profile: RuleProfile, parameter: str) -> str:
    _code, _space, place = profile.stated[parameter].partition(" ")
    section, _colon, _words = place.rpartition(': "')
    return f"{profile.source}: {section or place}"
