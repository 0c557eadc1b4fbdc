"""A bundle is read within limits, and nothing in it leads out of it."""

import io
import stat
import struct
import tracemalloc
import zipfile

import pytest

from submissions.intake.bundles import archive as module
from submissions.intake.bundles.archive import Archive, joined
from submissions.intake.bundles.report import BundleRefused


def zipped(members: dict[str, bytes]) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, data in members.items():
            writer.writestr(name, data)
    file.seek(0)
    return file


def refusal(file: io.BytesIO) -> str:
    with pytest.raises(BundleRefused) as caught:
        Archive(file, "bundle.zip")
    return str(caught.value)


@pytest.mark.parametrize(
    "name", ["../out.txt", "/etc/passwd", "a/../../out", "..\\out", "C:/out", "a/b/../../../out"]
)
def test_a_member_that_leaves_the_folder_refuses_the_bundle(name):
    assert "leaves the folder" in refusal(zipped({name: b"x", "competition.yaml": b""}))


def test_a_link_refuses_the_bundle():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as writer:
        link = zipfile.ZipInfo("data")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        writer.writestr(link, "/etc")
    file.seek(0)
    assert "the member data is a link" in refusal(file)


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 cut off"])
def test_what_is_no_zip_is_refused(data):
    assert "no zip file" in refusal(io.BytesIO(data))


def test_a_directory_of_far_more_members_than_are_read_is_not_read():
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, *([0] * 14))
    directory = entry * (module.LARGEST_DIRECTORY // len(entry) + 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, len(directory), 0, 0)
    tracemalloc.start()
    try:
        said = refusal(io.BytesIO(directory + end))
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "its directory has more than 4 MB; expected at most 5,000 members" in said
    assert taken < 20 << 20


def test_a_bomb_is_stopped_while_it_unpacks():
    opened = Archive(zipped({"bomb": b"0" * (8 << 20)}), "bundle.zip")
    with pytest.raises(BundleRefused, match="unpacks to more than"):
        opened.read("bomb", at_most=1 << 20)


def test_zips_in_a_zip_share_one_limit():
    inner = zipped({"a": b"0" * (2 << 20)}).getvalue()
    opened = Archive(zipped({"inner.zip": inner}), "bundle.zip", module.Budget(3 << 20))
    nested = opened.inner("inner.zip")
    nested.read("a")
    with pytest.raises(BundleRefused, match="unpacks to more than"):
        nested.read("a")


def test_too_many_members_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_MEMBERS", 3)
    assert "it has 4 members; expected at most 3" in refusal(zipped({str(n): b"" for n in range(4)}))


def test_clutter_of_an_operating_system_is_not_seen():
    opened = Archive(zipped({"__MACOSX/._x": b"", ".DS_Store": b"", "a/b": b"1"}), "bundle.zip")
    assert opened.paths == ["a/b"]
    assert opened.root() == "a/"


@pytest.mark.parametrize(
    ("base", "path", "found"),
    [
        ("", "a/b", "a/b"),
        ("", "./a/", "a"),
        ("x/", "a", "x/a"),
        ("x/", "../a", None),
        ("", "../a", None),
        ("", "/a", None),
        ("", "C:\\a", None),
        ("", "a\\b", "a/b"),
    ],
)
def test_a_path_is_from_the_folder_of_the_definition_and_stays_in_the_bundle(base, path, found):
    assert joined(base, path) == found
