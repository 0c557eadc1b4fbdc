"""A reader checks offline that an archive is the server's, and is told by name which file is not as it was."""

import io
import zipfile

import pytest
from typer.testing import CliRunner

from benchmarks.models import Benchmark
from client.main import app
from leaderboard.take_home.archive_contents import write_archive
from tests.conftest import NOW
from transparency.core.checkpoints import read_checkpoint
from transparency.core.checksum_notes import ChecksumNote, read_checksum_note
from transparency.core.signed_notes import BadNote, Signer
from transparency.keys import KeyRole


@pytest.fixture
def archive(toy, signers, tmp_path):
    path = tmp_path / "toy.zip"
    with path.open("wb") as target:
        write_archive(Benchmark.objects.get(pk="toy"), target, NOW)
    return path


@pytest.fixture
def key(signers):
    return str(signers[KeyRole.LOG].verifier)


def checked(place, key):
    return CliRunner().invoke(app, ["checksums", str(place), "--key", key])


def changed(archive, change):
    """The archive with other members: `change` is given all of them by their paths in the folder."""
    with zipfile.ZipFile(archive) as source:
        members = {name: source.read(name) for name in source.namelist()}
    top = next(iter(members)).partition("/")[0]
    own = {name.partition("/")[2]: data for name, data in members.items()}
    change(own)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for name, data in own.items():
            target.writestr(f"{top}/{name}", data)
    archive.write_bytes(stream.getvalue())
    return archive


def test_an_archive_as_it_was_made_is_the_server_s(archive, key):
    said = checked(archive, key)
    assert said.exit_code == 0, said.output
    assert f"signed by {key}" in said.output
    assert "files are as they were signed" in said.output


def test_its_unpacked_folder_too(archive, key, tmp_path):
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path / "unpacked")
    (folder,) = (tmp_path / "unpacked").iterdir()
    assert checked(folder, key).exit_code == 0


def test_a_changed_a_missing_and_an_added_file_are_named(archive, key):
    def change(files):
        files["scores.csv"] += b"x"
        files["extra.csv"] = b"1"
        del files["README.md"]

    said = checked(changed(archive, change), key)
    assert said.exit_code == 1
    for sentence in (
        "scores.csv was changed.",
        "README.md is missing.",
        "extra.csv was not there when this was made.",
    ):
        assert sentence in said.output


def test_checksums_that_were_made_anew_are_not_those_that_were_signed(archive, key):
    def change(files):
        files["SHA256SUMS"] = files["SHA256SUMS"].replace(b"0", b"1")

    said = checked(changed(archive, change), key)
    assert said.exit_code == 1
    assert "SHA256SUMS is not the one that was signed" in said.output


def test_another_server_s_key_has_not_signed_it_and_no_note_says_nothing(archive, key):
    assert (
        "There is no signature of the key" in checked(archive, str(Signer.generate("other").verifier)).output
    )
    said = checked(changed(archive, lambda files: files.pop("SHA256SUMS.note")), key)
    assert said.exit_code != 0
    assert "has no SHA256SUMS.note" in said.output


def test_a_note_about_checksums_is_no_checkpoint_and_the_other_way_round(signers):
    signer = signers[KeyRole.LOG]
    note = ChecksumNote("12", "2026-11-25T00:00:00Z", "0" * 64).signed(signer)
    with pytest.raises(BadNote, match="no checkpoint"):
        read_checkpoint(note, signer.verifier)
    with pytest.raises(BadNote, match="no note about checksums"):
        read_checksum_note(signer.sign(f"{signer.name}\n1\nAAAA\n"), signer.verifier)
    with pytest.raises(BadNote):
        ChecksumNote("a\nsha256 0", "", "0" * 64).signed(signer)


def test_a_process_without_the_key_signs_nothing(toy, tmp_path):
    target = io.BytesIO()
    write_archive(Benchmark.objects.get(pk="toy"), target, NOW)
    names = zipfile.ZipFile(target).namelist()
    assert any(name.endswith("/SHA256SUMS") for name in names)
    assert not any(name.endswith(".note") for name in names)
