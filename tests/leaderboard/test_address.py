"""Nothing is published where nobody has said under which address the site is reached."""

import pytest
from django.core.management import CommandError, call_command

from benchmarks.services import mark_stale
from leaderboard.models import Page, Release
from leaderboard.publication.services import publish, publish_ready, refresh_stale
from leaderboard.publication.site_address import AddressUnknown
from scoring.models import Batch
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from tests.weeks import CUT_OFF, upload


@pytest.fixture
def batch(system, phase, settings):
    """Scored, on a server without an address."""
    upload(system, phase)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    settings.SITE_URL = ""
    return Batch.objects.get()


def test_a_release_is_refused_in_words(batch):
    with pytest.raises(AddressUnknown, match="HELDOUT_SITE_URL is not set here, so nothing was published"):
        publish(batch=batch, now=CUT_OFF)
    assert not Release.objects.exists()


@pytest.mark.parametrize("command", ["run_due", "render_pages"])
def test_commands_refuse_in_words(batch, command):
    with pytest.raises(CommandError, match="HELDOUT_SITE_URL is not set here"):
        call_command(command)
    assert not Page.objects.exists()


def test_once_it_is_set_the_next_sweep_publishes(batch, settings):
    for _ in range(10):
        assert publish_ready(CUT_OFF) == []
        assert refresh_stale() == 0
    settings.SITE_URL = "https://example.org"
    mark_stale("toy")
    assert (len(publish_ready(CUT_OFF)), refresh_stale()) == (1, 0)
    assert b"https://example.org/benchmarks/toy/releases/1/" in bytes(
        Page.objects.get(path="/benchmarks/toy/releases/1.bib").body
    )


def test_a_process_with_another_address_publishes_nothing(batch, settings):
    settings.SITE_URL = "https://example.org"
    assert len(publish_ready(CUT_OFF)) == 1
    before = {page.path: page.stored_id for page in Page.objects.all()}

    settings.SITE_URL = "http://localhost:8000"
    mark_stale("toy")
    assert refresh_stale() == 0
    with pytest.raises(
        CommandError, match="http://localhost:8000 here, but this site publishes under https://exa"
    ):
        call_command("run_due")
    assert {page.path: page.stored_id for page in Page.objects.all()} == before


def test_a_site_that_moves_names_its_new_address_on_pages_of_the_past_too(batch, settings, capsys):
    settings.SITE_URL = "https://old.example.org"
    assert len(publish_ready(CUT_OFF)) == 1
    settings.SITE_URL = "https://new.example.org"

    call_command("move_site")
    assert (refresh_stale(), refresh_stale()) == (1, 0)

    assert not [page.path for page in Page.objects.all() if b"old.example.org" in bytes(page.body)]
    call_command("move_site")
    assert "Nothing was changed" in capsys.readouterr().out
