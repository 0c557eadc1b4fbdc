"""`heldout submit` keeps the signed receipt, and `heldout receipt` checks it without a server."""

import io
import json
import zipfile

import pytest

from accounts.models import ApiToken
from submissions.models import Submission
from submissions.uploads.signed_receipts import signed_receipt
from transparency.core.signed_notes import Signer
from transparency.keys import KeyRole

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sent(run, server, owner, system, predictions, signers, home, monkeypatch):
    """The file of a receipt."""
    monkeypatch.setenv("HELDOUT_TOKEN", ApiToken.objects.create(owner)[1])
    result = run("submit", predictions, "--phase", "toy/main", "--system", "Larch")
    assert result.exit_code == 0, result.output
    file = home / "receipts" / f"{Submission.objects.get().pk}.txt"
    assert f"The signed receipt is in {file}" in result.stdout
    return file


def test_a_receipt_is_kept_and_checked_offline(run, sent, monkeypatch):
    submission = Submission.objects.get()
    assert sent.read_text() == signed_receipt(submission)
    monkeypatch.setenv("HELDOUT_URL", "http://localhost:1")
    result = run("receipt", sent)
    assert result.exit_code == 0, result.output
    assert f"Submission {submission.pk} to toy/main" in result.stdout
    assert submission.file_sha256 in result.stdout


def test_a_changed_receipt_is_told(run, sent):
    sent.write_text(sent.read_text().replace('"toy"', '"top"'))
    result = run("receipt", sent)
    assert (result.exit_code, "is NOT a receipt of that server" in result.stderr) == (1, True)


def test_a_receipt_is_held_against_the_key_that_is_named(run, sent, signers):
    assert run("receipt", sent, "--key", str(signers[KeyRole.RECEIPTS].verifier)).exit_code == 0
    other = Signer.generate("heldout.test/receipts").verifier
    assert run("receipt", sent, "--key", str(other)).exit_code == 1
    assert run("receipt", sent, "--key", "nonsense").exit_code == 2


def test_a_receipt_is_held_against_the_file(run, sent, tmp_path):
    with Submission.objects.get().stored_file.open("rb") as stored:
        (tmp_path / "same.zip").write_bytes(stored.read())
    assert run("receipt", sent, "--upload", tmp_path / "same.zip").exit_code == 0
    other = io.BytesIO()
    zipfile.ZipFile(other, "w").close()
    (tmp_path / "other.zip").write_bytes(other.getvalue())
    result = run("receipt", sent, "--upload", tmp_path / "other.zip")
    assert (result.exit_code, "is NOT the file" in result.stderr) == (1, True)


def test_a_server_that_changes_its_key_is_told(run, sent, predictions, settings):
    settings.RECEIPT_PUBLIC_KEY = str(Signer.generate("heldout.test/receipts").verifier)
    result = run("submit", predictions, "--phase", "toy/main", "--system", "Larch")
    assert result.exit_code == 2
    assert "another key for receipts than before" in result.stderr


def test_without_a_known_key_that_is_said(run, sent, home):
    for file in (home / "keys").glob("*.json"):
        assert json.loads(file.read_text()).keys() == {"log", "receipts"}
        file.unlink()
    result = run("receipt", sent)
    assert (result.exit_code, "No server's key is known" in result.stderr) == (2, True)
