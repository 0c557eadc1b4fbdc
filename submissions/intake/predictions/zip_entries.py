"""What one entry of a zip may be, and its content."""

import stat
import zlib
from contextlib import suppress

from catalogue.problems import ProblemCode
from submissions.intake.predictions.zip_directory import ENCRYPTED, Entry, check, content_at

MAX_NAME = 200
MAX_ENTRY_UNPACKED = 32 * 1024 * 1024
MAX_RATIO = 100
_RATIO_FREE = 1024 * 1024
_STORED, _DEFLATED = 0, 8

_ARCHIVE_MARKS = {
    b"PK\x03\x04": "a zip",
    b"PK\x05\x06": "a zip",
    b"\x1f\x8b": "a gzip file",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ\x00": "an xz file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
}
_TAR_MARK = b"ustar"
_TAR_MARK_AT = 257


def archive_kind(data: bytes) -> str | None:
    """What kind of archive the bytes are, in words; None if they are none that is known."""
    if data[_TAR_MARK_AT : _TAR_MARK_AT + len(_TAR_MARK)] == _TAR_MARK:
        return "a tar archive"
    return next((kind for mark, kind in _ARCHIVE_MARKS.items() if data.startswith(mark)), None)


def check_entry(entry: Entry) -> None:
    """RefusedError if what the directory says of the entry forbids to unpack it."""
    name, kind = entry.name, stat.S_IFMT(entry.mode)
    parts = name.removesuffix("/").split("/")
    # An empty part stands for a leading, a doubled or a lone slash; a colon for a drive.
    is_plain = (
        name.isprintable() and "\\" not in name and not {"", ".", ".."} & set(parts) and ":" not in parts[0]
    )
    check(
        (
            len(name) > MAX_NAME,
            ProblemCode.ZIP_LONG_NAME,
            f"The name has {len(name)} characters; at most {MAX_NAME} are read.",
        ),
        (
            not is_plain,
            ProblemCode.ZIP_UNSAFE_NAME,
            "The name is not a plain relative path with forward slashes. Rename the file and zip it again.",
        ),
        (
            entry.flags & ENCRYPTED,
            ProblemCode.ZIP_ENCRYPTED,
            "The entry is encrypted. Zip the files without a password.",
        ),
        (
            kind not in (0, stat.S_IFREG, stat.S_IFDIR) or (kind == stat.S_IFDIR and not entry.is_folder),
            ProblemCode.ZIP_LINK,
            "The entry is a link or a special file. Zip the file itself.",
        ),
        (
            entry.method not in (_STORED, _DEFLATED),
            ProblemCode.ZIP_COMPRESSION,
            f"The entry uses compression method {entry.method}. Zip the files with deflate compression.",
        ),
        (
            entry.unpacked > MAX_ENTRY_UNPACKED,
            ProblemCode.ZIP_TOO_LARGE,
            f"The entry unpacks to more than {MAX_ENTRY_UNPACKED >> 20} MB, as no prediction file does.",
        ),
        (
            entry.unpacked > _RATIO_FREE and entry.unpacked > MAX_RATIO * entry.packed,
            ProblemCode.ZIP_RATIO,
            f"Unpacked, the entry would grow more than {MAX_RATIO} times, as no prediction file does.",
        ),
        entry=name,
    )


def unpack(data: bytes, entry: Entry) -> bytes:
    """The entry's content, never more than it states. RefusedError unless size and checksum are as stated."""
    start = content_at(data, entry)
    packed = memoryview(data)[start : start + entry.packed]
    content = _inflate(packed, entry) if entry.method == _DEFLATED else bytes(packed)
    check(
        (
            len(content) != entry.unpacked or (entry.is_folder and content),
            ProblemCode.ZIP_WRONG_SIZE,
            "The entry does not unpack to the size that the zip states. Zip the files again.",
        ),
        (
            zlib.crc32(content) != entry.checksum,
            ProblemCode.ZIP_BAD_CHECKSUM,
            "The entry is damaged: its checksum is wrong. Zip the files again and send the new zip.",
        ),
        entry=entry.name,
    )
    return content


def _inflate(packed: memoryview, entry: Entry) -> bytes:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    content: bytes | None = None
    # One byte beyond the stated size is enough to know that the size is a lie.
    with suppress(zlib.error):
        content = inflater.decompress(packed, entry.unpacked + 1)
    check(
        (
            content is None,
            ProblemCode.ZIP_CORRUPT,
            "The entry is damaged and does not unpack. Zip the files again and send the new zip.",
        ),
        (
            len(content or b"") <= entry.unpacked and (not inflater.eof or inflater.unused_data),
            ProblemCode.ZIP_WRONG_SIZE,
            "The entry's compressed data do not end where the zip says. Zip the files again.",
        ),
        entry=entry.name,
    )
    return content or b""
