from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentConfig(AppConfig):
    name = "tournament"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        # Tasks are asked for by name, so every process has to have registered them.
        import_module("tournament.tasks")
        # Its signals are those of apps that must be ready.
        import_module("tournament.sign_in.hearing").listen()
