"""The app of the handbook; it has no tables."""

from django.apps import AppConfig


class HandbookConfig(AppConfig):
    """Pages that explain the site, read from docs/."""

    name = "handbook"
