"""What the database holds of second factors tells nobody their secrets."""

import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from tests.builders import build_director
from tests.tournament.sign_in.test_own_pages import code_of
from tournament.sign_in.sealed import MARK, open_sealed, seal

SECRET, OLD, NEW = "JBSWY3DPEHPK3PXP", "o" * 50, "n" * 50


def test_the_database_holds_no_secret_of_a_second_factor(db):
    director, secret = build_director("director"), generate_totp_secret()
    TOTP.activate(director, secret)
    codes = RecoveryCodes.activate(director).get_unused_codes()
    seed = open_sealed(Authenticator.objects.get(type="recovery_codes").data["seed"])
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert [one for one in (secret, seed, *codes) if one in stored] == []
    assert Authenticator.objects.get(type="totp").wrap().validate_code(code_of(secret))
    assert Authenticator.objects.get(type="recovery_codes").wrap().validate_code(codes[0])


def test_a_secret_that_was_replaced_still_opens_them(settings):
    settings.SECRET_KEY = OLD
    sealed = seal(SECRET)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    assert open_sealed(sealed) == SECRET
    assert seal(SECRET) != sealed


@pytest.mark.parametrize("change", ["key", "text"])
def test_what_was_changed_opens_nothing(settings, change):
    settings.SECRET_KEY = OLD
    sealed = seal(SECRET)
    if change == "key":
        settings.SECRET_KEY = NEW
    else:
        sealed = sealed[:-6] + "AAAAA="
    opened = {open_sealed(sealed) for _again in range(5)}
    assert len(opened) == 5
    assert "" not in opened
    assert SECRET not in opened


def test_with_another_secret_key_no_code_is_right_and_nothing_breaks(db, settings):
    director, secret = build_director("director"), generate_totp_secret()
    TOTP.activate(director, secret)
    codes = RecoveryCodes.activate(director).get_unused_codes()
    settings.SECRET_KEY = NEW
    assert not Authenticator.objects.get(type="totp").wrap().validate_code(code_of(secret))
    assert not Authenticator.objects.get(type="recovery_codes").wrap().validate_code(codes[0])


def test_what_was_stored_before_there_were_seals_is_still_read():
    assert open_sealed(SECRET) == SECRET
    assert not SECRET.startswith(MARK)
