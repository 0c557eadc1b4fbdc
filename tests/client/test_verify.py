"""`heldout verify` checks public gold labels without a server."""

from hashlib import sha256
from pathlib import Path

import pytest

SALT = "5a" * 32
GOLD = b"id,label\nm1,good\nm2,bad\n"
COMMITMENT = sha256(bytes.fromhex(SALT) + GOLD).hexdigest()


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "1.csv"
    path.write_bytes(GOLD)
    return path


def test_labels_that_were_committed_to_are_told_so(run, gold):
    answer = run("verify", gold, "--salt", SALT, "--commitment", COMMITMENT.upper())
    assert answer.exit_code == 0
    assert "is what was committed to" in answer.output


def test_one_changed_label_is_told(run, gold):
    gold.write_bytes(GOLD.replace(b"m2,bad", b"m2,good"))
    answer = run("verify", gold, "--salt", SALT, "--commitment", COMMITMENT)
    assert answer.exit_code == 1
    assert "is NOT what was committed to" in answer.output


@pytest.mark.parametrize(
    "salt", ["", "5a" * 31, "zz" * 32, " ".join(["5a"] * 22)], ids=["none", "short", "letters", "spaces"]
)
def test_what_is_no_salt_is_named(run, gold, salt):
    answer = run("verify", gold, "--salt", salt, "--commitment", COMMITMENT)
    assert answer.exit_code == 2
    assert "The salt is 64 hexadecimal digits" in answer.output


def test_a_file_that_is_not_there_is_named(run, tmp_path):
    answer = run("verify", tmp_path / "2.csv", "--salt", SALT, "--commitment", COMMITMENT)
    assert answer.exit_code == 2
    assert "2.csv cannot be read" in answer.output
