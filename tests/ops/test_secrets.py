"""`deploy/secrets` makes each secret once, and makes good what a break of an earlier run left undone."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from submissions.intake.sealing import generate_keypair, pair_of
from tests.ops.demos import ROOT, plain_environment

pytestmark = pytest.mark.thorough

KEYS = {"GOLD": "gold_private_key", "LOG": "log_key", "RECEIPT": "receipt_key"}


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code, and the Python environment that the tests run in where a checkout has its own."""
    folder = tmp_path_factory.mktemp("code")
    for path in ROOT.iterdir():
        if path.name != ".venv":
            (folder / path.name).symlink_to(path)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


@pytest.fixture(scope="module")
def made(code: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the files hold after one run, by name."""
    folder = tmp_path_factory.mktemp("made")
    return run(code, folder)


@pytest.fixture
def folder(made: dict[str, str], tmp_path: Path) -> Path:
    """A folder with these files."""
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(code: Path, folder: Path) -> dict[str, str]:
    subprocess.run(
        [code / "deploy/secrets", folder, "heldout.example.org"],
        check=True,
        env=plain_environment(),
        capture_output=True,
    )
    return {path.name: path.read_text() for path in folder.iterdir()}


def public_keys(made: dict[str, str]) -> dict[str, str]:
    """The public keys by their settings; each setting stands once."""
    lines = [line.partition("=")[::2] for line in made["public_keys"].splitlines()]
    assert len(dict(lines)) == len(lines)
    return dict(lines)


def test_second_run_changes_nothing(code, folder, made):
    assert run(code, folder) == made


@pytest.mark.parametrize("name", KEYS)
def test_public_key_is_told_again_after_a_break_that_left_the_private_one_alone(code, folder, made, name):
    lines = made["public_keys"].splitlines(keepends=True)
    (folder / "public_keys").write_text("".join(line for line in lines if name not in line))
    again = run(code, folder)
    assert public_keys(again) == public_keys(made)
    assert again[KEYS[name]] == made[KEYS[name]]


def test_all_public_keys_are_told_again_where_their_file_is_gone(code, folder, made):
    (folder / "public_keys").unlink()
    assert public_keys(run(code, folder)) == public_keys(made)


def test_key_is_made_where_a_break_left_its_file_empty(code, folder):
    for name in (KEYS["GOLD"], "public_keys"):
        (folder / name).write_text("")
    again = run(code, folder)
    private = again["gold_private_key"].strip()
    assert public_keys(again)["HELDOUT_GOLD_PUBLIC_KEY"] == pair_of(private).public


def test_public_key_that_came_later_stays(code, folder, made):
    later = generate_keypair().public
    former = public_keys(made)["HELDOUT_GOLD_PUBLIC_KEY"]
    (folder / "public_keys").write_text(made["public_keys"].replace(former, later))
    assert public_keys(run(code, folder))["HELDOUT_GOLD_PUBLIC_KEY"] == later


def test_second_run_leaves_a_ring_of_keys_that_workers_may_look_into(code, folder):
    ring = folder / "gold_keys"
    ring.mkdir(mode=0o755)
    (ring / "0123456789abcdef.key").write_text("a later key")
    subprocess.run(
        [code / "deploy/secrets", folder, "heldout.example.org"],
        check=True,
        env=plain_environment(),
        capture_output=True,
    )
    assert ring.stat().st_mode & 0o777 == 0o755
    assert (ring / "0123456789abcdef.key").stat().st_mode & 0o777 == 0o400


def documented_commands() -> list[str]:
    """What docs/operations.md has whoever uses Docker Compose run once the secrets are made."""
    text = (ROOT / "docs/operations.md").read_text("utf-8")
    block = re.search(r"1\. \*\*Secrets and keys\*\*.*?```\n(.*?)```", text, flags=re.DOTALL)
    assert block
    first, *rest = [line.strip() for line in block[1].splitlines() if line.strip()]
    assert first.startswith("sudo deploy/secrets secrets ")
    return rest


def test_documented_commands_reach_all_secrets_of_a_folder_that_root_alone_reads(
    folder, made, tmp_path_factory
):
    """Whoever runs them may not list the folder, so their shell finds no file by a pattern: as with `sh -f`."""
    place, programs = tmp_path_factory.mktemp("place"), tmp_path_factory.mktemp("programs")
    folder.rename(place / "secrets")
    (place / "secrets/gold_keys").mkdir(mode=0o755)
    (place / "secrets/gold_keys/0123456789abcdef.key").write_text("a later key")
    for name, does in {"sudo": 'exec "$@"', "chown": 'echo "$@" >> owners', "install": "true"}.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    script = "\n".join(documented_commands())
    subprocess.run(["sh", "-efc", script], cwd=place, check=True, env=plain_environment() | {"PATH": path})
    owners: dict[str, str] = {}
    for owner, *files in map(str.split, (place / "owners").read_text().splitlines()):
        owners |= dict.fromkeys(files, owner)
    services = {
        f"secrets/{name}" for name in made if name.endswith("_password") or name == "rabbitmq_user.conf"
    }
    others = {f"secrets/{name}" for name in made if f"secrets/{name}" not in services}
    others |= {"secrets/email_url", "secrets/gold_keys/0123456789abcdef.key"}
    assert owners == dict.fromkeys(services, "999") | dict.fromkeys(others, "10001")
    assert {(place / name).stat().st_mode & 0o777 for name in owners} == {0o400}
    assert (place / "secrets/gold_keys").stat().st_mode & 0o777 == 0o755
