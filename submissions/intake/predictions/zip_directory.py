"""A zip archive in memory, read by the letter.

Zip states everything twice, in a directory at the end and in a header before each entry, and programs differ
in which they believe. Here both must agree, the entries must follow each other without gap or overlap, and
nothing is unpacked further than the size stated. Layouts and names follow PKWARE's APPNOTE.TXT 6.3.10.
"""

import struct
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

_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_SIZES_FOLLOW = 0x0008
_UTF8_NAME = 0x0800
_COMPARED_FLAGS = _ENCRYPTED | _SIZES_FOLLOW | _UTF8_NAME
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
    def is_encrypted(self) -> bool:
        return bool(self.flags & _ENCRYPTED)

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


def is_zip(data: bytes) -> bool:
    return data.startswith((_LOCAL_MARK, _END_MARK))


def read_directory(data: bytes, *, max_entries: int = MAX_ENTRIES) -> list[Entry]:
    """The entries in the directory's order. RefusedError if the archive as a whole cannot be trusted."""
    end_at, count, size, start = _end_record(data, max_entries)
    if start + size != end_at:
        raise refused(
            ProblemCode.ZIP_EXTRA_DATA,
            "The zip's directory does not end where the zip says. Zip the files again.",
        )
    entries: list[Entry] = []
    at = start
    for _ in range(count):
        entry, at = _central_entry(data, at, end_at)
        entries.append(entry)
    if at != end_at:
        raise refused(
            ProblemCode.ZIP_EXTRA_DATA,
            "The zip's directory holds more than its entries. Zip the files again.",
        )
    if sum(entry.unpacked for entry in entries) > MAX_UNPACKED:
        raise refused(
            ProblemCode.ZIP_TOO_LARGE,
            f"The zip unpacks to more than {MAX_UNPACKED >> 20} MB. Send the prediction files only.",
        )
    _check_places(data, entries, start)
    return entries


def _end_record(data: bytes, max_entries: int) -> tuple[int, int, int, int]:
    """Where the end record stands, and the directory's number of entries, size and start."""
    at = data.rfind(_END_MARK)
    if at < 0 or at + _END.size > len(data):
        raise refused(
            ProblemCode.ZIP_TRUNCATED, "The zip breaks off before its end. Send the whole file again."
        )
    _, disk, directory_disk, here, count, size, start, comment = _END.unpack_from(data, at)
    rest = len(data) - at - _END.size - comment
    if rest < 0:
        raise refused(
            ProblemCode.ZIP_TRUNCATED, "The zip breaks off before its end. Send the whole file again."
        )
    if rest > 0:
        raise refused(
            ProblemCode.ZIP_EXTRA_DATA, f"{rest:,} bytes follow the end of the zip. Zip the files again."
        )
    if count > max_entries:
        raise refused(
            ProblemCode.ZIP_TOO_MANY_ENTRIES,
            f"The zip holds more than {max_entries} entries. Send the prediction files only.",
        )
    if disk or directory_disk or here != count or _BIG in (size, start):
        raise refused(
            ProblemCode.ZIP_VARIANT,
            "The zip is in several parts or in the 64-bit form. Zip the files again as an ordinary zip.",
        )
    if count == 0:
        raise refused(ProblemCode.ZIP_EMPTY, "The zip is empty. Put the prediction files in it.")
    return at, count, size, start


def _central_entry(data: bytes, at: int, end: int) -> tuple[Entry, int]:
    """The directory's record at that place, and where the next one begins."""
    if at + _CENTRAL.size > end or not data.startswith(_CENTRAL_MARK, at):
        raise refused(ProblemCode.ZIP_CORRUPT, "The zip's directory is damaged. Zip the files again.")
    fields = _CENTRAL.unpack_from(data, at)
    flags, method, checksum, packed, unpacked = fields[3], fields[4], *fields[7:10]
    name_size, extra_size, comment_size = fields[10:13]
    name_at = at + _CENTRAL.size
    extra_at = name_at + name_size
    following = extra_at + extra_size + comment_size
    if following > end:
        raise refused(ProblemCode.ZIP_CORRUPT, "The zip's directory is damaged. Zip the files again.")
    raw_name = data[name_at:extra_at]
    unpacked, packed = _real_sizes(unpacked, packed, data[extra_at : extra_at + extra_size])
    return Entry(
        name=_decoded(raw_name, flags),
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
    for entry in sorted(entries, key=lambda entry: entry.header_at):
        if entry.header_at < expected:
            raise refused(
                ProblemCode.ZIP_OVERLAP,
                "Two entries of the zip share the same bytes. Zip the files again.",
                entry.name,
            )
        if entry.header_at > expected:
            raise _extra_data(entry.header_at - expected)
        end = content_at(data, entry) + entry.packed
        expected = end + _descriptor_size(data, entry, end)
    if expected > directory_at:
        raise refused(
            ProblemCode.ZIP_OVERLAP, "An entry of the zip reaches into its directory. Zip the files again."
        )
    if expected < directory_at:
        raise _extra_data(directory_at - expected)


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
    sizes_agree = (
        checksum in {entry.checksum} | unknown
        and packed in {entry.packed} | unknown
        and unpacked in {entry.unpacked} | unknown
    )
    if (
        data[at + _LOCAL.size : extra_at] != entry.raw_name
        or (flags ^ entry.flags) & _COMPARED_FLAGS
        or method != entry.method
        or not sizes_agree
    ):
        raise _mismatch(entry)
    content: int = extra_at + extra_size
    return content


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


def _decoded(raw_name: bytes, flags: int) -> str:
    # A name that breaks its own promise of UTF-8 is never a name that is expected, so any reading will do.
    return raw_name.decode("utf-8" if flags & _UTF8_NAME else "cp437", errors="replace")


def refused(code: ProblemCode, message: str, entry: str | None = None) -> RefusedError:
    return RefusedError(Finding(code, message), entry=visible(entry) if entry is not None else None)


def _mismatch(entry: Entry) -> RefusedError:
    return refused(
        ProblemCode.ZIP_HEADER_MISMATCH,
        "The entry's own header contradicts the zip's directory. Zip the files again.",
        entry.name,
    )


def _extra_data(size: int) -> RefusedError:
    return refused(
        ProblemCode.ZIP_EXTRA_DATA, f"{size:,} bytes of the zip belong to no entry. Zip the files again."
    )
