"""No query string makes a list of the API answer questions about what it does not show."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import Model
from rest_framework.test import APIClient

from config.api.urls import v1
from tests.api.conftest import content
from tests.api.test_access import address, methods
from tests.conftest import NOW
from transparency.services import sign_log

pytestmark = pytest.mark.thorough

LISTS = [pattern for pattern in v1 if "get" in methods(pattern) and pattern.name not in ("file", "pair-file")]
AT_ONCE = 900  # parameters; Django reads a thousand
DEEPEST = 2  # relations on the way to a field
NOBODY = "§"  # no row has it, so a list that looked for it would be empty


def paths(model: type[Model], deep: int = DEEPEST) -> Iterator[str]:
    """Every field that can be reached from a model, as a lookup names it."""
    for field in model._meta.get_fields():
        yield field.name
        if deep and field.is_relation and isinstance(field.related_model, type):
            yield from (f"{field.name}__{path}" for path in paths(field.related_model, deep - 1))


@pytest.fixture(scope="module")
def lookups() -> list[str]:
    """Of all models of this project; and what other sites call sorting, searching and choosing fields."""
    ours = [model for model in apps.get_models() if not model.__module__.startswith(("django", "allauth"))]
    reached = {path for model in ours for path in paths(model)}
    found = [f"{path}__{how}" for path in sorted(reached) if "__" in path for how in ("startswith", "gt")]
    found += [f"{path}__{how}" for path in sorted(reached) if "__" not in path for how in ("in", "contains")]
    return [*found, "ordering", "order_by", "search", "filter", "fields", "expand", "include", "query"]


@pytest.fixture
def published(submission, publish, signers):
    publish()
    sign_log(NOW)
    return submission


@pytest.mark.parametrize("pattern", LISTS, ids=lambda pattern: pattern.name)
def test_lookups_over_models_are_refused_or_change_nothing(pattern, api: APIClient, published, lookups):
    path = address(pattern.name, published)
    plain = api.get(path)
    before = (plain.status_code, content(plain))
    assert len(lookups) > 5_000

    for begin in range(0, len(lookups), AT_ONCE):
        answer = api.get(path, dict.fromkeys(lookups[begin : begin + AT_ONCE], NOBODY))
        after = (answer.status_code, content(answer))
        assert after == before or answer.status_code == 400, after
