"""User accounts in a browser: from an administrator's link to codes, passkeys, tokens and another password."""

import email
import json
import re
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PASSWORD
from tests.processes import Site, wait_until
from tests.tournament.sign_in.test_own_pages import code_of

pytestmark = pytest.mark.browser

CHOSEN, OTHER = "chosen-by-the-director", "another-one-chosen"


@pytest.fixture
def home(live_site: Site) -> str:
    """The site under the name to which browsers give passkeys."""
    return live_site.url.replace("127.0.0.1", "localhost")


@pytest.fixture
def administrator(live_site: Site) -> str:
    name = f"boss-{uuid.uuid4().hex[:8]}"
    live_site.python(f"from players.models import User; User.objects.create_superuser({name!r}, password={PASSWORD!r})")
    return name


def press(page: Page, button: str) -> None:
    page.get_by_role("main").get_by_role("button", name=button, exact=True).click()


def follow(page: Page, link: str) -> None:
    page.get_by_role("main").get_by_role("link", name=link, exact=True).click()


def sign_in(page: Page, home: str, name: str, password: str = PASSWORD, path: str = "/accounts/") -> None:
    page.goto(f"{home}/accounts/login/?next={path}")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    press(page, "Sign in")
    expect(page).not_to_have_url(re.compile("/login/"))


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def confirm(page: Page, password: str = PASSWORD) -> None:
    """Answer the page that asks who is at the keys."""
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(password)
    press(page, "Confirm")


def link_in_mail(site: Site, address: str) -> str:
    """The link in the e-mail to the address, from the folder in which they are put."""

    def found() -> str:
        for file in Path(site.env["VAR_DIR"], "mails").glob("*.log"):
            for text in file.read_text().split("-" * 79):
                message = email.message_from_string(text.strip())
                if message["To"] == address:
                    body = message.get_payload(decode=True).decode()
                    return re.search(r"https?://\S+", body)[0]
        return ""

    return wait_until(found, why=f"an e-mail to {address}")


def ask_api(home: str, path: str, key: str, body: object = None) -> int:
    asked = urllib.request.Request(f"{home}/api/v1/{path}", headers={"Authorization": f"Bearer {key}"})
    if body is not None:
        asked.data = json.dumps(body).encode()
        asked.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_a_director_comes_by_a_mailed_link_and_signs_in_with_codes(
    open_page: Callable, live_site: Site, home: str, administrator: str
) -> None:
    name = f"anna-{uuid.uuid4().hex[:8]}"
    boss = open_page()
    sign_in(boss, home, administrator, path="/accounts/users/")
    boss.get_by_label("User name", exact=True).fill(name)
    boss.get_by_label("E-mail address", exact=True).fill(f"{name}@example.org")
    press(boss, "Add user")
    link = link_in_mail(live_site, f"{name}@example.org")
    expect(boss.get_by_label(f"With this link {name} chooses a password")).to_have_value(link)

    page = open_page()
    page.goto(link)
    page.get_by_label("New password", exact=True).fill("backgammon1")
    page.get_by_label("New password again").fill("backgammon1")
    press(page, "Save password")
    expect(page.get_by_role("alert")).to_contain_text("Others would guess this word first.")
    page.get_by_label("New password", exact=True).fill(CHOSEN)
    page.get_by_label("New password again").fill(CHOSEN)
    press(page, "Save password")
    follow(page, "Sign in")
    sign_in(page, home, name, CHOSEN)

    follow(page, "Change second factor")
    follow(page, "Add app")
    confirm(page, CHOSEN)
    secret = page.get_by_label("Key", exact=True).input_value()
    page.get_by_label("Code from the app").fill(code_of(secret))
    press(page, "Add app")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    codes = page.locator(".recovery-codes code").all_inner_texts()

    for code in (code_of(secret, later=1), codes[3]):
        sign_out(page)
        sign_in(page, home, name, CHOSEN)
        page.get_by_label("Code", exact=True).fill("000000")
        press(page, "Sign in")
        expect(page.get_by_role("alert")).to_contain_text("This code is not right")
        page.get_by_label("Code", exact=True).fill(code)
        press(page, "Sign in")
        expect(page.get_by_role("heading", name="Your user account")).to_be_visible()


def test_a_passkey_signs_in_alone(open_page: Callable, home: str, director: str) -> None:
    page = open_page()
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    ours = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": key | ours})
    sign_in(page, home, director)
    follow(page, "Change second factor")
    follow(page, "Add passkey")
    confirm(page)
    page.get_by_label("Name", exact=True).fill("Phone of the desk")
    page.get_by_label("Sign in with it alone").check()
    press(page, "Add passkey")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    sign_out(page)

    page.goto(f"{home}/accounts/login/?next=/accounts/passkeys/")
    press(page, "Use a passkey")
    expect(page).to_have_url(f"{home}/accounts/passkeys/")
    expect(page.get_by_role("main").get_by_role("listitem")).to_contain_text("Phone of the desk")

    sign_out(page)
    sign_in(page, home, director)  # by the password: then the passkey is the second factor
    press(page, "Use a passkey")
    expect(page.get_by_role("heading", name="Your user account")).to_be_visible()


def test_a_token_reads_until_the_password_changes_and_a_session_is_ended(
    open_page: Callable, home: str, director: str
) -> None:
    page, other = open_page(), open_page(user_agent="Tablet of the desk")
    sign_in(page, home, director)
    sign_in(other, home, director)
    follow(page, "Show tokens")
    page.get_by_label("Name", exact=True).fill("Score screen")
    press(page, "Make token")
    key = page.get_by_label("The token “Score screen”").input_value()
    assert ask_api(home, "me/", key) == 200
    assert ask_api(home, "tournaments/", key, {"name": "x", "starts_on": "2026-01-09"}) == 403

    page.goto(f"{home}/accounts/sessions/")
    row = page.get_by_role("main").get_by_role("listitem").filter(has_text="Tablet of the desk")
    row.get_by_role("button", name="Sign out there").click()
    expect(row).to_have_count(0)
    other.reload()
    expect(other).to_have_url(re.compile("/accounts/login/"))

    page.goto(f"{home}/accounts/")
    follow(page, "Change password")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill(OTHER)
    page.get_by_label("New password again").fill(OTHER)
    press(page, "Change password")
    expect(page.get_by_text("The password has been changed.")).to_be_visible()
    assert ask_api(home, "me/", key) == 401
    page.goto(f"{home}/accounts/tokens/")
    expect(page.get_by_text("You have no tokens.")).to_be_visible()
