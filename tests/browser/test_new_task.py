"""From a CSV file to a published board: an organiser makes a task, a participant answers it, the batch runs."""

import pytest
from playwright.sync_api import expect

from accounts.server.clock import database_now
from accounts.services import create_team
from benchmarks.models import Phase
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import refresh_stale
from submissions.models import System
from tests.browser.steps import PATIENCE, Page, answer, close_now, file_of, press, sees, sign_in
from tests.conftest import NOW, person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE = "id,text,label\n" + "".join(
    f"r{n},Review number {n}.,{'good' if n % 2 else 'bad'}\n" for n in range(8)
)


def _is_at(page: Page, screen: str) -> None:
    expect(page.locator("#content-main h2").first).to_contain_text(screen, timeout=PATIENCE)


def test_from_a_table_to_an_open_phase_and_a_published_board(open_window, gold_keys, owner):
    person("curator", is_staff=True)
    organiser = open_window()
    sign_in(organiser, "curator@example.org", "curator-password")
    organiser.goto("/admin/")
    press(organiser, "Make one from a table")
    organiser.locator("input[type=file]").set_input_files(file_of("reviews.csv", TABLE))
    press(organiser, "Read the file")
    _is_at(organiser, "Columns and kind")
    assert organiser.locator("#question input[disabled]").input_value() == "reviews.csv"
    press(organiser, "Continue")  # the page kept the file, the server did not
    _is_at(organiser, "Metric")
    press(organiser, "Continue")
    _is_at(organiser, "Texts and licence")
    organiser.get_by_label("Title of the task").fill("Film reviews")
    organiser.get_by_label("Summary").fill("Is a review good or bad?")
    organiser.get_by_label("Licence of the data").fill("CC BY 4.0")
    organiser.get_by_label("Citation").fill("Larch and Beech (2026).")
    for screen in ("Benchmark", "Dates and limits", "Is this what everybody should see?"):
        press(organiser, "Continue")
        _is_at(organiser, screen)
    sees(organiser, "Columns that are not kept")
    preview = organiser.frame_locator("iframe").first
    assert "Is a review good or bad?" in preview.locator("main").inner_text()
    press(organiser, "Seal the labels and make the task")
    sees(organiser, "is open and its gold labels are sealed")

    System.objects.create(
        team=create_team(name="North", founder=owner, now=NOW), name="Larch", created_at=NOW
    )
    refresh_stale()
    participant = open_window()
    sign_in(participant, owner.email, "owner-password")
    participant.goto("/submit/?benchmark=film-reviews")
    labels = "id,label\n" + "".join(f"r{n},{'good' if n % 2 else 'bad'}\n" for n in range(8))
    participant.locator("input[type=file]").first.set_input_files(file_of("reviews.csv", labels))
    participant.get_by_role("button", name="Upload and check").click()
    sees(participant, "Accepted: 1 of 1 task")

    organiser.goto("/admin/accounts/auditentry/")
    sees(organiser, "Made from a table of ids and labels.")
    Phase.objects.update(publish_automatically=False)
    close_now(organiser, "Reviews / Main")
    watch_batches(database_now())
    organiser.goto("/admin/")
    press(organiser, "Look at the coming release.")
    sees(organiser, "This is the board as it would stand now.")
    answer(organiser, "Publish release 1", reason="The week is over.")
    sees(organiser, "Release 1 is published.")
    participant.goto("/benchmarks/film-reviews/")
    row = participant.locator("table.board tr").filter(has_text="Larch")
    assert "1.000" in row.inner_text()
