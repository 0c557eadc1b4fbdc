"""Keys that this process signs with."""

from pathlib import Path
from typing import Any

import pytest

from transparency.core.signed_notes import Signer
from transparency.keys import KeyRole, write_signing_key


@pytest.fixture
def signers(settings: Any, tmp_path: Path) -> dict[KeyRole, Signer]:
    """A key for each role, given to this process."""
    made = {role: Signer.generate(f"heldout.test/{role.value}") for role in KeyRole}
    for role, signer in made.items():
        path = tmp_path / f"{role.value}.private"
        write_signing_key(path, signer)
        setattr(settings, role.file_setting, str(path))
        setattr(settings, role.public_setting, str(signer.verifier))
    return made
