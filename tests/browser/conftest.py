"""The system's own Chromium, driven by Playwright against a live server."""

import os
from collections.abc import Iterator

import pytest

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.steps import PATIENCE


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    if not CHROMIUM:
        pytest.skip("Chromium is not installed: the pages are NOT tested in a browser")
    from playwright.sync_api import sync_playwright

    # Playwright keeps an event loop running in this thread, in which Django would refuse to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def open_window(chromium, live_server) -> Iterator[object]:
    """Opens fresh windows of strangers; whatever a page's console reports fails the test."""
    contexts, complaints = [], []

    def _open(width: int = 1200, theme: str = "light") -> object:
        viewport = {"width": width, "height": 900}
        context = chromium.new_context(base_url=live_server.url, viewport=viewport, color_scheme=theme)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        window = context.new_page()
        window.on("console", lambda one: complaints.append(one.text) if one.type == "error" else None)
        window.on("pageerror", lambda error: complaints.append(str(error)))
        return window

    yield _open
    for context in contexts:
        context.close()
    # The browser reports every answer from 400 on as an error; refused uploads are meant to be such. A test may also
    # have taken the line away.
    expected = ("the server responded with a status of 4", "net::ERR_INTERNET_DISCONNECTED")
    assert [text for text in complaints if not any(one in text for one in expected)] == []


@pytest.fixture
def page(open_window) -> object:
    """A fresh window of a stranger."""
    return open_window()
