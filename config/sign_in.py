"""How people sign in, by django-allauth: without open sign-up, by user name, with a second factor if they want one.

The limits on guessing are ours (:mod:`tournament.roles.throttling`): a device on which somebody has signed in before is
counted apart, so that nobody is locked out by what somebody else tries. Allauth would count by address or by user alone
and refuse while the cache is away; it limits only how many addresses a user adds, which each get an e-mail.
"""

APPS = ["allauth", "allauth.account", "allauth.mfa", "allauth.usersessions"]

SIGN_IN = {
    "SESSION_ENGINE": "config.sessions",
    "ACCOUNT_ADAPTER": "tournament.sign_in.adapter.UserAccounts",
    "ACCOUNT_LOGIN_METHODS": {"username"},
    "ACCOUNT_SIGNUP_FIELDS": ["username*", "password1*", "password2*"],
    # An address is asked to confirm itself when it is added; whoever has none signs in all the same.
    "ACCOUNT_EMAIL_VERIFICATION": "none",
    "ACCOUNT_UNIQUE_EMAIL": False,
    "ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS": False,
    "ACCOUNT_EMAIL_SUBJECT_PREFIX": "",
    "ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS": False,
    "ACCOUNT_SESSION_REMEMBER": True,
    "ACCOUNT_MAX_EMAIL_ADDRESSES": 5,
    "ACCOUNT_RATE_LIMITS": {
        **dict.fromkeys(["login", "login_failed", "reauthenticate", "change_password"], ""),
        **dict.fromkeys(["reset_password", "reset_password_from_key"], ""),
        "manage_email": "30/h/user",
    },
    # Whoever has a session could otherwise send the link for a new password to an address of their own.
    "ACCOUNT_REAUTHENTICATION_REQUIRED": True,
    "ACCOUNT_FORMS": {
        "add_email": "tournament.sign_in.forms.AddAddressForm",
        "change_password": "tournament.sign_in.forms.NewPasswordForm",
        "login": "tournament.sign_in.forms.SignInForm",
        "reauthenticate": "tournament.sign_in.forms.PasswordAgainForm",
        "reset_password": "tournament.sign_in.forms.ForgottenPasswordForm",
        "reset_password_from_key": "tournament.sign_in.forms.FirstPasswordForm",
        "set_password": "tournament.sign_in.forms.OnlyPasswordForm",
    },
    "MFA_ADAPTER": "tournament.sign_in.adapter.SecondFactors",
    "MFA_SUPPORTED_TYPES": ["totp", "recovery_codes", "webauthn"],
    "MFA_PASSKEY_LOGIN_ENABLED": True,
    "MFA_RATE_LIMITS": {"webauthn_login": ""},
    "MFA_TOTP_ISSUER": "Sixprime",
    "MFA_TOTP_TOLERANCE": 1,
    # Nobody can take somebody else's address by signing up with it: there is no open sign-up.
    "MFA_ALLOW_UNVERIFIED_EMAIL": True,
    "MFA_FORMS": {
        "activate_totp": "tournament.sign_in.forms.FirstCodeForm",
        "authenticate": "tournament.sign_in.forms.CodeForm",
        "reauthenticate": "tournament.sign_in.forms.CodeAgainForm",
        "add_webauthn": "tournament.sign_in.forms.NewPasskeyForm",
        "authenticate_webauthn": "tournament.sign_in.forms.PasskeyForm",
        "login_webauthn": "tournament.sign_in.forms.PasskeyAloneForm",
        "reauthenticate_webauthn": "tournament.sign_in.forms.PasskeyAgainForm",
        "edit_webauthn": "tournament.sign_in.forms.PasskeyNameForm",
    },
    "USERSESSIONS_TRACK_ACTIVITY": False,
}

PASSWORD_VALIDATORS: list[dict[str, object]] = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "tournament.sign_in.passwords.NoWordOfTheGame"},
    {"NAME": "tournament.sign_in.passwords.EndsTokens"},
]
