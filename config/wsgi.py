"""The WSGI entry point: published pages are answered before Django, and every body has a length."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_wsgi_application()

from config.bodies import MeasuredBodies  # noqa: E402  # settings and models can be imported only now
from config.middleware import UploadSizeMiddleware  # noqa: E402  # as above
from leaderboard.published import PublishedPages  # noqa: E402  # as above

application = PublishedPages(MeasuredBodies(django_application, UploadSizeMiddleware.limit()))
