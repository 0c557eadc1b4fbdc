"""How what a page answers is compressed: by itself, as it is sent, or against what a page like it answers."""

import gzip

from zstandard import (
    DICT_TYPE_RAWCONTENT,
    WINDOWLOG_MIN,
    ZstdCompressionDict,
    ZstdCompressionParameters,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
)

_LEVEL = 6
_LEVEL_OF_DIFFERENCES = 9
_WIDEST = 27  # 2**27 bytes are as much as is taken apart again


def compress(body: bytes) -> bytes:
    """The body as gzip, always the same of the same."""
    return gzip.compress(body, compresslevel=_LEVEL, mtime=0)


def difference(body: bytes, base: bytes) -> bytes:
    """What makes the body of a base that says nearly the same: a small part of what gzip takes."""
    both = len(body) + len(base)
    reach = min(max(both.bit_length(), WINDOWLOG_MIN), _WIDEST)
    how = ZstdCompressionParameters.from_level(_LEVEL_OF_DIFFERENCES, source_size=both, window_log=reach)
    return ZstdCompressor(dict_data=_as_dictionary(base), compression_params=how).compress(body)


def restored(changed: bytes, base: bytes) -> bytes:
    """The body of which `difference` made this. OSError where these bytes are not such."""
    try:
        return ZstdDecompressor(dict_data=_as_dictionary(base)).decompress(changed)
    except ZstdError as error:
        raise OSError("The difference cannot be taken apart.") from error


def _as_dictionary(base: bytes) -> ZstdCompressionDict:
    return ZstdCompressionDict(base, dict_type=DICT_TYPE_RAWCONTENT)
