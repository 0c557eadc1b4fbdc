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
