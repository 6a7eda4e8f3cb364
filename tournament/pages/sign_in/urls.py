"""The addresses of signing in and of user accounts. Those of allauth have its names; nobody signs up by them."""

from allauth.account import views as account
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from django.contrib.auth.views import LogoutView
from django.urls import path, re_path

from tournament.pages.people.session import SignInView
from tournament.pages.sign_in import door, own, users

urlpatterns = [
    path("login/", SignInView.as_view(), name="login"),
    path("login/", SignInView.as_view(), name="account_login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("logout/", LogoutView.as_view(), name="account_logout"),
    path("", own.overview, name="user-account"),
    path("sessions/", own.sessions, name="usersessions_list"),
    path("tokens/", own.tokens, name="access-tokens"),
    path("tokens/<int:token_id>/end/", own.end, name="end-access-token"),
    path("users/", users.users, name="users"),
    path("users/<int:user_id>/", users.user, name="user"),
    path("users/<int:user_id>/<slug:action>/", users.act, name="user-act"),
    path("log/", users.sign_in_log, name="sign-in-log"),
    path("reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("email/", door.AddressesView.as_view(), name="account_email"),
    re_path(r"^email/confirm/(?P<key>[-:\w]+)/$", account.confirm_email, name="account_confirm_email"),
    path("password/change/", account.password_change, name="account_change_password"),
    path("password/set/", account.password_set, name="account_set_password"),
    path("password/reset/", door.ForgottenPasswordView.as_view(), name="account_reset_password"),
    path("password/reset/sent/", account.password_reset_done, name="account_reset_password_done"),
    path("password/reset/done/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        door.PasswordByLinkView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("second-factor/", factors.index, name="mfa_index"),
    path("second-factor/code/", factors.authenticate, name="mfa_authenticate"),
    path("second-factor/again/", factors.reauthenticate, name="mfa_reauthenticate"),
    path("second-factor/app/", door.FirstAppView.as_view(), name="mfa_activate_totp"),
    path("second-factor/app/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("second-factor/codes/", codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("second-factor/codes/new/", codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("passkeys/", passkeys.list_webauthn, name="mfa_list_webauthn"),
    path("passkeys/add/", passkeys.add_webauthn, name="mfa_add_webauthn"),
    path("passkeys/again/", door.PasskeyAgainView.as_view(), name="mfa_reauthenticate_webauthn"),
    path("passkeys/login/", passkeys.login_webauthn, name="mfa_login_webauthn"),
    path("passkeys/<int:pk>/remove/", passkeys.remove_webauthn, name="mfa_remove_webauthn"),
    path("passkeys/<int:pk>/edit/", passkeys.edit_webauthn, name="mfa_edit_webauthn"),
]
