"""The id that a request has in every line about it, in its answer and in what workers do because of it."""

import random
import re
from contextvars import ContextVar, Token

HEADER = "X-Request-ID"
_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{7,63}")
_CURRENT: ContextVar[str] = ContextVar("request_id", default="")


def new_id() -> str:
    """32 hexadecimal digits that nothing else here has; no secret, so the system is not asked for them each time."""
    return f"{random.getrandbits(128):032x}"


def is_id(text: str) -> bool:
    """Whether a text can be taken for an id: 8 to 64 letters, digits, dots, dashes and underscores."""
    return _FORM.fullmatch(text) is not None


def current() -> str:
    """The id of what is being done; empty where nothing has one."""
    return _CURRENT.get()


def begin(request_id: str) -> Token[str]:
    """What is written from now on has this id, until `end`."""
    return _CURRENT.set(request_id)


def end(token: Token[str]) -> None:
    _CURRENT.reset(token)
