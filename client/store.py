"""What a server has said, kept so that it need not be asked again."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from client.login import folder


class Store:
    """What one server has said about one benchmark, kept as files."""

    def __init__(self, server_url: str, benchmark: str) -> None:
        self._folder = folder() / "cache" / quote(server_url, safe="") / benchmark

    def read(self, name: str) -> dict[str, Any] | None:
        """What is stored under a name; None where nothing is, or nothing that can be read."""
        try:
            document = json.loads((self._folder / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return document if isinstance(document, dict) else None

    def write(self, name: str, document: Mapping[str, Any]) -> None:
        """Store a document; where that is impossible the next check fetches it again."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        except OSError:
            return
