"""The WSGI entry point: published pages are answered before Django."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_wsgi_application()

from leaderboard.published import PublishedPages  # noqa: E402  # models can be imported only now

application = PublishedPages(django_application)
