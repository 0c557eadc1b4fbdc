"""What a participant, an organiser and a reader do, from the first click to the published board."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.clock import database_now
from leaderboard.services import refresh_stale
from submissions.models import Submission
from tests.browser.steps import do_the_workers_part, sees, sign_in
from tests.uploads import toy_zip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a long enough secret"


def send(page, path: Path) -> None:
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Upload and check").click()


def test_a_newcomer_signs_up_is_refused_corrects_and_stands_on_the_board(page, toy, tmp_path):
    refresh_stale()
    bad, good = tmp_path / "bad.zip", tmp_path / "good.zip"
    bad.write_bytes(toy_zip(mood="good god bad bad good bad"))
    good.write_bytes(toy_zip())

    page.goto("/benchmarks/toy/")
    page.locator("main").get_by_role("link", name="Submit").first.click()
    page.locator("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Email").fill("ada@example.org")
    page.locator("input[name=password1]").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("link", name="Found a team").click()
    page.get_by_label("Name", exact=True).fill("Team Ada")
    page.get_by_role("button", name="Found the team").click()
    page.get_by_label("Name", exact=True).fill("Analytical")
    page.get_by_role("button", name="Enter the system").click()

    send(page, bad)
    sees(page, "Not accepted: 1 problem")
    assert "Line 3, column Label" in page.locator("main").inner_text()
    assert not Submission.objects.exists()

    page.get_by_role("link", name="Choose another file").click()
    send(page, good)
    sees(page, "Accepted: 2 of 2 tasks, 10 labels")

    call_command("run_due", "--close", "toy/main", verbosity=0)
    page.goto("/benchmarks/toy/")
    row = page.locator("table.board tr").filter(has_text="Analytical")
    assert "Team Ada" in row.inner_text()
    assert "1.000" in row.inner_text()


def test_an_organiser_closes_the_phase_and_the_release_appears(page, system, phase, owner, staff, tmp_path):
    from submissions.services import submit_predictions

    submit_predictions(
        system=system,
        phase=phase,
        user=owner,
        data=toy_zip(),
        file_name="larch.zip",
        received_at=database_now(),
    )
    sign_in(page, staff.email, "staff-password")

    page.goto(f"/admin/benchmarks/phase/{phase.pk}/change/")
    page.get_by_role("link", name="Close now").first.click()
    page.get_by_role("button", name="Close now").first.click()
    do_the_workers_part()

    page.goto("/benchmarks/toy/releases/1/")
    assert "Larch" in page.get_by_role("table").first.inner_text()


def test_a_board_reads_without_scripts(chromium, live_server, toy):
    refresh_stale()
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/benchmarks/toy/")
    assert "Human" in page.get_by_role("table").first.inner_text()
    context.close()


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_no_page_is_wider_than_the_window(page, toy, width):
    refresh_stale()
    page.set_viewport_size({"width": width, "height": 800})
    for path in (
        "/",
        "/benchmarks/toy/",
        "/benchmarks/toy/tasks/mood/",
        "/accounts/login/",
        "/accounts/signup/",
    ):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize("width", [1000, 1200, 1440])
def test_the_score_of_every_release_is_in_sight_beside_a_narrow_board(page, system, phase, owner, width):
    from submissions.services import submit_predictions

    system.name = "Chiffchaff-large"
    system.save()
    submit_predictions(
        system=system, phase=phase, user=owner, data=toy_zip(), file_name="a.zip", received_at=database_now()
    )
    call_command("run_due", "--close", "toy/main", verbosity=0)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/benchmarks/toy/tasks/mood/")
    releases = (
        page.locator("section").filter(has=page.get_by_role("heading", name="Releases")).locator(".scroll")
    )
    assert "1.000" in releases.inner_text()
    assert releases.evaluate("frame => frame.scrollWidth <= frame.clientWidth")
