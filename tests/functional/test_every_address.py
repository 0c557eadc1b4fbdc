"""On a site where everything has happened once, every address answers everybody without a fault of the server."""

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from tests.contested import LATER
from tests.pages import browser_of, read
from tests.site import Site, make_site

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]


def test_no_address_is_a_fault_of_the_server(toy, games, fact_lists, system, staff):
    with time_machine.travel(LATER, tick=False):
        site = make_site(toy=toy, games=games, system=system, staff=staff)
        answers = {
            (name, address): status
            for name, user in {"nobody": None, "owner": site.owner, "staff": site.staff}.items()
            for address, status in _statuses(site, browser_of(user))
        }

    assert {where: status for where, status in answers.items() if status >= 500} == {}
    opened = {address for (_, address), status in answers.items() if status == 200}
    assert len(opened) > 200


def _statuses(site: Site, browser: Client) -> Iterator[tuple[str, int]]:
    browser.raise_request_exception = False
    for _, address in site.addresses():
        answer = browser.get(address)
        read(answer)
        yield address, answer.status_code
