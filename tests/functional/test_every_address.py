"""On a site where everything has happened once, every address answers everybody without a fault of the server.

Programs that read pages list the tables of one by their names, so each has one.
"""

import re
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from tests.contested import LATER
from tests.pages import browser_of, read
from tests.site import Site, make_site

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]

# A table, with what names it: the region that it scrolls in, or its own caption.
TABLE = re.compile(r'(<div[^>]*\baria-label(?:ledby)?="[^>]*>\s*)?<table[^>]*>(\s*<caption)?')


def test_no_address_is_a_fault_of_the_server(toy, games, fact_lists, system, staff):
    with time_machine.travel(LATER, tick=False):
        site = make_site(toy=toy, games=games, system=system, staff=staff)
        found = [
            (name, address, status, count)
            for name, user in {"nobody": None, "owner": site.owner, "staff": site.staff}.items()
            for address, status, count in _answers(site, browser_of(user))
        ]
    answers = {(name, address): status for name, address, status, _ in found}

    assert {where: status for where, status in answers.items() if status >= 500} == {}
    opened = {address for (_, address), status in answers.items() if status == 200}
    assert len(opened) > 200
    unnamed = {address for _, address, _, count in found if count}
    assert {address for address in unnamed if not address.startswith("/admin/")} == set()


def _answers(site: Site, browser: Client) -> Iterator[tuple[str, int, int]]:
    """Each address, its status, and how many tables of its page have no name."""
    browser.raise_request_exception = False
    for _, address in site.addresses():
        answer = browser.get(address)
        body = read(answer).decode(errors="replace")
        tables = TABLE.findall(body) if "html" in answer.get("Content-Type", "") else []
        yield address, answer.status_code, sum(1 for region, caption in tables if not (region or caption))
