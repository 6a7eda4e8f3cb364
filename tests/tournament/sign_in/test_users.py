"""What administrators do with users, and that nobody else does."""

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.errors import Conflict, Forbidden
from players.models import User
from tests.builders import build_director, build_event, build_key
from tests.pages import text_of
from tests.tournament.sign_in.test_own_pages import OTHER, is_in, make_old, sign_in, with_app
from tournament.models import Happening, SignInEvent
from tournament.sign_in.people import delete_user, make_link, make_user, set_active, set_administrator


@pytest.fixture
def administrator(db) -> User:
    return User.objects.create_superuser("boss", password=OTHER)


@pytest.fixture
def as_administrator(administrator) -> Client:
    return sign_in(administrator.username, OTHER)


def test_a_director_is_made_without_a_shell(as_administrator):
    page = as_administrator.post(reverse("users"), {"username": "anna", "email": "anna@example.org"})
    link = page.context["link"]
    assert link in page.content.decode()
    assert link in mail.outbox[0].body
    visitor = Client()
    visitor.post(visitor.get(link).url, {"password1": OTHER, "password2": OTHER})
    anna = sign_in("anna", OTHER)
    assert anna.get(reverse("new-tournament")).status_code == 200
    assert "too old" in Client().get(link, follow=True).content.decode()


def test_mail_with_the_first_link_says_who_made_the_account(as_administrator):
    as_administrator.post(reverse("users"), {"username": "anna", "email": "anna@example.org"})
    anna = User.objects.get(username="anna")
    as_administrator.post(reverse("user-act", args=[anna.pk, "link"]))
    for mailed in mail.outbox:
        assert mailed.subject == "Your user account at Sixprime"
        assert "boss has made a user account for you at Sixprime. Your user name is anna." in mailed.body
    anna.set_password(OTHER)
    anna.save()
    as_administrator.post(reverse("user-act", args=[anna.pk, "link"]))
    assert mail.outbox[2].subject == "A new password for Sixprime"


def test_without_an_address_the_link_is_shown_alone(as_administrator):
    page = as_administrator.post(reverse("users"), {"username": "anna", "email": ""})
    assert ("link" in page.context, mail.outbox) == (True, [])


@pytest.mark.parametrize("typed", [{"username": "BOSS"}, {"username": "a b"}, {"username": "x", "email": "y"}, {}])
def test_what_cannot_be_a_user_comes_back_as_typed(as_administrator, typed):
    page = as_administrator.post(reverse("users"), typed)
    assert page.status_code == 400
    assert all(f'value="{value}"' in page.content.decode() for value in typed.values())
    assert User.objects.count() == 1


def test_names_that_differ_in_case_and_width_alone_belong_to_one_user(as_administrator):
    """Which of two who ask in the same moment has it is seen when the second has its turn."""
    for taken, typed in (("boss", "\uff22\uff2f\uff33\uff33"), ("\xe5se", "\xc5SE")):
        User.objects.get_or_create(username=taken)
        before = User.objects.count()
        page = as_administrator.post(reverse("users"), {"username": typed})
        assert (page.status_code, User.objects.count()) == (400, before)
        assert f'value="{typed}"' in page.content.decode()
        assert "Somebody has this user name already." in page.content.decode()


def test_an_address_belongs_to_one_user(as_administrator, administrator, director):
    typed = {"username": "anna", "email": "Anna@Example.org"}
    director.email = "anna@example.org"
    director.save()
    page = as_administrator.post(reverse("users"), typed)
    assert (page.status_code, User.objects.count()) == (400, 2)
    assert "Somebody has this e-mail address already." in page.content.decode()
    director.email = ""
    director.save()
    theirs = EmailAddress.objects.create(user=director, email="anna@example.org", verified=False)
    assert as_administrator.post(reverse("users"), typed).status_code == 200, (
        "who only types an address keeps nobody out"
    )
    client = sign_in()
    confirmed = client.post(
        reverse("account_confirm_email", args=[EmailConfirmationHMAC.create(theirs).key]), follow=True
    )
    theirs.refresh_from_db()
    assert not theirs.verified
    assert "belongs to somebody else" in confirmed.content.decode()


