"""Gzip around a file: unpacked as far as anybody could need, and no further."""

import zlib

from catalogue.problems import Finding, ProblemCode, RefusedError

_MARK = b"\x1f\x8b"
_ENDING = ".gz"
_WITH_HEADER = 16 + zlib.MAX_WBITS


def is_gzip(data: bytes) -> bool:
    return data.startswith(_MARK)


def bare_name(name: str) -> str:
    """The name of the file inside."""
    return name.removesuffix(_ENDING)


def unpacked(data: bytes, most: int) -> bytes:
    """What the gzip file holds.

    RefusedError where that is more than `most` bytes, which is found out as soon as there is one byte more, and where
    the file is damaged, cut off, or goes on with something else, another gzip file included.
    """
    inflater = zlib.decompressobj(_WITH_HEADER)
    try:
        content = inflater.decompress(data, most + 1)
    except zlib.error:
        raise _damaged("it is damaged") from None
    if len(content) > most:
        raise _too_large(most)
    if not inflater.eof:
        raise _damaged("it ends too early")
    if inflater.unused_data:
        raise _damaged("something else follows in it")
    return content


def _damaged(reason: str) -> RefusedError:
    message = f"The gzip file does not unpack: {reason}. Compress the file again, or send it as it is."
    return RefusedError(Finding(ProblemCode.GZIP_CORRUPT, message, expected="a whole gzip file"))


def _too_large(most: int) -> RefusedError:
    limit = f"{most / 2**20:.1f} MB"
    message = f"The gzip file unpacks to more than {limit}, far more than any answers need. Send ids and answers only."
    return RefusedError(
        Finding(
            ProblemCode.FILE_TOO_LARGE, message, f"more than {limit}", f"at most {limit} once it is unpacked"
        )
    )
