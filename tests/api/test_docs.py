"""docs/api.md tells all there is."""

import re
from pathlib import Path

import pytest

from config.api.urls import v1
from submissions.baselines.making import BaselineError
from submissions.exceptions import SubmissionError
from submissions.fact_sheets.services import OptionInUse
from submissions.intake import RULES

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text("utf-8")


@pytest.mark.parametrize("pattern", v1, ids=lambda pattern: pattern.name)
def test_docs_name_the_endpoint(pattern):
    route = re.sub(r"<\w+:(\w+)>", r"<\1>", str(pattern.pattern)).replace("<pk>", "<id>")
    assert f"/api/v1/{route}" in DOCS.replace("POST …/", "/api/v1/submissions/<id>/").replace(
        "GET …/", "/api/v1/submissions/<id>/"
    )


def test_docs_list_every_problem_code_with_its_rule():
    table = re.findall(r"^\| `(\w+)` \| (.+) \|$", DOCS, re.MULTILINE)
    assert dict(table) == {code.value: rule for code, rule in RULES.items()}


def refusals(kind=SubmissionError):
    """All kinds of refusals but those that organisers alone meet, who have no API."""
    for one in kind.__subclasses__():
        if one not in {BaselineError, OptionInUse}:
            yield from (one, *refusals(one))


@pytest.mark.parametrize("error", list(refusals()), ids=lambda error: error.__name__)
def test_docs_name_the_error_with_its_status(error):
    status = error.status.value
    assert re.search(rf"{status}.*`{error.code}`|`{error.code}`.*{status}", DOCS)
