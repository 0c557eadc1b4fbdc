"""Set up a server of its own in a temporary folder, for measurements."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import TracebackType


class ScratchServer:
    """A context in which Django is set up on an empty SQLite database, exactly as the demo is."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="heldout-perf-")
        self.data = Path(self._folder.name)

    def __enter__(self) -> ScratchServer:
        os.environ.update(
            HELDOUT_DATA=str(self.data),
            HELDOUT_MODE="demo",
            HELDOUT_SITE_URL="http://localhost:8000",
            HELDOUT_SECRET_KEY="perf",
            HELDOUT_LOG_LEVEL="WARNING",
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        from scoring.gold.sealing import generate_keypair

        keys = generate_keypair()
        private = self.data / "gold.private"
        private.write_text(keys.private)
        settings.GOLD_PUBLIC_KEY, settings.GOLD_PRIVATE_KEY_FILE = keys.public, str(private)
        call_command("migrate", verbosity=0)
        with (self.data / "sync.log").open("w") as log:
            call_command("sync_benchmarks", stdout=log)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()
