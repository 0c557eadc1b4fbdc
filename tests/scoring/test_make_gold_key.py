"""`manage.py make_gold_key`: a private key that nobody else reads and that is never written over."""

import io

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from submissions.intake.sealing import GoldLabels, open_sealed, seal


def make(path) -> str:
    output = io.StringIO()
    call_command("make_gold_key", str(path), stdout=output, stderr=io.StringIO())
    return output.getvalue()


def test_make_gold_key_prints_the_public_key_of_the_private_one(tmp_path):
    printed = make(tmp_path / "gold_private_key")

    public = printed.strip().removeprefix("HELDOUT_GOLD_PUBLIC_KEY=")
    gold = GoldLabels(ids=("1",), codes=np.array([0], dtype=np.uint8), labels=("good",))
    private = (tmp_path / "gold_private_key").read_text().strip()
    assert open_sealed(seal(gold, public).ciphertext, private).ids == ("1",)
    assert private not in printed


def test_make_gold_key_writes_for_its_owner_alone(tmp_path):
    make(tmp_path / "gold_private_key")

    assert (tmp_path / "gold_private_key").stat().st_mode & 0o777 == 0o600


def test_make_gold_key_never_writes_over_a_key(tmp_path):
    path = tmp_path / "gold_private_key"
    path.write_text("an older key")

    with pytest.raises(CommandError, match="exists already"):
        make(path)

    assert path.read_text() == "an older key"


def test_public_key_of_a_file_that_holds_none_is_refused_in_words(tmp_path):
    path = tmp_path / "gold_private_key"
    path.write_text("no key")

    with pytest.raises(CommandError, match="holds no private key: expected one line, 32 bytes in Base64"):
        call_command("make_gold_key", str(path), "--public")
