"""Browse pages in tests."""

import re
from typing import Any

from django.db.models import F
from django.test import Client

from accounts.models import User
from benchmarks.models import Benchmark
from leaderboard.models import Page, PageBody
from leaderboard.rendering.rendered_page import RenderedPage


def browser_of(user: User | None) -> Client:
    """A browser in which that person is signed in; nobody for None."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def text_of(answer: Any) -> str:
    """The page without the line breaks that its template has for the eye and without the tokens of its forms.

    Tokens are drawn anew for each page: one in sixty holds a given word of two letters.
    """
    text = re.sub(r'(?<=name="csrfmiddlewaretoken" value=")\w+', "", answer.content.decode())
    return re.sub(r"\s+(?=>)", "", " ".join(text.split())) if "html" in answer["Content-Type"] else text


def read(answer: Any) -> bytes:
    """The whole body; the file behind a download is closed by it, as a web server would."""
    body: bytes = answer.getvalue() if answer.streaming else answer.content
    return body


def all_rendered() -> None:
    """No published page is out of date."""
    Benchmark.objects.update(pages_rendered=F("pages_wanted"), archive_rendered=F("archive_wanted"))


def body_of(text: bytes) -> PageBody:
    """What a page may answer, as it is stored."""
    made = RenderedPage("", "", text)
    return PageBody.objects.get_or_create(pk=made.sha256, defaults={"packed": made.pack()})[0]


def edit(path: str, text: bytes) -> None:
    """Have a page answer something else, as nobody but whoever may write to the database can."""
    assert Page.objects.filter(pk=path).update(stored=body_of(text))
