"""The OpenAPI document."""

import time
from io import StringIO

import pytest
import yaml
from django.core.management import call_command
from rest_framework.test import APIClient

from config.api.urls import v1
from tests.threads import at_once

pytestmark = pytest.mark.django_db


def test_schema_is_valid_and_complete_without_warnings():
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())


def test_schema_is_public_and_lists_every_endpoint(anyone):
    answer = anyone.get("/api/schema/")
    assert answer.status_code == 200
    assert len(yaml.safe_load(answer.content)["paths"]) == len(v1)


@pytest.mark.parametrize("accepted", ["application/vnd.oai.openapi", "application/vnd.oai.openapi+json"])
def test_schema_is_worked_out_once_whatever_is_asked_of_it(accepted, anyone, monkeypatch):
    first = anyone.get("/api/schema/", headers={"accept": accepted})
    monkeypatch.setattr("drf_spectacular.generators.SchemaGenerator.get_schema", None)
    again = anyone.get("/api/schema/?version=2&lang=xx", headers={"accept": f"{accepted};q=0.9"})
    assert again.content == first.content
    assert again["Content-Type"] == first["Content-Type"] == accepted


def test_the_api_tells_its_addresses(anyone):
    answer = anyone.get("/api/v1/").json()
    told = {one["path"]: one["methods"] for one in answer["addresses"]}
    assert len(told) == len(v1)
    assert told["/api/v1/submissions/"] == ["GET", "POST"]
    assert anyone.get("/api/v1/me/").status_code == 401


def test_two_who_ask_at_once_have_it_worked_out_one_after_the_other(monkeypatch):
    begun, counts = [], []

    def worked_out(*_args, **_kwargs):
        begun.append("document")
        time.sleep(0.2)
        counts.append(len(begun))
        begun.pop()
        return {"openapi": "3.0.3"}

    monkeypatch.setattr("config.api.schema._documents", {})
    monkeypatch.setattr("drf_spectacular.generators.SchemaGenerator.get_schema", worked_out)
    answers = at_once([lambda: APIClient().get("/api/schema/")] * 2)
    assert [answer.status_code for answer in answers] == [200, 200]
    assert counts == [1]
