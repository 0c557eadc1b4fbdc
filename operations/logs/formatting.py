"""A record of the log as a line of JSON."""

import datetime as dt
import json
import logging
import re
from typing import Any

from operations.logs import request_ids

EXTRA = ("method", "route", "status", "milliseconds", "account", "repeated")
"""What a record may say beside its message."""
_NO_ADDRESS = r"\s@<>\"'(),;:="
# Looked for from the beginning of a word alone: from each letter on, a long word would be read to its end.
_ADDRESS = re.compile(f"(?<![^{_NO_ADDRESS}])[^{_NO_ADDRESS}]+@[^{_NO_ADDRESS}]+")


class LogLines(logging.Formatter):
    """Each record is an object on one line: at, level, logger, message, request_id; what it says beside; a traceback.

    Addresses of people are cut out. Django's own records about a request are told by its route: an address of the site
    may hold what nobody else should know, such as an invitation.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_addresses(message_of(record)),
        }
        if request_id := getattr(record, "request_id", "") or request_ids.current():
            line["request_id"] = request_id
        line |= {name: getattr(record, name) for name in EXTRA if getattr(record, name, None) is not None}
        if record.exc_info and record.exc_info[0]:
            line["traceback"] = without_addresses(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def message_of(record: logging.LogRecord) -> str:
    """What the record says; of a request that Django tells of, with its route in place of its address."""
    request = getattr(record, "request", None)
    message = record.getMessage()
    return message if request is None else f"{message.partition(':')[0]}: {route_of(request)}"


def route_of(request: Any) -> str:
    """The pattern of a request's address; empty where none fits."""
    match = getattr(request, "resolver_match", None)
    return f"/{match.route}" if match is not None else ""


def without_addresses(text: str) -> str:
    """The text without e-mail addresses."""
    return _ADDRESS.sub("[address]", text)
