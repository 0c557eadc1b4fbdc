"""How much freed memory the C library keeps for a process, where that is glibc; another one is not told."""

import ctypes
import sys

# glibc's numbers for mallopt, see <malloc.h>.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
HEAPS = 2
# Bytes of a block that is a mapping of its own, and goes back to the system when it is freed; and of free memory at the
# end of a heap from which on that goes back. By default both grow with the largest block that was ever freed.
LARGE = 4 * 1024 * 1024
LARGE_FOR_WORKERS, FREE_FOR_WORKERS = 32 * 1024 * 1024, 256 * 1024 * 1024


def keep_few_heaps() -> None:
    """Keep little for many threads, before there are any: by itself it keeps as many as eight heaps for each core."""
    _set({_ARENA_MAX: HEAPS, _MMAP_THRESHOLD: LARGE, _TRIM_THRESHOLD: LARGE})


def keep_freed_arrays() -> None:
    """Keep what arrays were in, for the next ones: the system clears every page of memory that it gives out anew.

    A board of 1,000 systems goes through hundreds of arrays of 8 MB.
    """
    _set({_MMAP_THRESHOLD: LARGE_FOR_WORKERS, _TRIM_THRESHOLD: FREE_FOR_WORKERS})


def _set(options: dict[int, int]) -> None:
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        for parameter, value in options.items():
            mallopt(parameter, value)
