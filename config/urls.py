"""The addresses of everything: the pages, the API with its documentation, signing in, and the health checks."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from config.health import healthz, readyz
from tournament.pages.people.session import SignInView

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("accounts/login/", SignInView.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("api/v1/", include("tournament.api.urls")),
    path("", include("tournament.pages.urls")),
]

handler500 = "config.outages.server_error"
