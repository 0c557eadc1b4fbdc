"""The demo's data folder: private, complete, and the same at every start."""

from __future__ import annotations

from leaderboard.demo.folder import DemoFolder


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
