"""What several tests of a module begin with, built once for all of them.

A fixture of scope "module" that asks for `stage` writes it, and every test that uses that fixture is rolled back to it:

    @pytest.fixture(scope="module")
    def released(stage):
        upload(the_system(), the_toy().phases.get())
        run_batch(CUT_OFF)

The fixtures owner, team, system, toy and games then give what stands there, as `the_owner` and the like do. Tests of
the module that begin with nothing run after the others. Tests with real transactions cannot begin with a stage.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from submissions.intake.sealing import KeyPair

FIXTURE = "stage"


class Stage:
    """A transaction around tests, in which what they begin with has been written once."""

    def __init__(self) -> None:
        self._open: ExitStack | None = None
        self._uploads = Path()

    @contextmanager
    def set_up(self, folder: Path, keypair: KeyPair, blocker: Any) -> Iterator[None]:
        """Until it is left, what is written stays. Gold labels can be sealed and opened; uploads go to `folder`."""
        private = folder / "gold.private"
        private.write_text(keypair.private)
        self._uploads = folder / "uploads"
        with ExitStack() as stack:
            self._open = stack
            patch = stack.enter_context(pytest.MonkeyPatch.context())
            stack.enter_context(blocker.unblock())
            stack.enter_context(taken_back())
            patch.setattr(settings, "GOLD_PUBLIC_KEY", keypair.public)
            patch.setattr(settings, "GOLD_PRIVATE_KEY_FILE", str(private))
            patch.setattr(settings, "MEDIA_ROOT", self._uploads)
            yield
        self._open = None

    def make_way_for(self, test: pytest.Item) -> None:
        """Take everything back before a test that does not begin with it."""
        if self._open is not None and not stands_on_stage(test):
            self._open.close()
            self._open = None

    def copy_uploads(self, folder: Path) -> None:
        """Give a test files of its own; they are never written to, so a second name of each is enough."""
        if self._open is not None and self._uploads.is_dir():
            shutil.copytree(self._uploads, folder, copy_function=os.link)


@contextmanager
def taken_back() -> Iterator[None]:
    """What is written until it is left is gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def stands_on_stage(test: pytest.Item) -> bool:
    return FIXTURE in getattr(test, "fixturenames", ())


def first_those_on_stage(tests: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Those that begin with a stage before all others, module by module. What they write is taken back.

    Raises
    ------
    pytest.UsageError
        If one of them has real transactions.
    """
    for test in filter(stands_on_stage, tests):
        asked = test.get_closest_marker("django_db")
        if (asked and asked.kwargs.get("transaction")) or "live_server" in vars(test)["fixturenames"]:
            raise pytest.UsageError(
                f"{test.nodeid}: on a stage there are no real transactions; build without it."
            )
        test.add_marker(pytest.mark.django_db)
    return sorted(tests, key=lambda test: (0, str(test.path)) if stands_on_stage(test) else (1, ""))
