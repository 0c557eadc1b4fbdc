"""A zip archive in memory, read by the letter.

Zip states everything twice, in a directory at the end and in a header before each entry, and programs differ
in which they believe. Here both must agree, the entries must follow each other without gap or overlap, and
nothing is unpacked further than the size stated. Layouts and names follow PKWARE's APPNOTE.TXT 6.3.10.
"""

import stat
import struct
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from catalogue.problems import Finding, ProblemCode, RefusedError, visible

MAX_ENTRIES = 200
MAX_UNPACKED = 200 * 1024 * 1024
_LOCAL_MARK = b"PK\x03\x04"
_CENTRAL_MARK = b"PK\x01\x02"
_END_MARK = b"PK\x05\x06"
_DESCRIPTOR_MARK = b"PK\x07\x08"
_END = struct.Struct("<4s4H2LH")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")

ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_SIZES_FOLLOW = 0x0008
_UTF8_NAME = 0x0800
_COMPARED_FLAGS = ENCRYPTED | _SIZES_FOLLOW | _UTF8_NAME
_BIG = 0xFFFFFFFF
_BIG_SIZES = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as the directory states it; `header_at` is where its own header begins."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    checksum: int
    packed: int
    unpacked: int
    mode: int
    header_at: int

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


def is_zip(data: bytes) -> bool:
    return data.startswith((_LOCAL_MARK, _END_MARK))


def read_directory(data: bytes, *, max_entries: int = MAX_ENTRIES) -> list[Entry]:
    """The entries in the directory's order. RefusedError if the archive as a whole cannot be trusted."""
    end_at, count, size, start = _end_record(data, max_entries)
    again = "Zip the files again."
    message = f"The zip's directory does not end where the zip says. {again}"
    check((start + size != end_at, ProblemCode.ZIP_EXTRA_DATA, message))
    entries: list[Entry] = []
    at = start
    for _ in range(count):
        entry, at = _central_entry(data, at, end_at)
        entries.append(entry)
    check(
        (
            at != end_at,
            ProblemCode.ZIP_EXTRA_DATA,
            f"The zip's directory holds more than its entries. {again}",
        ),
        (
            sum(entry.unpacked for entry in entries) > MAX_UNPACKED,
            ProblemCode.ZIP_TOO_LARGE,
            f"The zip unpacks to more than {MAX_UNPACKED >> 20} MB. Send the prediction files only.",
        ),
    )
    _check_places(data, entries, start)
    return entries


def _end_record(data: bytes, max_entries: int) -> tuple[int, int, int, int]:
    """Where the end record stands, and the directory's number of entries, size and start."""
    broken_off = (ProblemCode.ZIP_TRUNCATED, "The zip breaks off before its end. Send the whole file again.")
    at = data.rfind(_END_MARK)
    check((at < 0 or at + _END.size > len(data), *broken_off))
    _, disk, directory_disk, here, count, size, start, comment = _END.unpack_from(data, at)
    rest = len(data) - at - _END.size - comment
    check(
        (rest < 0, *broken_off),
        (
            rest > 0,
            ProblemCode.ZIP_EXTRA_DATA,
            f"{rest:,} bytes follow the end of the zip. Zip the files again.",
        ),
        (
            count > max_entries,
            ProblemCode.ZIP_TOO_MANY_ENTRIES,
            f"The zip holds more than {max_entries} entries. Send the prediction files only.",
        ),
        (
            disk or directory_disk or here != count or _BIG in (size, start),
            ProblemCode.ZIP_VARIANT,
            "The zip is in several parts or in the 64-bit form. Zip the files again as an ordinary zip.",
        ),
        (count == 0, ProblemCode.ZIP_EMPTY, "The zip is empty. Put the prediction files in it."),
    )
    return at, count, size, start


def _central_entry(data: bytes, at: int, end: int) -> tuple[Entry, int]:
    """The directory's record at that place, and where the next one begins."""
    damaged = (ProblemCode.ZIP_CORRUPT, "The zip's directory is damaged. Zip the files again.")
    check((at + _CENTRAL.size > end or not data.startswith(_CENTRAL_MARK, at), *damaged))
    fields = _CENTRAL.unpack_from(data, at)
    flags, method, checksum, packed, unpacked = fields[3], fields[4], *fields[7:10]
    name_size, extra_size, comment_size = fields[10:13]
    extra_at = at + _CENTRAL.size + name_size
    following = extra_at + extra_size + comment_size
    check((following > end, *damaged))
    raw_name = data[at + _CENTRAL.size : extra_at]
    unpacked, packed = _real_sizes(unpacked, packed, data[extra_at : extra_at + extra_size])
    return Entry(
        # A name that breaks its own promise of UTF-8 is never a name that is expected, so any reading will do.
        name=raw_name.decode("utf-8" if flags & _UTF8_NAME else "cp437", errors="replace"),
        raw_name=raw_name,
        flags=flags,
        method=method,
        checksum=checksum,
        packed=packed,
        unpacked=unpacked,
        mode=fields[15] >> 16,
        header_at=fields[16],
    ), following


