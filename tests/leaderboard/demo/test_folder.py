"""The demo's data folder: private, complete, and the same at every start."""

import subprocess
import sys

from demo.server.folder import DemoFolder
from tests.ops.demos import ROOT, plain_environment


def test_demo_folder_is_its_owners_alone(tmp_path):
    folder = DemoFolder(tmp_path / "data")

    folder.prepare()

    assert folder.path.stat().st_mode & 0o777 == 0o700
    assert folder.private_key_file.stat().st_mode & 0o777 == 0o600
    assert folder.settings_file.stat().st_mode & 0o777 == 0o600


def test_demo_settings_file_holds_no_private_key(tmp_path):
    folder = DemoFolder(tmp_path / "data")

    folder.prepare()

    assert folder.private_key_file.read_text().strip() not in folder.settings_file.read_text()


def test_demo_folder_keeps_its_keys_at_the_next_start(tmp_path):
    folder = DemoFolder(tmp_path / "data")
    folder.prepare()
    before = folder.settings(), folder.private_key_file.read_text()

    folder.prepare()

    assert (folder.settings(), folder.private_key_file.read_text()) == before


def test_demo_folder_broken_off_before_its_settings_starts_anew(tmp_path):
    folder = DemoFolder(tmp_path / "data")
    folder.prepare()
    folder.settings_file.unlink()

    folder.prepare()

    assert folder.settings()["HELDOUT_MODE"] == "demo"


def test_a_command_run_beside_the_demo_knows_its_address_and_port(tmp_path):
    folder = DemoFolder(tmp_path / "data")
    folder.prepare()
    folder.keep_address("http://localhost:8000")
    before = folder.settings()
    folder.keep_address("http://localhost:8765")

    assert site_url(HELDOUT_DATA=str(folder.path)) == "http://localhost:8765"
    assert folder.settings() == before | {"HELDOUT_SITE_URL": "http://localhost:8765"}
    assert folder.settings_file.stat().st_mode & 0o777 == 0o600


def test_production_has_no_address_but_the_one_it_is_given(tmp_path):
    production = {"HELDOUT_DATA": str(tmp_path), "HELDOUT_SECRET_KEY": "x" * 50}
    assert site_url(**production) == ""
    assert site_url(**production, HELDOUT_SITE_URL="https://example.org") == "https://example.org"


def site_url(**environment: str) -> str:
    """What settings say in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "from config import settings; print(settings.SITE_URL)"],
        cwd=ROOT,
        env=plain_environment() | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()
