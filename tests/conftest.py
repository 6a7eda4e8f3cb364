"""Fixtures that all tests share: real servers, the running site and a browser; each starts when a test asks for it."""

import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings
from django.utils import translation

from config.celery import app
from tests.breadth import few
from tests.chromium import CHROMIUM, CHROMIUM_ARGUMENTS
from tests.fresh import forget_everything
from tests.prepared import share_prepared
from tests.processes import PATIENCE_SECONDS, Running, Site, site
from tests.servers import postgres_server, redis_program, redis_server

IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}

# The same examples each time, so that a failure comes from the change; pytest --hypothesis-profile=explore looks for
# new ones. How long an example takes says more about the machine than about the program, and a fixture of the database
# holds through all examples of a test.
PROPERTIES = hypothesis.settings(
    max_examples=few(100),
    deadline=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.register_profile("same", PROPERTIES, derandomize=True)
hypothesis.settings.register_profile("explore", PROPERTIES)
hypothesis.settings.load_profile("same")


def pytest_configure() -> None:
    """Let SIGTERM end the tests as Ctrl-C does, so that what they have started is stopped."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.hookimpl(trylast=True)  # after the order was randomised
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the files that take longest, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: [item.get_closest_marker(name) is None for name in ("cluster", "browser", "long")])


def pytest_collection_finish() -> None:
    """Exempt ten thousand tests and the program from garbage collection, as they stay to the end."""
    gc.collect()
    gc.freeze()


def cannot(reason: str) -> None:
    """Skip the test and say why; fail it in CI, where nothing may be missing."""
    if IN_CI:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def _quick_settings(compiled: Path) -> Iterator[None]:
    """Use static files as they are, a quick password hash, and a cache and broker of this process alone.

    The site speaks the languages of its catalogues, whether or not those of the folder are compiled.

    The folders that processes share are covered by the tests of the running site.
    """
    plain = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 2000}}
    own = {"default": memory, "limits": {**memory, "LOCATION": "limits"}}
    app.conf.broker_url = "memory://localhost"
    hosts = ["testserver", "localhost", "127.0.0.1"]
    with override_settings(
        ALLOWED_HOSTS=hosts,
        CACHES=own,
        LOCALE_PATHS=[compiled],
        API_READS=0,
        API_WRITES=0,
        API_READS_BY_ADDRESS=0,
        API_WRITES_BY_ADDRESS=0,
        STORAGES=plain,
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ):
        yield


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> None:
    """Begin each test in English and with nothing in the caches, whatever the test before it did."""
    translation.deactivate()
    forget_everything()


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of locale/ with its catalogues freshly compiled."""
    folder = tmp_path_factory.mktemp("translations") / "locale"
    shutil.copytree(Path(settings.BASE_DIR, "locale"), folder, ignore=shutil.ignore_patterns("*.mo*"))
    with override_settings(LOCALE_PATHS=[folder]):
        call_command("compile_translations", verbosity=0)
    return folder


@pytest.fixture
def eager_tasks() -> Iterator[None]:
    """Run Celery's tasks at once, in the calling thread."""
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager = app.conf.task_eager_propagates = False


# Real servers.


@pytest.fixture(scope="session", autouse=True)
def _prepared_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let the sites of all processes of this run begin with copies of one data folder."""
    own = tmp_path_factory.getbasetemp()
    share_prepared((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "prepared")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """An empty database of a real PostgreSQL, from a wheel."""
    with postgres_server() as url:
        yield url


@contextmanager
def redis_or_skip(folder: Path) -> Iterator[tuple[str, Running]]:
    try:
        program = redis_program()
    except FileNotFoundError as error:
        cannot(str(error))
    with redis_server(program, folder) as started:
        yield started


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis that all tests share."""
    with redis_or_skip(tmp_path_factory.mktemp("redis")) as (url, _server):
        yield url


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[tuple[str, Running]]:
    """A Redis of this test alone, which it may stop."""
    folder = tmp_path / "redis"
    folder.mkdir()
    with redis_or_skip(folder) as started:
        yield started


@pytest.fixture(scope="session")
def live_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The running site, with an empty database at first; the tests that share it make their own tournaments."""
    with site(tmp_path_factory.mktemp("site") / "var") as started:
        yield started


# A browser.


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    if not CHROMIUM:
        cannot("no Chromium for the browser tests (Debian's package: chromium)")
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - slow import

    expect.set_options(timeout=PATIENCE_SECONDS * 1000)
    # Playwright leaves an event loop in this thread, in which later tests still use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def provoked() -> list[str]:
    """Parts of the console errors that a test provokes; they may arrive at any time."""
    return []


@pytest.fixture
def console_errors(provoked: list[str]) -> Iterator[list[str]]:
    """The console errors of this test's pages; at its end there must be none but the provoked ones."""
    errors: list[str] = []
    yield errors
    assert [error for error in errors if not any(part in error for part in provoked)] == []


@pytest.fixture
def open_page(browser, live_site: Site, console_errors: list[str]) -> Iterator[Callable]:
    """``open_page()`` is a page of a new visitor at a desk, ``open_page(**PHONE)`` on a phone; URLs may be relative."""
    contexts = []

    def open_one(**options: object):
        context = browser.new_context(base_url=live_site.url, **({"locale": "en-GB"} | DESKTOP | options))
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: console_errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: console_errors.append(str(error)))
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: Callable):
    return open_page()


@pytest.fixture
def phone(open_page: Callable):
    return open_page(**PHONE)
