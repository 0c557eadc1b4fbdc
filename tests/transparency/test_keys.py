"""Signing keys: made by a command, told apart by what they sign, asked for by the deployment check."""

import io
import stat

import pytest
from django.core.management import CommandError, call_command

from transparency.checks import signatures_can_be_made_and_checked
from transparency.core.signed_notes import Signer
from transparency.keys import KeyRole, signer


def test_a_key_is_made_that_only_its_owner_may_read(tmp_path):
    path, out = tmp_path / "log.private", io.StringIO()
    call_command(
        "make_signing_key", "log", str(path), "--name", "heldout.test/log", stdout=out, stderr=io.StringIO()
    )
    made = Signer.read(path.read_text().strip())
    assert out.getvalue() == f"HELDOUT_LOG_PUBLIC_KEY={made.verifier}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert made.written() not in out.getvalue()
    with pytest.raises(CommandError, match="exists already"):
        call_command("make_signing_key", "log", str(path), "--name", "heldout.test/log")
    with pytest.raises(CommandError, match="cannot be the name"):
        call_command("make_signing_key", "log", str(tmp_path / "x"), "--name", "a b")


def found(settings) -> list[str]:
    settings.IS_PRODUCTION = True
    return [str(message.id).rpartition(".")[2] for message in signatures_can_be_made_and_checked()]


@pytest.mark.parametrize("gold", ["", "/a/worker/has/it"])
def test_production_with_its_keys_has_nothing_to_complain_of(settings, signers, gold):
    settings.GOLD_PRIVATE_KEY_FILE = gold
    assert found(settings) == []


def test_production_without_keys_is_told_so(settings):
    assert found(settings) == ["E001", "E001", "E002"]


@pytest.mark.parametrize(
    ("gold", "lacks", "code"),
    [
        ("", KeyRole.RECEIPTS, "E002"),
        ("", KeyRole.LOG, None),
        ("x", KeyRole.LOG, "E002"),
        ("x", KeyRole.RECEIPTS, None),
    ],
)
def test_each_process_needs_its_own_key_and_no_other(settings, signers, gold, lacks, code):
    settings.GOLD_PRIVATE_KEY_FILE = gold
    setattr(settings, lacks.file_setting, "")
    assert found(settings) == ([code] if code else [])


def test_a_key_that_is_another_one_is_told(settings, signers):
    settings.RECEIPT_PUBLIC_KEY = str(Signer.generate("heldout.test/receipts").verifier)
    assert found(settings) == ["E003"]
    settings.RECEIPT_PUBLIC_KEY = "nonsense"
    assert "E001" in found(settings)


def test_a_file_that_holds_no_key_is_told_without_what_it_holds(settings, tmp_path):
    settings.LOG_KEY_FILE = str(tmp_path / "log.private")
    (tmp_path / "log.private").write_text("a secret of somebody else")
    with pytest.raises(Exception, match="no secret key") as refused:
        signer(KeyRole.LOG)
    assert "somebody" not in str(refused.value)
