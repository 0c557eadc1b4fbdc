"""Whoever runs a command where something is missing reads a sentence, and no traceback."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.env import BASE_DIR
from tests.ports import free_port


def said_by(folder: Path, *words: str, **environment: str) -> str:
    """What `manage.py` says in a new shell, in which only these variables are set."""
    given = {"PATH": "/usr/bin:/bin", "HELDOUT_DATA": str(folder), **environment}
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=BASE_DIR, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "HELDOUT_SECRET_KEY is not set. To try Heldout, run `make demo`"),
        ({"HELDOUT_MODE": "produktion"}, "HELDOUT_MODE is “produktion”. Expected one of: production"),
        ({"HELDOUT_MODE": "test"}, "run `manage.py migrate` first"),
    ],
)
def test_what_is_missing_is_said_without_a_traceback(tmp_path, environment, expected):
    said = said_by(tmp_path, "sync_benchmarks", **environment)
    assert expected in said
    assert "Traceback" not in said


def test_a_database_that_is_away_is_said_without_a_traceback_unless_it_is_asked_for(tmp_path):
    away = {"HELDOUT_MODE": "test", "HELDOUT_DATABASE_URL": f"postgres://a:secret@127.0.0.1:{free_port()}/b"}
    said = said_by(tmp_path, "keys", **away)
    assert "Connection refused" in said
    assert "HELDOUT_DATABASE_URL says where it is" in said
    assert "Traceback" not in said
    assert "secret" not in said
    assert "Traceback" in said_by(tmp_path, "keys", "--traceback", **away)


@pytest.mark.parametrize(
    "command", [("make_gold_key",), ("make_signing_key", "log", "--name", "example.org/log")]
)
def test_a_key_that_a_full_disk_did_not_take_can_be_made_once_there_is_room(tmp_path, monkeypatch, command):
    file = tmp_path / "key"

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(CommandError, match="No space left on device"):
            call_command(*command, str(file))
    call_command(*command, str(file))
    assert file.stat().st_size
    assert file.stat().st_mode & 0o077 == 0