def _check_places(data: bytes, entries: list[Entry], directory_at: int) -> None:
    """Entries must fill the archive from its first byte to the directory, one after the other."""
    expected = 0
    shared = "Two entries of the zip share the same bytes. Zip the files again."
    for entry in sorted(entries, key=lambda entry: entry.header_at):
        check((entry.header_at < expected, ProblemCode.ZIP_OVERLAP, shared), entry=entry.name)
        _check_gap(entry.header_at - expected)
        end = content_at(data, entry) + entry.packed
        expected = end + _descriptor_size(data, entry, end)
    reaching = "An entry of the zip reaches into its directory. Zip the files again."
    check((expected > directory_at, ProblemCode.ZIP_OVERLAP, reaching))
    _check_gap(directory_at - expected)


def _check_gap(size: int) -> None:
    message = f"{size:,} bytes of the zip belong to no entry. Zip the files again."
    check((size > 0, ProblemCode.ZIP_EXTRA_DATA, message))


def content_at(data: bytes, entry: Entry) -> int:
    """Where the content begins. RefusedError if the entry's own header contradicts the directory."""
    at = entry.header_at
    if at + _LOCAL.size > len(data) or not data.startswith(_LOCAL_MARK, at):
        raise _mismatch(entry)
    _, _, flags, method, _, _, checksum, packed, unpacked, name_size, extra_size = _LOCAL.unpack_from(
        data, at
    )
    extra_at = at + _LOCAL.size + name_size
    unpacked, packed = _real_sizes(unpacked, packed, data[extra_at : extra_at + extra_size])
    # An entry written to a pipe may leave what it did not know yet to the descriptor that follows it.
    unknown = {0} if flags & _SIZES_FOLLOW else set()
    if (
        data[at + _LOCAL.size : extra_at] != entry.raw_name
        or (flags ^ entry.flags) & _COMPARED_FLAGS
        or method != entry.method
        or checksum not in {entry.checksum} | unknown
        or packed not in {entry.packed} | unknown
        or unpacked not in {entry.unpacked} | unknown
    ):
        raise _mismatch(entry)
    return int(extra_at + extra_size)


def _descriptor_size(data: bytes, entry: Entry, at: int) -> int:
    """The bytes of the data descriptor at that place: 0 without one. RefusedError if it contradicts."""
    if not entry.flags & _SIZES_FOLLOW:
        return 0
    for sizes in ("<3L", "<L2Q"):
        stated = struct.pack(sizes, entry.checksum, entry.packed, entry.unpacked)
        for descriptor in (_DESCRIPTOR_MARK + stated, stated):
            if data.startswith(descriptor, at):
                return len(descriptor)
    raise _mismatch(entry)


def _real_sizes(unpacked: int, packed: int, extra: bytes) -> tuple[int, int]:
    """The sizes, taken from the 64-bit extra field where the ordinary fields point to it."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        body = extra[at + 4 : at + 4 + size]
        if kind == _BIG_SIZES:
            values = [value for (value,) in struct.iter_unpack("<Q", body[: len(body) // 8 * 8])]
            if unpacked == _BIG and values:
                unpacked = values.pop(0)
            if packed == _BIG and values:
                packed = values.pop(0)
        at += 4 + size
    return unpacked, packed


def check(*rules: tuple[object, ProblemCode, str], entry: str | None = None) -> None:
    """RefusedError with code and message of the first rule that is broken, as its first member says."""
    for is_broken, code, message in rules:
        if is_broken:
            raise RefusedError(Finding(code, message), entry=None if entry is None else visible(entry))


def _mismatch(entry: Entry) -> RefusedError:
    message = "The entry's own header contradicts the zip's directory. Zip the files again."
    return RefusedError(Finding(ProblemCode.ZIP_HEADER_MISMATCH, message), entry=visible(entry.name))


MAX_NAME = 200
MAX_ENTRY_UNPACKED = 32 * 1024 * 1024
MAX_RATIO = 100
_RATIO_FREE = 1024 * 1024
_STORED, _DEFLATED, _ZSTD = 0, 8, 93
ORDINARY = (_STORED, _DEFLATED)
OF_LOGS = (*ORDINARY, _ZSTD)
"""Programs that write logs compress them as few programs of people do."""

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


def check_entry(entry: Entry, methods: Sequence[int] = ORDINARY) -> None:
    """RefusedError if what the directory says of the entry forbids to unpack it; `methods` compress it."""
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
            entry.method not in methods,
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
    content = _UNPACKED_BY.get(entry.method, _stored)(packed, entry)
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


def _stored(packed: memoryview, entry: Entry) -> bytes:
    return bytes(packed)


def _unpack_zstd(packed: memoryview, entry: Entry) -> bytes:
    from zstandard import ZstdDecompressor, ZstdError  # for logs alone

    content: bytes | None = None
    with (
        suppress(ZstdError),
        ZstdDecompressor(max_window_size=MAX_ENTRY_UNPACKED).stream_reader(packed) as read,
    ):
        content = read.read(entry.unpacked + 1)
    damaged = "The entry is damaged and does not unpack. Send the whole file again."
    check((content is None, ProblemCode.ZIP_CORRUPT, damaged), entry=entry.name)
    return content or b""


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


_UNPACKED_BY = {_DEFLATED: _inflate, _ZSTD: _unpack_zstd}
