"""A shared task from its definition to the archive on a disk: an organiser, an operator and three teams in windows.

The deadline moves, a label is corrected, a submission is disqualified, two teams become one, a name is removed; then
everything is taken home, the gold labels are opened, and the site is read without a server.
"""

import datetime as dt
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command

from accounts.mail.outbox import send_due
from accounts.server.clock import database_now
from leaderboard.publication.services import refresh_stale
from leaderboard.take_home.made_archives import make_ordered
from scoring.gold.opening import open_ordered
from tests.browser.steps import (
    Page,
    answer,
    close_now,
    do_the_workers_part,
    file_of,
    found_team_and_system,
    main_of,
    open_phase,
    press,
    rows_of,
    sees,
    sign_in,
)
from tests.conftest import person

pytestmark = [pytest.mark.walks, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ABORTED = "net::ERR_ABORTED"
HOUR = dt.timedelta(hours=1)
ITEMS = [f"t{number:02}" for number in range(1, 21)]
RIGHT = ["OFF", "NOT"] * 10
MISTYPED = ["NOT", *RIGHT[1:]]
"""The gold labels as they were loaded first."""


def definition(now: dt.datetime) -> str:
    opens, closes = (f"{now + hours * HOUR:%Y-%m-%dT%H:%MZ}" for hours in (-1, 24))
    return f"""
id: coarse
title: Coarse words
summary: Is a post offensive?
url: https://example.org/
citation: Made up.
bundle: {{files: any}}
tasks:
  - {{id: a, title: Offensive or not, code: A, summary: Yes or no., instructions: Say., licence: CC0, citation: Nobody,
     labels: ["NOT", "OFF"], metrics: [{{name: accuracy, title: Accuracy}}],
     file: {{path: a.csv, id_column: id, label_column: label}}}}
phases:
  - id: evaluation
    opens: {opens}
    closes: {closes}
    release: {{when: at-close}}
    quota: {{total: 3}}
    counting: latest
    one_per_team: true
"""


def table(labels: list[str], wrong: int = 0) -> str:
    """A file of answers, or of gold labels; the last `wrong` of them are turned round."""
    turned = {"OFF": "NOT", "NOT": "OFF"}
    right = len(labels) - wrong
    said = [*labels[:right], *(turned[label] for label in labels[right:])]
    return "id,label\n" + "".join(f"{item},{label}\n" for item, label in zip(ITEMS, said, strict=True))


def begin(page: Page) -> None:
    """From nothing to a draft that asks to be opened, by somebody who has an account and no more."""
    page.goto("/admin/")
    sees(page, "A new benchmark belongs to you")
    page.get_by_role("link", name="Begin a benchmark from it").click()
    page.locator("input[type=file]").set_input_files(file_of("coarse.yaml", definition(database_now())))
    page.locator("#question button").last.click()
    sees(page, "Offensive or not")
    page.locator("#question button").last.click()
    sees(page, "Coarse words is yours")
    load_gold(page, MISTYPED, "Gold version 1 was sealed: 20 items")
    page.goto("/admin/benchmarks/benchmark/coarse/change/")
    press(page, "Ask to be opened")
    answer(page, "Ask")
    sees(page, "They were written to")


def load_gold(page: Page, labels: list[str], says: str) -> None:
    page.goto("/admin/benchmarks/task/")
    page.locator("#result_list a").get_by_text("Offensive or not").first.click()
    press(page, "Load gold labels")
    answer(page, "Seal and load", file=file_of("a.csv", table(labels)))
    sees(page, says)


def open_to_all(page: Page) -> None:
    page.goto("/admin/benchmarks/benchmark/coarse/change/")
    press(page, "Who sees it")
    answer(page, "Change", visibility="public")
    sees(page, "Coarse words is public now")


def send(page: Page, wrong: int, says: str = "Accepted: 1 of 1 task") -> None:
    page.goto("/submit/?benchmark=coarse")
    page.locator("input[type=file]").set_input_files(file_of("a.csv", table(RIGHT, wrong)))
    page.get_by_role("button", name="Upload and check").click()
    sees(page, says)


def move_the_end(page: Page) -> None:
    open_phase(page, "Coarse words / Evaluation")
    later = database_now() + 48 * HOUR
    page.locator("[name=closes_at_0]").fill(f"{later:%Y-%m-%d}")
    page.locator("[name=closes_at_1]").fill(f"{later:%H:%M:%S}")
    page.get_by_role("button", name="Save", exact=True).click()
    sees(page, "3 people who take part get a mail with both dates.")
    press(page, "Move the end and write the mail")
    sees(page, f"The next cut-off is on {later:%a} {later.day} {later:%b %Y}")


def disqualify(page: Page, system: str) -> None:
    page.goto("/admin/submissions/submission/")
    page.locator("#result_list tr").filter(has_text=system).locator("a").first.click()
    press(page, "Disqualify")
    answer(page, "Disqualify", reason="Labels were copied from the test set.")
    sees(page, "isqualified")


def merge(page: Page, team: str, *, into: str) -> None:
    page.goto("/admin/accounts/team/")
    page.locator("#result_list").get_by_role("link", name=team, exact=True).click()
    press(page, "Merge into another team")
    answer(page, "Merge", into=into)
    sees(page, f"{team} is part of {into} now")


def replace_name(page: Page, team: str) -> None:
    page.goto("/admin/accounts/team/")
    page.locator("#result_list").get_by_role("link", name=team, exact=True).click()
    press(page, "Replace name on my boards")
    answer(page, "Replace the name", reason="offensive")
    sees(page, "it is called")


def take_home(page: Page, folder: Path) -> zipfile.ZipFile:
    page.goto("/admin/benchmarks/benchmark/coarse/change/")
    press(page, "Take everything home")
    answer(page, "Make the archive")
    make_ordered(database_now())
    page.goto("/admin/benchmarks/benchmark/coarse/change/")
    press(page, "Download the archive")
    with page.expect_download() as download:
        answer(page, "Download")
    download.value.save_as(folder / "everything.zip")
    return zipfile.ZipFile(folder / "everything.zip")


def open_gold(page: Page) -> None:
    page.goto("/admin/benchmarks/benchmark/coarse/change/")
    press(page, "Make gold labels public")
    answer(page, "Make public", reason="The event is over.")
    sees(page, "A worker opens the gold labels")
    open_ordered(database_now())
    do_the_workers_part()


def read_offline(chromium: Any, site: Path) -> None:
    """Open the folder as somebody does who has been sent it, in a browser without a network."""
    context = chromium.new_context(offline=True)
    page, failed = context.new_page(), []
    page.on("requestfailed", lambda request: failed.append((request.url, request.failure)))
    page.goto((site / "index.html").as_uri())
    sees(page, "Archived on")
    page.get_by_role("link", name="Alder 1").first.click()
    sees(page, "1.000")
    page.go_back()
    page.get_by_role("link", name="Releases").first.click()
    sees(page, "Release 2")
    # Whoever goes on to another page breaks off what is still on its way.
    assert [url for url, reason in failed if reason != ABORTED] == []
    context.close()


def scores(page: Page) -> dict[str, str]:
    """What stands in the first column of the board, by system."""
    page.goto("/benchmarks/coarse/?view=columns")
    return {name: cells[1] for name, cells in rows_of(page).items()}


def main_of_board(page: Page) -> str:
    page.goto("/benchmarks/coarse/")
    return main_of(page)


def test_a_shared_task_from_its_definition_to_the_archive_on_a_disk(
    open_window, chromium, gold_keys, tmp_path
):
    refresh_stale()
    operator, organiser = open_window(), open_window(1440)
    person("owner-of-all", is_staff=True, is_superuser=True)
    sign_in(operator, "owner-of-all@example.org", "owner-of-all-password")
    sign_in(organiser, person("organiser").email, "organiser-password")
    begin(organiser)
    open_to_all(operator)
    do_the_workers_part()

    teams = {name: open_window() for name in ("Alder", "Vile words", "Cedar")}
    for name, window in teams.items():
        sign_in(window, person(name.split()[0].lower()).email, f"{name.split()[0].lower()}-password")
        found_team_and_system(window, name, f"{name} 1")
    send(teams["Alder"], wrong=0)
    send(teams["Alder"], wrong=2, says="replaces")
    send(teams["Vile words"], wrong=4)
    send(teams["Cedar"], wrong=6)

    mail.outbox.clear()
    move_the_end(organiser)
    do_the_workers_part()
    send_due(database_now())
    assert len(mail.outbox) == len(teams)
    assert {letter.subject for letter in mail.outbox} == {"Coarse words: Evaluation ends on another date"}
    close_now(organiser, "Coarse words / Evaluation")
    assert scores(teams["Cedar"]) == {"Alder 1": ".850", "Vile words 1": ".750", "Cedar 1": ".650"}

    load_gold(organiser, RIGHT, "Gold version 2 was sealed: 20 items")
    disqualify(organiser, "Alder 1")
    organiser.goto("/admin/")
    sees(organiser, "Labels or submissions of Evaluation have changed since it was scored. Close it again")
    close_now(organiser, "Coarse words / Evaluation")
    assert scores(teams["Cedar"]) == {"Alder 1": "1.000", "Vile words 1": ".800", "Cedar 1": ".700"}

    merge(operator, "Cedar", into="Alder")
    replace_name(organiser, "Vile words")
    do_the_workers_part()
    assert "Vile" not in main_of_board(teams["Cedar"])

    taken = take_home(organiser, tmp_path)
    assert {"README.md", "SHA256SUMS"} <= {name.rpartition("/")[2] for name in taken.namelist()}
    open_gold(organiser)
    reader = open_window(390)
    reader.goto("/benchmarks/coarse/tasks/a/")
    with reader.expect_download() as download:
        reader.locator("#gold a[download]").first.click()
    opened = Path(download.value.path()).read_text("utf-8").splitlines()
    assert opened[1:] == table(RIGHT).splitlines()[1:]

    call_command("archive", "coarse", str(tmp_path / "site"))
    read_offline(chromium, tmp_path / "site")
