#!/usr/bin/env python3
"""Django's command line for Sixprime."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from tournament.origin import MAX_AGENT, Origin, Way, coming_from


def main() -> None:
    try:
        with coming_from(Origin(Way.COMMAND, agent=" ".join(sys.argv[1:2])[:MAX_AGENT])):
            execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except BrokenPipeError:
        # The reader of the output has enough of it: manage.py legal_plays - | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main()
