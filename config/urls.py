"""The addresses of everything: the pages, the API with its documentation, signing in, and the health checks."""

from django.urls import include, path

from config.health import healthz, readyz

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("accounts/", include("tournament.pages.sign_in.urls")),
    path("api/v1/", include("tournament.api.urls")),
    path("", include("tournament.pages.urls")),
]

handler500 = "config.outages.server_error"
