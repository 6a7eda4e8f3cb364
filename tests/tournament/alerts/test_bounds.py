"""No push service holds a worker for long, two workers tell nothing twice, and nothing is told before its commit."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from django.db import connection, transaction

from config import settings as as_installed
from players.errors import Refusal
from tests.builders import AT, build_director, build_event, fixture_of
from tests.processes import PATIENCE_SECONDS
from tests.tournament.alerts.pushing import PushService, entry_of, follow, send, told
from tournament.alerts import push
from tournament.alerts.push import read_push_address
from tournament.alerts.send import AGAIN, SLICE, send_alerts
from tournament.hall.announcements import announce
from tournament.hall.calling import call_match
from tournament.models import Alert, Event
from tournament.tasks import send_alerts as task

WHO = {"by": None, "at": AT}


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4)


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(push, "SECONDS", 0.3)


@pytest.mark.django_db
def test_a_push_service_that_does_not_answer_is_left_alone_for_a_while(event, service, browser, hurried):
    for key in ("M1-1", "M1-2"):
        follow(entry_of(event, key), service, browser, kinds=["hall"], path=f"/{key}")
    announce(event.tournament, text="Supper.", **WHO)
    service.may_answer.clear()
    send(event)
    send(event, 1)
    assert [path for path, *_more in service.got] == ["/M1-1"]
    service.may_answer.set()
    send(event, AGAIN.total_seconds() / 60)
    assert sorted(path for path, *_more in service.got) == ["/M1-1", "/M1-1", "/M1-2"]
    assert Alert.objects.exclude(sent_at=None).count() == 2


@pytest.mark.django_db
def test_an_answer_that_never_ends_is_not_waited_for(event, service, browser, hurried):
    """Each byte arrives in time, so that no timeout of the socket would end it."""
    follow(entry_of(event), service, browser, kinds=["hall"])
    announce(event.tournament, text="Supper.", **WHO)
    service.pace = "drips"
    send(event)
    assert service.hung_up.wait(PATIENCE_SECONDS)
    assert Alert.objects.get().sent_at is None


@pytest.mark.django_db
def test_a_push_service_that_is_not_there_does_not_hold_up_another(event, service, browser, settings):
    settings.PUSH_HOSTS = [service.host, "127.0.0.1:1"]
    follow(entry_of(event), PushService("127.0.0.1:1", service.certificate), browser, path="/away")
    follow(entry_of(event), service, browser, path="/there")
    announce(event.tournament, text="Supper.", **WHO)
    send(event)
    assert [path for path, *_more in service.got] == ["/there"]


@pytest.mark.django_db
def test_a_crowd_is_told_a_little_at_a_time(event, service, browser):
    """The clock goes on by half a slice whenever it is looked at."""
    for number in range(5):
        follow(entry_of(event), service, browser, path=f"/{number}")
    announce(event.tournament, text="Supper.", **WHO)
    ticks = count()

    def turn() -> bool:
        return send_alerts(event.tournament_id, clock=lambda: AT + next(ticks) * SLICE / 2)

    before, turns = 0, 1
    while turn():
        turns += 1
        assert len(service.got) > before, "every turn tells somebody"
        before = len(service.got)
    assert (turns > 1, sorted(path for path, *_more in service.got)) == (True, [f"/{number}" for number in range(5)])


@pytest.mark.django_db
def test_what_was_told_costs_nothing_the_next_time(event, service, browser, django_assert_max_num_queries):
    for number in range(6):
        follow(entry_of(event), service, browser, path=f"/{number}")
    for number in range(4):
        announce(event.tournament, text=f"{number}", **WHO)
    send(event)
    with django_assert_max_num_queries(6):
        send(event)
    assert len(service.got) == 6 * 4


@pytest.mark.django_db(transaction=True)
def test_two_workers_tell_it_once(service, browser):
    event = build_event(build_director(), players=4)
    follow(entry_of(event), service, browser)
    announce(event.tournament, text="Supper.", **WHO)
    service.may_answer.clear()
    service.asked.clear()

    def work() -> None:
        try:
            send(event)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(work)
        assert service.asked.wait(PATIENCE_SECONDS)
        send(event)
        service.may_answer.set()
        first.result()
    send(event)
    assert told(service, browser) == ["Friday Club"]


@pytest.mark.django_db(transaction=True)
def test_an_alert_goes_out_after_its_commit_and_never_before(service, browser, eager_tasks):
    event = build_event(build_director(), players=4)
    for key in ("M1-1", "M1-2"):
        follow(entry_of(event, key), service, browser, path=f"/{key}")
    with transaction.atomic():
        call_match(fixture_of(event, "M1-1").match, **WHO)
        assert service.got == []
    assert [path for path, *_more in service.got] == ["/M1-1"]
    with transaction.atomic():
        call_match(fixture_of(event, "M1-2").match, **WHO)
        transaction.set_rollback(True)
    task(event.tournament_id)
    assert [path for path, *_more in service.got] == ["/M1-1"]


@pytest.mark.parametrize(
    "address",
    [
        "https://fcm.googleapis.com/fcm/send/abc:APA91b",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://web.push.apple.com/QGuQyavXutnMH",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d",
    ],
)
def test_the_push_services_of_the_browsers_are_known(settings, address):
    settings.PUSH_HOSTS = as_installed.PUSH_HOSTS
    assert read_push_address(address).scheme == "https"


@pytest.mark.parametrize(
    "address",
    [
        *("https://127.0.0.1/", "https://[::1]/", "https://localhost/", "https://169.254.169.254/latest/meta-data/"),
        *("https://10.0.0.1/", "https://192.168.1.1/", "https://[fe80::1]/", "https://2130706433/", "https://0/"),
        *(
            "https://fcm.googleapis.com:8443/",
            "https://fcm.googleapis.com.example.org/",
            "https://fcm.googleapis.com./",
        ),
        *(
            "https://evilpush.apple.com.example.org/",
            "https://xnotify.windows.com/",
            "https://push.apple.com@10.0.0.1/",
        ),
        *("http://fcm.googleapis.com/", "file:///etc/passwd", "gopher://fcm.googleapis.com/", "//fcm.googleapis.com/"),
        *("https://fcm.googleapis.com\\@10.0.0.1/", "https://10.0.0.1#.push.apple.com", "https:///.push.apple.com"),
    ],
)
def test_no_other_computer_is_asked_as_installed(settings, address):
    settings.PUSH_HOSTS = as_installed.PUSH_HOSTS
    with pytest.raises(Refusal) as refused:
        read_push_address(address)
    assert refused.value.code == "push_unknown"
