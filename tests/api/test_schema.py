"""The OpenAPI document."""

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


def test_the_api_tells_its_addresses(anyone):
    answer = anyone.get("/api/v1/").json()
    told = {one["path"]: one["methods"] for one in answer["addresses"]}
    assert len(told) == len(v1)
    assert told["/api/v1/submissions/"] == ["GET", "POST"]
    assert anyone.get("/api/v1/me/").status_code == 401
