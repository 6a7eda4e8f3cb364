import pytest

from tests.tournament.alerts.pushing import Browser, PushService, push_service


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with push_service(tmp_path_factory.mktemp("push")) as service:
        yield service


@pytest.fixture
def service(running, settings, monkeypatch) -> PushService:
    running.got.clear()
    running.answers.clear()
    running.pace = "at once"
    running.may_answer.set()
    settings.PUSH_HOSTS = [running.host]
    monkeypatch.setenv("SSL_CERT_FILE", str(running.certificate))
    return running


@pytest.fixture
def browser() -> Browser:
    return Browser()
