"""Every accepted upload has a signed receipt, in the API's answer and on the submission's page."""

import pytest
from django.urls import reverse

from submissions.uploads.signed_receipts import receipt_of, signed_receipt
from tests.weeks import upload
from transparency.core.receipts import read_receipt
from transparency.keys import KeyRole

pytestmark = pytest.mark.django_db


@pytest.fixture
def submission(toy, phase, system):
    return upload(system, phase)


def test_a_receipt_says_what_was_taken_when_and_for_what(submission, signers):
    found = read_receipt(str(signed_receipt(submission)), signers[KeyRole.RECEIPTS].verifier)
    assert found == receipt_of(submission)
    assert (found.submission, found.sha256) == (str(submission.pk), submission.file_sha256)
    assert (found.benchmark, found.phase) == ("toy", "main")
    assert found.received_at == "2026-11-18T12:00:00.000000Z"


def test_the_page_of_a_submission_gives_its_receipt_to_its_team_alone(
    submission, signers, client, owner, outsider
):
    address = reverse("submissions:receipt", args=[submission.pk])
    client.force_login(owner)
    assert address in client.get(submission.get_absolute_url()).content.decode()
    assert client.get(address).content.decode() == signed_receipt(submission)
    client.force_login(outsider)
    assert client.get(address).status_code == 404


def test_without_a_key_there_is_no_receipt_and_no_link(submission, client, owner):
    assert signed_receipt(submission) is None
    client.force_login(owner)
    assert "receipt.txt" not in client.get(submission.get_absolute_url()).content.decode()
    assert client.get(reverse("submissions:receipt", args=[submission.pk])).status_code == 404


def test_the_page_of_a_submission_is_there_though_the_key_cannot_be_read(
    submission, signers, settings, client, owner
):
    settings.RECEIPT_KEY_FILE = "/nowhere/receipts.private"
    client.force_login(owner)
    assert client.get(submission.get_absolute_url()).status_code == 200
    assert client.get(reverse("submissions:receipt", args=[submission.pk])).status_code == 404
