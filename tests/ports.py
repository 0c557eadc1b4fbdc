"""Ports for servers that a test starts."""

import fcntl
import random
import socket
import tempfile
from pathlib import Path
from typing import TextIO

# The system gives outgoing connections ports from 32768 on (Linux; others begin later): none of these.
RANGE = range(20_000, 32_000)

_claims: list[TextIO] = []
_candidates = iter(random.sample(RANGE, len(RANGE)))


def free_port() -> int:
    """A port of 127.0.0.1 at which nothing listens and which no other test is given while this process lives.

    A port that the system chooses may be the source of another's connection before a server takes it.
    """
    return next(port for port in _candidates if _claim(port) and _nobody_listens(port))


def _claim(port: int) -> bool:
    folder = Path(tempfile.gettempdir()) / "heldout-test-ports"
    folder.mkdir(exist_ok=True)
    claim = (folder / str(port)).open("w")
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True


def _nobody_listens(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
