"""The errors of the rules, and what a finding consists of."""

import pytest

from rules.errors import AmbiguousPlay, Finding, IllegalPlay, NotationError, Severity


@pytest.mark.parametrize("error", [NotationError, IllegalPlay, AmbiguousPlay])
def test_errors_end_with_the_position(error):
    plain, placed = error("No play of 24/18."), error("No play of 24/18.", "4HPwATDgc/ABMA")
    assert isinstance(plain, ValueError)
    assert str(plain) == "No play of 24/18."
    assert str(placed) == "No play of 24/18. Position: 4HPwATDgc/ABMA"
    assert placed.position_id == "4HPwATDgc/ABMA"


def test_finding_builds_its_message_from_its_template():
    finding = Finding("x", Severity.WARNING, None, 3, "Row %(row)s.", {"row": 3}, "I14")
    assert finding.message == "Row 3."
