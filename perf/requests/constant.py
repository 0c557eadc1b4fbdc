"""A web application that answers the same bytes to everybody: what a server could send at most.

`HELDOUT_CONSTANT` names the file.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

BODY = Path(os.environ["HELDOUT_CONSTANT"]).read_bytes() if "HELDOUT_CONSTANT" in os.environ else b""
HEADERS = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Encoding", "gzip"),
    ("Content-Length", str(len(BODY))),
]


def application(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", HEADERS)
    return [BODY]
