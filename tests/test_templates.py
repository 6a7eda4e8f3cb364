import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template

ROOT = settings.BASE_DIR / "templates"
TEMPLATES = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.html"))
MOST_COLUMNS = 200
INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:", re.IGNORECASE)


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_can_be_loaded(name):
    assert get_template(name).template.name == name


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_line_of_a_template_is_too_long_to_read(name):
    lines = Path(ROOT / name).read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(lines, start=1) if len(line) > MOST_COLUMNS] == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_has_nothing_inline_that_the_content_policy_forbids(name):
    assert INLINE.findall(Path(ROOT / name).read_text()) == []


NAMED = re.compile(r"""{%\s*(?:include|extends)\s+"([^"]+)\"""")


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_names_only_templates_that_exist(name):
    for other in NAMED.findall(Path(ROOT / name).read_text()):
        get_template(other)


def test_code_names_only_templates_that_exist():
    """A name that is put together at run time is found by the test of its page."""
    sources = Path(settings.BASE_DIR, "tournament").rglob("*.py")
    named = {name for source in sources for name in re.findall(r'"([\w/-]+\.html)"', source.read_text())}
    assert len(named) > 30
    for name in sorted(named):
        get_template(name)
