"""Terms over the API and with the command: what is refused, and how they are accepted."""

import pytest

from benchmarks.notices.models import Acceptance
from benchmarks.notices.services import write_terms
from tests.api.conftest import UPLOADS, upload_form
from tests.conftest import NOW

pytestmark = pytest.mark.django_db
TERMS = "/api/v1/benchmarks/toy/terms/"


@pytest.fixture
def terms(toy):
    return write_terms(benchmark=toy, text="Be fair.", by=None, now=NOW)


def test_upload_is_refused_with_how_to_accept(api, system, terms):
    answer = api.post(UPLOADS, upload_form(system))

    assert answer.status_code == 403
    assert answer.json() | {"detail": ""} == {
        "code": "terms_not_accepted",
        "detail": "",
        "terms_version": 1,
        "terms_url": "http://localhost:8000/api/v1/benchmarks/toy/terms/",
    }
    assert "heldout terms toy --accept" in answer.json()["detail"]


def test_accepted_once_uploads_are_taken(api, system, terms, owner):
    first = api.post(TERMS, {"version": 1}).json()
    again = api.post(TERMS, {"version": 1}).json()

    assert first["accepted_at"] == again["accepted_at"] is not None
    assert Acceptance.objects.get().user == owner
    assert api.post(UPLOADS, upload_form(system)).status_code == 201


def test_everybody_reads_the_terms(anyone, terms):
    told = anyone.get(TERMS).json()

    assert (told["version"], told["text"], told["accepted_at"]) == (1, "Be fair.", None)


def test_another_version_than_the_one_that_stands_is_not_accepted(api, terms):
    answer = api.post(TERMS, {"version": 2})

    assert (answer.status_code, answer.json()["code"]) == (409, "terms_changed")
    assert not Acceptance.objects.exists()


@pytest.mark.parametrize("version", ["", "x", "0", str(2**40)])
def test_what_is_no_version_is_refused_in_words(api, terms, version):
    answer = api.post(TERMS, {"version": version})

    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["version"])


def test_benchmark_without_terms_says_so(api, toy):
    answer = api.get(TERMS)

    assert (answer.status_code, answer.json()["code"]) == (404, "no_terms")
