"""Set up a server of its own in a temporary folder, for measurements."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_server() -> Iterator[Path]:
    """A context in which Django is set up on an empty SQLite database, exactly as the demo is; its folder."""
    with tempfile.TemporaryDirectory(prefix="heldout-perf-") as folder:
        os.environ.update(
            HELDOUT_DATA=folder,
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

        from config.celery import load_ahead
        from submissions.intake.sealing import generate_keypair

        keys, data = generate_keypair(), Path(folder)
        private = data / "gold.private"
        private.write_text(keys.private)
        settings.GOLD_PUBLIC_KEY, settings.GOLD_PRIVATE_KEY_FILE = keys.public, str(private)
        load_ahead()
        call_command("migrate", verbosity=0)
        with (data / "sync.log").open("w") as log:
            call_command("sync_benchmarks", stdout=log)
        yield data
