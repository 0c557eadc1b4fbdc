"""The OpenAPI document and the page to read it on."""

from io import StringIO

import pytest
import yaml
from django.core.management import call_command

from config.api.urls import v1

pytestmark = pytest.mark.django_db


def test_schema_is_valid_and_complete_without_warnings():
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())


def test_schema_is_public_and_lists_every_endpoint(anyone):
    answer = anyone.get("/api/schema/")
    assert answer.status_code == 200
    assert len(yaml.safe_load(answer.content)["paths"]) == len(v1)


def test_docs_load_everything_from_this_server(anyone):
    page = anyone.get("/api/docs/", HTTP_ACCEPT="text/html")
    assert page.status_code == 200
    assert "http://" not in page.content.decode()
    assert "https://" not in page.content.decode()


def test_docs_run_no_inline_script(anyone):
    page = anyone.get("/api/docs/", HTTP_ACCEPT="text/html")
    directives = dict(part.strip().split(" ", 1) for part in page["Content-Security-Policy"].split(";"))
    assert directives["script-src"] == "'self'"
    assert "<script>" not in page.content.decode()
