"""What a participant, an organiser and a reader do, from the first click to the published board."""

from pathlib import Path
from typing import Literal

import pytest
from django.core.management import call_command

from accounts.server.clock import database_now
from benchmarks.models import Phase
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission
from tests.browser.steps import do_the_workers_part, file_of, fits, link_that_confirms, sees, sign_in
from tests.uploads import toy_zip
from tests.weeks import CUT_OFF, HALF_WRONG, run_batch, upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a long enough secret"
Window = tuple[int, Literal["light", "dark"]]
# Neighbours differ in both, and the two walks have the other theme at each width.
READERS: tuple[Window, ...] = ((360, "light"), (768, "dark"), (1440, "light"))
PARTICIPANTS: tuple[Window, ...] = ((360, "dark"), (768, "light"), (1440, "dark"))


def send(page, path: Path) -> None:
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Upload and check").click()


def follow_the_link_that_confirms(page) -> None:
    """Open the link in the first mail, as the reader of it would, and say yes."""
    page.goto(link_that_confirms())
    fits(page)
    page.get_by_role("button", name="Yes, confirm it").click()


@pytest.mark.parametrize(("width", "theme"), READERS)
def test_a_reader_finds_and_exports_the_leader(open_window, toy, system, phase, width, theme):
    upload(system, phase)
    rival = Submission.objects.get().system.team.systems.create(name="Alder", created_at=system.created_at)
    upload(rival, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    refresh_stale()
    page = open_window(width, theme)
    page.goto("/")
    fits(page)
    page.get_by_role("link", name="Toy", exact=True).first.click()
    leader = page.locator("table.board tbody tr").filter(has=page.locator("th a")).first
    assert "Larch" in leader.inner_text()
    fits(page)
    page.locator("summary", has_text="Export").click()
    for name in ("CSV", "LaTeX"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).first.click()
        text = Path(download.value.path()).read_text("utf-8")
        assert text.index("Larch") < text.index("Alder")
    page.goto("/benchmarks/toy/tasks/mood/")
    fits(page)
    page.locator("table.board").get_by_role("link", name="Larch").first.click()
    sees(page, "Larch")
    fits(page)


@pytest.mark.parametrize(("width", "theme"), PARTICIPANTS)
def test_a_newcomer_signs_up_is_refused_corrects_and_stands_on_the_board(
    open_window, toy, tmp_path, width, theme
):
    refresh_stale()
    page = open_window(width, theme)
    bad, good = tmp_path / "bad.zip", tmp_path / "good.zip"
    bad.write_bytes(toy_zip(mood="good god bad bad good bad"))
    good.write_bytes(toy_zip())

    page.goto("/benchmarks/toy/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Submit").click()
    fits(page)
    page.locator("main").get_by_role("link", name="Sign up").click()
    fits(page)
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.locator("input[name=password1]").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    sees(page, "Found a team")
    follow_the_link_that_confirms(page)
    page.get_by_role("link", name="Found a team").click()
    fits(page)
    page.get_by_label("Name", exact=True).fill("Team Ada")
    page.get_by_role("button", name="Found the team").click()
    fits(page)
    page.get_by_label("Name", exact=True).fill("Analytical")
    page.get_by_role("button", name="Enter the system").click()

    send(page, bad)
    sees(page, "Not accepted: 1 problem")
    fits(page)
    assert "Line 3, column Label" in page.locator("main").inner_text()
    assert not Submission.objects.exists()

    page.get_by_role("link", name="Choose another file").click()
    fits(page)
    send(page, good)
    sees(page, "Accepted: 2 of 2 tasks, 10 labels")
    fits(page)

    call_command("run_due", "--close", "toy/main", verbosity=0)
    page.goto("/benchmarks/toy/")
    row = page.locator("table.board tr").filter(has_text="Analytical")
    assert "Team Ada" in row.inner_text()
    assert "1.000" in row.inner_text()
    page.goto("/submissions/")
    fits(page)


def test_an_organiser_closes_the_phase_and_the_release_appears(page, system, phase, owner, staff, tmp_path):
    from submissions.services import PredictionUpload, submit_predictions

    submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=owner,
            data=toy_zip(),
            file_name="larch.zip",
            received_at=database_now(),
        )
    )
    sign_in(page, staff.email, "staff-password")

    page.goto(f"/admin/benchmarks/phase/{phase.pk}/change/")
    page.get_by_role("link", name="Close now").first.click()
    page.get_by_role("button", name="Close now").first.click()
    do_the_workers_part()

    page.goto("/benchmarks/toy/releases/1/")
    assert "Larch" in page.get_by_role("table").first.inner_text()


def test_an_organiser_changes_a_phase_without_scripts(chromium, live_server, toy, phase, staff):
    window = chromium.new_context(base_url=live_server.url, java_script_enabled=False).new_page()
    sign_in(window, staff.email, "staff-password")
    window.goto(f"/admin/benchmarks/phase/{phase.pk}/change/")
    window.get_by_label("Title").fill("Autumn")
    window.get_by_role("button", name="Save", exact=True).click()
    sees(window, "Phases")
    assert Phase.objects.get().title == "Autumn"
    window.goto("/admin/benchmarks/task/new/")
    window.locator("input[type=file]").set_input_files(file_of("gold.csv", b"id,label\na,x\nb,y\n"))
    window.get_by_role("button", name="Read the file").click()
    sees(window, "What each column is, and what a system answers.")


def test_a_board_reads_without_scripts(chromium, live_server, toy):
    refresh_stale()
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/benchmarks/toy/")
    assert "Human" in page.get_by_role("table").first.inner_text()
    context.close()


def test_the_score_of_every_release_is_in_sight(page, system, phase, owner):
    from submissions.services import PredictionUpload, submit_predictions

    system.name = "Chiffchaff-large"
    system.save()
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=owner,
            data=toy_zip(),
            file_name="a.zip",
            received_at=database_now(),
        )
    )
    call_command("run_due", "--close", "toy/main", verbosity=0)
    page.goto("/benchmarks/toy/releases/")
    releases = (
        page.locator("section")
        .filter(has=page.get_by_role("heading", name="Releases"))
        .locator(".scroll")
        .first
    )
    for width in (1000, 1200, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert "1.000" in releases.inner_text()
        assert releases.evaluate("frame => frame.scrollWidth <= frame.clientWidth"), width
