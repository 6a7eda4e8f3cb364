"""A process of the pages is ready before its first visitor."""

import gc
import sys

import pytest
from django.template import engines
from django.urls import get_resolver

from config.warm import MIDDLE, OLD, TURN_SECONDS, YOUNG, warm


@pytest.fixture
def process():
    """Restore the settings of this process afterwards; what exists by then stays exempt from the search for cycles."""
    threshold, turn = gc.get_threshold(), sys.getswitchinterval()
    gc.unfreeze()
    yield
    gc.set_threshold(*threshold)
    sys.setswitchinterval(turn)


@pytest.mark.usefixtures("process")
def test_every_template_is_compiled_and_every_address_known_before_the_first_request(settings):
    settings.TEMPLATES = [*settings.TEMPLATES]  # gives this test an engine that has compiled nothing yet
    (loader,) = engines["django"].engine.template_loaders
    assert loader.get_template_cache == {}
    warm()
    folder = settings.BASE_DIR / "templates"
    compiled = {template.origin.name for template in loader.get_template_cache.values()}
    assert compiled >= {str(path) for path in folder.rglob("*.html")}
    assert get_resolver()._populated
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == (YOUNG, MIDDLE, OLD)
    assert sys.getswitchinterval() == TURN_SECONDS