@pytest.mark.parametrize("act", ["link", "disable", "enable", "administrator", "no-administrator", "forget-factors"])
def test_at_a_screen_left_open_nobody_does_what_only_administrators_do(as_administrator, director, act):
    make_old(as_administrator)
    address = reverse("user-act", args=[director.pk, act])
    asked = as_administrator.post(address)
    assert (asked.status_code, asked.url.partition("?")[0]) == (302, reverse("account_reauthenticate"))
    assert not SignInEvent.objects.exclude(what=Happening.SIGNED_IN).exists()
    answer = as_administrator.post(asked.url, {"password": OTHER})
    assert answer.status_code == (200 if act == "link" else 302), "it goes on with what was asked for"
    assert as_administrator.post(address).status_code == (200 if act == "link" else 302)
    director.refresh_from_db()
    assert (director.is_active, director.is_superuser) == (act != "disable", act == "administrator")


def test_who_signed_in_while_the_clock_was_a_year_ahead_is_asked_again(as_administrator, director):
    make_old(as_administrator, -365 * 86_400)
    asked = as_administrator.post(reverse("user-act", args=[director.pk, "disable"]))
    assert (asked.status_code, asked.url.partition("?")[0]) == (302, reverse("account_reauthenticate"))


def test_a_user_does_not_see_where_an_administrator_was(director, administrator):
    boss = Client(REMOTE_ADDR="192.0.2.99", headers={"user-agent": "Agent of the boss"})
    boss.post(reverse("login"), {"username": "boss", "password": OTHER})
    boss.post(reverse("user-act", args=[director.pk, "link"]))
    client = sign_in()
    page = client.get(reverse("user-account")).content.decode()
    assert "link to choose a password made" in page.lower()
    for where in ("192.0.2.99", "Agent of the boss"):
        assert where not in page
        assert where in boss.get(reverse("sign-in-log")).content.decode()
    SignInEvent.objects.update(by=None)  # as when the administrator has gone
    assert "192.0.2.99" not in client.get(reverse("user-account")).content.decode()
    assert "127.0.0.1" in page, "one's own are there"


def test_a_link_made_at_localhost_says_where_it_works(as_administrator, director):
    address = reverse("user-act", args=[director.pk, "link"])
    here = as_administrator.post(address, headers={"host": "localhost:8000"}).content.decode()
    assert ("http://localhost:8000/" in here, "works only on this computer" in here) == (True, True)
    assert "works only on this computer" not in as_administrator.post(address).content.decode()


def test_a_link_without_an_address_says_so(as_administrator, director, settings):
    settings.ALLOWED_HOSTS, settings.HOST, settings.SITE_ADDRESS = ["*"], "127.0.0.1", ""
    page = as_administrator.post(reverse("user-act", args=[director.pk, "link"]), headers={"host": "evil.test"})
    assert page.context["link"].startswith("/accounts/")
    assert "does not know its own address" in page.content.decode()


def test_users_are_found_by_name_and_address(as_administrator, administrator):
    make_user(username="anna", email="a@example.org", by=administrator, at=timezone.now())
    make_user(username="berta", email="b@example.org", by=administrator, at=timezone.now())
    for words, expected in (("ANN", ["anna"]), ("b@", ["berta"]), ("example", ["anna", "berta"]), ("zz", [])):
        page = as_administrator.get(reverse("users"), {"q": words})
        assert [one.username for one in page.context["page"]] == expected


def test_a_disabled_user_is_signed_out_and_their_tokens_do_not_work(as_administrator, director):
    client, key = sign_in(), build_key(director)
    headers = {"Authorization": f"Bearer {key}"}
    as_administrator.post(reverse("user-act", args=[director.pk, "disable"]))
    assert (is_in(client), Client().get("/api/v1/me/", headers=headers).status_code) == (False, 401)
    assert not is_in(sign_in())
    as_administrator.post(reverse("user-act", args=[director.pk, "enable"]))
    assert is_in(sign_in())
    rows = SignInEvent.objects.filter(by__username="boss").order_by("pk").values_list("what", flat=True)
    assert list(rows) == [Happening.DISABLED, Happening.ENABLED]


def test_a_lost_second_factor_is_removed(as_administrator, director):
    with_app(director)
    assert not is_in(sign_in())
    as_administrator.post(reverse("user-act", args=[director.pk, "forget-factors"]))
    assert is_in(sign_in())


def test_the_last_administrator_stays(as_administrator, administrator, director):
    now = timezone.now()
    for act in (set_active, set_administrator):
        with pytest.raises(Conflict):
            act(administrator, False, by=administrator, at=now)
    administrator.refresh_from_db()
    assert administrator.is_active
    assert administrator.is_superuser
    set_administrator(director, True, by=administrator, at=now)
    set_administrator(administrator, False, by=director, at=now)
    assert list(User.objects.filter(is_superuser=True)) == [director]


