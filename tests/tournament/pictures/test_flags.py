import pytest

from tournament.pictures.flags import ACROSS, CROSSES, LONGER, UPRIGHT, draw_flag


@pytest.mark.parametrize("code", [*ACROSS, *UPRIGHT, *CROSSES, "CH", "JP"])
def test_a_known_flag_is_drawn_and_named_by_its_code(code):
    drawn = draw_flag(code)
    assert drawn.startswith("<svg")
    assert f'aria-label="{code}"' in drawn
    assert "<rect" in drawn


@pytest.mark.parametrize("code", LONGER)
def test_a_code_of_three_letters_has_the_flag_of_its_country(code):
    plain = draw_flag(LONGER[code])
    assert draw_flag(code.lower()) == plain.replace(f'aria-label="{LONGER[code]}"', f'aria-label="{code}"')


def test_another_code_is_written_and_escaped():
    assert draw_flag("qq") == '<span class="country">QQ</span>'
    assert draw_flag('<"') == '<span class="country">&lt;&quot;</span>'
    assert draw_flag("") == ""
