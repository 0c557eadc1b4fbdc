"""The instant by which a request is judged."""

import datetime as dt
import time

import pytest
from django.test import RequestFactory

from accounts.server.clock import BEGAN, database_now, note_arrival, received_at

pytestmark = pytest.mark.django_db


def test_request_arrived_when_its_head_had_come_however_long_its_body_took():
    request = RequestFactory().post("/")
    before = database_now()
    request.META[BEGAN] = time.monotonic() - 3600
    note_arrival(request)
    assert before <= received_at(request) + dt.timedelta(hours=1) <= database_now()
