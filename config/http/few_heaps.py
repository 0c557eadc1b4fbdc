"""Few heaps for many threads: the C library keeps what was freed in as many as eight for each core, full of holes."""

import ctypes
import sys

# glibc's numbers for mallopt, see <malloc.h>.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
HEAPS = 2
# Bytes of a block that is a mapping of its own, and goes back to the system when it is freed; and of free memory at the
# end of a heap from which on that goes back. By default both grow with the largest block that was ever freed.
LARGE = 4 * 1024 * 1024


def keep_few_heaps() -> None:
    """Set that for this process, before it has threads, where glibc is its library; another one is not told."""
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        for parameter, value in ((_ARENA_MAX, HEAPS), (_MMAP_THRESHOLD, LARGE), (_TRIM_THRESHOLD, LARGE)):
            mallopt(parameter, value)
