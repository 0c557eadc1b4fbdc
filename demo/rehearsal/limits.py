"""How much a rehearsal that somebody uploaded may use. It holds itself to it, so that nobody has to watch."""

import os
import resource
import signal

SECONDS = 300
"""How long it may take altogether, and how much time of a processor."""
MEMORY = 3 << 30
LARGEST_FILE = 512 << 20
_LAZY = 10


def hold_limits() -> None:
    """Limit this process: it ends by itself where it takes too long, and gets no memory or disk beyond."""
    for kind, most in (
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    signal.alarm(SECONDS)
    os.nice(_LAZY)
