"""The WSGI entry point: published pages are answered before Django, which sees few requests at once."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from config.database import Process
from config.processes.heaps import keep_few_heaps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("HELDOUT_PROCESS", Process.WEB)
keep_few_heaps()

django_application = get_wsgi_application()

from accounts.api.known_senders import is_known  # noqa: E402  # settings and models can be imported only now
from config.http.gate import IN_DJANGO, PATIENCE, PLACES, Gate  # noqa: E402  # as above
from config.http.held_connections import HeldConnections  # noqa: E402  # as above
from config.http.middleware import UploadSizeMiddleware  # noqa: E402  # as above
from config.http.request_bodies import ReadBodies  # noqa: E402  # as above
from leaderboard.serving.page_server import PublishedPages  # noqa: E402  # as above
from operations.logs.access import AccessLog  # noqa: E402  # as above
from operations.watching.probes import Probes  # noqa: E402  # as above
from operations.watching.request_counts import RequestCounts  # noqa: E402  # as above

# All addresses are read now, with what answers at them: the first requests would wait half a second for it.
reverse("api:index")

connections = HeldConnections(IN_DJANGO)
few_at_once = Gate(connections.serving(django_application), IN_DJANGO, PATIENCE)
with_bodies = ReadBodies(few_at_once, UploadSizeMiddleware.limit(), connections.asking(is_known))
published = PublishedPages(Gate(with_bodies, PLACES, 0, until_read=True), connections.one)
application = AccessLog(
    Probes(published), believes_header=settings.PROXIES > 0, counted=RequestCounts().count
)
