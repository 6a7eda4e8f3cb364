"""A process of the pages is ready before its first visitor comes."""

import gc

import pytest
from django.template import engines
from django.urls import get_resolver

from config.warm import OLD, warm


@pytest.fixture
def collector():
    """What the tests' own process is set to, afterwards as before."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
def test_every_template_is_compiled_and_every_address_known_before_the_first_request(settings):
    settings.TEMPLATES = [*settings.TEMPLATES]  # the engine of this test has compiled nothing yet
    (loader,) = engines["django"].engine.template_loaders
    assert loader.get_template_cache == {}
    warm()
    folder = settings.BASE_DIR / "templates"
    compiled = {template.origin.name for template in loader.get_template_cache.values()}
    assert compiled >= {str(path) for path in folder.rglob("*.html")}
    assert get_resolver()._populated
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[2] == OLD