def test_who_is_no_administrator_any_more_does_nothing(administrator, director):
    User.objects.filter(pk=administrator.pk).update(is_superuser=False)
    for act in (lambda: make_link(director, by=administrator, at=timezone.now()),):
        with pytest.raises(Forbidden):
            act()
    assert not SignInEvent.objects.exists()


def test_only_administrators_see_users_and_the_log(director, administrator):
    other = Client()
    other.force_login(director)
    pages = [reverse("users"), reverse("user", args=[administrator.pk]), reverse("sign-in-log")]
    assert [other.get(page).status_code for page in pages] == [403] * 3
    assert "manage.py createsuperuser" in other.get(pages[0]).content.decode()
    assert "manage.py createsuperuser" in other.get(reverse("backups")).content.decode()
    assert [Client().get(page).status_code for page in pages] == [302] * 3
    assert other.post(reverse("user-act", args=[administrator.pk, "disable"])).status_code == 403
    assert other.post(reverse("users"), {"username": "x"}).status_code == 403


@pytest.mark.parametrize("count", [3, 30])
def test_the_pages_of_users_take_the_same_queries_for_many(as_administrator, count, django_assert_max_num_queries):
    for number in range(count):
        SignInEvent.objects.create(at=timezone.now(), what="signed-in", user=build_director(f"user {number}"))
    for page, most in ((reverse("users"), 6), (reverse("sign-in-log"), 6)):
        with django_assert_max_num_queries(most):
            assert as_administrator.get(page).status_code == 200


def test_a_user_made_by_mistake_is_renamed_or_deleted(as_administrator, administrator):
    anna, _path = make_user(username="ana", email="a@example.org", by=administrator, at=timezone.now())
    make_user(username="berta", email="", by=administrator, at=timezone.now())
    taken = as_administrator.post(reverse("user-act", args=[anna.pk, "rename"]), {"username": "Berta"})
    assert (taken.status_code, 'value="Berta"' in taken.content.decode()) == (400, True)
    as_administrator.post(reverse("user-act", args=[anna.pk, "rename"]), {"username": "Anna"})
    anna.refresh_from_db()
    assert anna.username == "Anna"
    page = as_administrator.post(reverse("user-act", args=[anna.pk, "delete"]), follow=True)
    assert page.redirect_chain == [(reverse("users"), 302)]
    assert [*User.objects.order_by("pk").values_list("username", flat=True)] == ["boss", "berta"]
    latest = SignInEvent.objects.order_by("-pk")[0]
    assert (latest.user, latest.what) == (administrator, Happening.DELETED_ONE)


def test_a_user_who_has_done_something_stays_as_they_are(as_administrator, administrator, director):
    build_event(director=director)
    in_it = build_director("never signed in")
    build_key(in_it)
    signed_in, acted = build_director("signed in"), build_director("acted before sign-ins were dated")
    SignInEvent.objects.create(at=timezone.now(), user=director, by=acted, what=Happening.MADE)
    Client().force_login(signed_in)
    for user in (director, in_it, signed_in, acted, administrator):
        path = [reverse("user-act", args=[user.pk, action]) for action in ("rename", "delete")]
        as_administrator.post(path[0], {"username": "x"})
        said = as_administrator.post(path[1], follow=True).content.decode()
        assert "Disable them instead" in said
        assert "Delete user" not in said
    assert not User.objects.filter(username="x").exists()
    assert User.objects.count() == 5


@pytest.mark.parametrize("act", [make_link, delete_user])
def test_a_user_deleted_meanwhile_is_a_conflict(administrator, act):
    anna, _path = make_user(username="anna", email="", by=administrator, at=timezone.now())
    User.objects.filter(pk=anna.pk).delete()
    with pytest.raises(Conflict):
        act(anna, by=administrator, at=timezone.now())


def test_each_row_of_the_log_reads_as_words(as_administrator, administrator, director):
    now = timezone.now()
    for what in Happening:
        SignInEvent.objects.create(at=now, user=director, by=administrator, what=what)
    SignInEvent.objects.create(at=now, what=Happening.FAILED)
    said = text_of(as_administrator.get(reverse("sign-in-log")))
    assert [what for what in Happening if f"director: {what.label} (by the administrator boss)" not in said] == []
    assert "Unknown user name: failed to sign in" in said
    assert "Link to choose a password made" in text_of(as_administrator.get(reverse("user", args=[director.pk])))
