"""Signing in on the pages, with the same limits as in the API."""

from typing import Any

from allauth.account.views import LoginView
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request

from players.errors import TooOften
from players.models import User
from tournament.models import Tournament
from tournament.roles.throttling import SignInThrottle
from tournament.sign_in.first_page import first_page_of


def require_not_too_often(request: HttpRequest) -> None:
    """Raise TooOften for an address, or a name used from there, with too many attempts to sign in or up."""
    asked = Request(request, parsers=[FormParser(), MultiPartParser()])
    if not SignInThrottle().allow_request(asked, None):  # type: ignore[arg-type]
        raise TooOften("sign_in_too_often", _("Too many attempts to sign in. Wait a minute, then try again."))


class SignInView(LoginView):
    """Signs in; a user who comes from the home page lands on their first page (:mod:`tournament.sign_in.first_page`).

    While there are no tournaments, those who would land on the home page land on that of a new one.
    """

    template_name = "registration/login.html"
    signing_in: User | None = None

    def form_valid(self, form: Any) -> HttpResponse:
        self.signing_in = form.get_user()
        return super().form_valid(form)

    def get_success_url(self) -> str:
        url = self.get_next_url() or reverse("home")
        if url == reverse("home") and self.signing_in is not None:
            url = first_page_of(self.signing_in)
        if url == reverse("home") and not Tournament.objects.exists():
            return reverse("new-tournament")
        return url

    def get_context_data(self, **kwargs: object) -> dict:
        return {**super().get_context_data(**kwargs), REDIRECT_FIELD_NAME: self.get_next_url() or ""}

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            require_not_too_often(request)
        except TooOften as refused:
            form = self.get_form_class()(request, initial={"username": request.POST.get("username", "")})
            return self.render_to_response(self.get_context_data(form=form, too_often=refused), status=refused.status)
        return super().post(request, *args, **kwargs)
