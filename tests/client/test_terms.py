"""The command where terms have to be accepted."""

import pytest

from accounts.models import ApiToken
from benchmarks.notices.services import write_terms
from submissions.models import Submission
from tests.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def test_submitting_says_how_to_accept_and_works_after_it(
    run, server, owner, system, toy, predictions, monkeypatch
):
    _, token = ApiToken.objects.create(owner)
    monkeypatch.setenv("HELDOUT_TOKEN", token)
    write_terms(benchmark=toy, text="Be fair.\n\n" + "word " * 500, by=None, now=NOW)
    words = ("submit", predictions, "--phase", "toy/main", "--system", "Larch")

    refused = run(*words)
    shown = run("terms", "toy")
    accepted = run("terms", "toy", "--accept")

    assert refused.exit_code == 2
    assert "`heldout terms toy --accept`" in refused.output
    assert "word " * 499 in shown.output
    assert "heldout terms toy --accept" in shown.output
    assert "Accepted: version 1" in accepted.output
    assert run(*words).exit_code == 0
    assert Submission.objects.count() == 1
