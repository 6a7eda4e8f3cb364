"""Management commands that speak the language of the terminal."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext, override

from players.spoken import spoken


class SpokenCommand(BaseCommand):
    """A command whose ``help``, marked with ``gettext_noop``, and whose sentences are in the terminal's language.

    Called from the program, it speaks the language that is active there.
    """

    def run_from_argv(self, argv: list[str]) -> None:
        with self._in_the_language():
            super().run_from_argv(argv)

    def print_help(self, prog_name: str, subcommand: str) -> None:
        with self._in_the_language():
            super().print_help(prog_name, subcommand)

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        self.help = gettext(type(self).help)
        return super().create_parser(prog_name, subcommand, **options)

    @staticmethod
    def _in_the_language() -> override:
        return override(spoken(os.environ, dict(settings.LANGUAGES)))
