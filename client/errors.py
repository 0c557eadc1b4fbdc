"""Why a command cannot go on."""

from typing import Any


class ClientError(Exception):
    """Said to the person in one or two sentences; never shown as a traceback."""


class Refused(ClientError):
    """The server understood and said no. `answer` holds its `code`, `detail` and whatever else it said."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        super().__init__(str(answer.get("detail") or f"The server refused this (HTTP {status})."))
        self.status = status
        self.answer = answer
