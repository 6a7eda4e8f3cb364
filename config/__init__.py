"""The wiring: the only package that imports all the others."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
