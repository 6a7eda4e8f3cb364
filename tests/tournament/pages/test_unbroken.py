"""A score in a sentence stays on one line, and everything else of the sentence is escaped as before."""

import pytest
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from tournament.pages.tags.words import unbroken


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada beat Bo 7–4.", 'Ada beat Bo <span class="unbroken">7–4</span>.'),
        ("0–5, 11–10", '<span class="unbroken">0–5</span>, <span class="unbroken">11–10</span>'),
        ("Ada – Bo", "Ada – Bo"),
        ("<b> 7–4", '&lt;b&gt; <span class="unbroken">7–4</span>'),
        (mark_safe("<b>7–4</b>"), '<b><span class="unbroken">7–4</span></b>'),
    ],
)
def test_scores_are_not_broken(text, shown):
    assert unbroken(text) == shown


def test_a_short_name_is_not_broken_and_no_name_breaks_the_markup():
    shown = unbroken("Next: Bo Falk, 7–4", ["Bo Falk", "Somebody With A Long Name"])
    assert shown == 'Next: <span class="unbroken">Bo Falk</span>, <span class="unbroken">7–4</span>'
    assert unbroken("Next: <b>", ["<b>", "span", ""]) == 'Next: <span class="unbroken">&lt;b&gt;</span>'


def test_a_refusal_on_the_desk_names_the_score_in_one_piece():
    page = render_to_string("tournament/hall/_desk_said.html", {"refusal": "No match can end at 9–1."})
    assert '<span class="unbroken">9–1</span>.' in page
