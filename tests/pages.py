"""Browse pages in tests."""

import re
from typing import Any

from django.db.models import F
from django.test import Client

from accounts.models import User
from benchmarks.models import Benchmark


def browser_of(user: User | None) -> Client:
    """A browser in which that person is signed in; nobody for None."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def text_of(answer: Any) -> str:
    """The page as it was sent, without the line breaks that its template has for the eye."""
    text = answer.content.decode()
    return re.sub(r"\s+(?=>)", "", " ".join(text.split())) if "html" in answer["Content-Type"] else text


def read(answer: Any) -> bytes:
    """The whole body; the file behind a download is closed by it, as a web server would."""
    body: bytes = answer.getvalue() if answer.streaming else answer.content
    return body


def all_rendered() -> None:
    """No published page is out of date."""
    Benchmark.objects.update(pages_rendered=F("pages_wanted"), archive_rendered=F("archive_wanted"))
