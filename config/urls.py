from django.urls import path

from config.health import healthz

urlpatterns: list = [
    path("healthz", healthz),
]
