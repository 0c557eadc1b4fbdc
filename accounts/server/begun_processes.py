"""Commands of this server that a sweep begins and does not wait for."""

import subprocess
import sys

from django.conf import settings

_BEGUN: list[subprocess.Popen[bytes]] = []


def begin_command(*command: str) -> None:
    """Begin a command of `manage.py` as a process of its own, so that no sweep waits for it."""
    program = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    _BEGUN.append(subprocess.Popen(program, stdin=subprocess.DEVNULL))  # noqa: S603  # our own program, no shell


def let_go_of_ended() -> None:
    """Have the machine forget the processes begun here that have ended: each stays listed until it is looked at."""
    _BEGUN[:] = [one for one in _BEGUN if one.poll() is None]
