"""The reference says of every operation what it takes and answers, with examples that can be run."""

import re
import shlex
from html import unescape

import pytest

from config.api.urls import v1
from handbook.api_reference import api_parts

SITE = "https://heldout.example.org"


@pytest.fixture(scope="module")
def operations():
    return {
        (operation.method, operation.path): operation
        for part in api_parts(SITE)
        for operation in part.operations
    }


def test_every_address_is_there(operations):
    routes = {
        "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"<\1>", str(one.pattern)).replace("<pk>", "<id>") for one in v1
    }
    assert {path for _, path in operations} == routes


def test_anchors_are_unique(operations):
    anchors = [operation.anchor for operation in operations.values()]
    assert len(set(anchors)) == len(anchors)


def test_an_upload_is_told_with_its_fields(operations):
    upload = operations["POST", "/api/v1/submissions/"]
    required = {field.name for field in upload.fields if field.is_required}
    assert (upload.body, required) == ("multipart/form-data", {"file", "phase", "system"})
    assert upload.access == "With a token."
    assert [answer.status for answer in upload.answers] == ["200", "201", "422", "429"]
    created = next(answer for answer in upload.answers if answer.status == "201")
    assert {"id", "quota.limit", "splits[].task"} <= {field.name for field in created.fields}


def test_who_may_call_is_told(operations):
    assert operations["GET", "/api/v1/benchmarks/"].access == "Open to everybody."
    assert operations["POST", "/api/v1/auth/login/"].access.startswith("With e-mail address")


def test_examples_are_well_formed(operations):
    for operation in operations.values():
        words = shlex.split(operation.curl.replace("\\\n", " "))
        assert words[0] == "curl"
        assert words[-1] == SITE + operation.path
        compile(operation.python, operation.path, "exec")


def test_the_example_of_an_upload_sends_the_file(operations):
    upload = operations["POST", "/api/v1/submissions/"]
    assert "-F file=@predictions.zip" in upload.curl
    assert "Authorization: Token $HELDOUT_TOKEN" in upload.curl
    assert 'files={"file": open("predictions.zip", "rb")}' in upload.python


def test_the_page_needs_no_script_and_loads_nothing_from_elsewhere(client):
    page = client.get("/handbook/api/addresses/")
    text = unescape(page.content.decode())
    assert re.findall(r'<script[^>]* src="([^"?]+)', text) == ["/static/heldout.js"]
    assert "<style" not in text
    assert "'unsafe-inline'" not in page["Content-Security-Policy"]


def test_the_former_address_leads_here(client):
    assert client.get("/api/docs/")["Location"] == "/handbook/api/addresses/"
