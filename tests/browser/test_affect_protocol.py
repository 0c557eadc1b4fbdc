"""Affect in Tweets from the organiser's first click to the published board: gold, pairs, dates, uploads, the close."""

import datetime as dt
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings

from accounts.server.clock import database_now
from accounts.services import create_team
from leaderboard.publication.services import refresh_stale
from scoring.models import GoldVersion
from submissions.intake import CanonicalPredictions
from submissions.intake.predictions.file_writer import write_files, write_gold, zip_of
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.uploads.expected_splits import split_targets
from tests.browser.steps import (
    answer,
    board,
    close_now,
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
from tests.people import appoint

pytestmark = [pytest.mark.walks, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EMOTIONS = [f"EI-reg-en-{emotion}" for emotion in ("anger", "fear", "joy", "sadness")]
TASKS = [*EMOTIONS, "V-reg-en"]
TWEETS = [f"2018-En-{number:05}" for number in range(1, 11)]
SENTENCES = [f"2018-En-mystery-{number:05}" for number in range(1, 13)]
RIGHT = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95]
FAVOURS_SHE = [0.7, 0.5, 0.71, 0.5, 0.72, 0.5, 0.73, 0.5, 0.74, 0.5, 0.75, 0.5]
FAIR = [0.5] * len(SENTENCES)
STRATA = ["calm", "calm", "calm", "wild", "wild", "wild"]
PAIRS = "pair,group,id,stratum\n" + "".join(
    f"p{pair},she,{SENTENCES[2 * pair]},{stratum}\np{pair},he,{SENTENCES[2 * pair + 1]},{stratum}\n"
    for pair, stratum in enumerate(STRATA)
)


@pytest.fixture
def affect(sync, gold_keys):
    definition = Path(settings.BASE_DIR) / "benchmarks" / "definitions" / "ait2018.yaml"
    return sync(definition.read_text("utf-8"))


def files_of(benchmark, tweets, sentences, tasks=TASKS) -> dict[str, bytes]:
    """The files that answer these tasks, each in the same way."""
    answers = {"test": np.array(tweets), "equity": np.array(sentences)}
    targets = [target for target in split_targets(benchmark.phases.first()) if target.task.id in tasks]
    predictions = [
        CanonicalPredictions(target.task.id, target.split, answers[target.split]) for target in targets
    ]
    return write_files(targets, predictions)


def upload_of(*what) -> bytes:
    """The same as a zip."""
    return zip_of(files_of(*what))


def load_all_gold(page, benchmark) -> None:
    """From what the first page of the admin says is missing, task by task."""
    gold = np.array([*RIGHT, *FAIR])
    for name in TASKS:
        task = benchmark.spec.task(name)
        page.goto("/admin/")
        page.get_by_role("link", name=name, exact=True).click()
        press(page, "Load gold labels")
        answer(
            page, "Seal and load", file=file_of(task.gold.path, write_gold(task, [*TWEETS, *SENTENCES], gold))
        )
        sees(page, "Gold version 1 was sealed: 10 items")


def load_pairs(page) -> None:
    """From the last task's page, where gold labels were loaded, for all tasks with these ids."""
    press(page, "Load pairs")
    faulty = PAIRS.replace(SENTENCES[3], TWEETS[0])
    answer(page, "Load", file=file_of("gender.csv", faulty), comparison="gender", title="Gender")
    sees(page, "gender.csv, line 5, column id")
    page.locator("#question [name=everywhere]").check()
    answer(page, "Load", file=file_of("gender.csv", PAIRS), comparison="gender", title="Gender")
    sees(page, "6 pairs, she minus he, for EI-reg-en-anger, EI-reg-en-fear")


def phase_page(page, title: str) -> None:
    open_phase(page, f"Affect in Tweets / {title}")


def set_date(page, field: str, instant: dt.datetime, says: str = "The next cut-off is on") -> None:
    """On a phase's page, when it opens or closes."""
    page.locator(f"[name={field}_0]").fill(f"{instant:%Y-%m-%d}")
    page.locator(f"[name={field}_1]").fill(f"{instant:%H:%M:%S}")
    page.get_by_role("button", name="Save", exact=True).click()
    if field == "closes_at":
        press(page, "Move the end")
    sees(page, says)


def go_on_to_post_evaluation(page) -> None:
    """The organiser ends the evaluation before its time, and what comes after it opens."""
    a_minute_ago = database_now() - dt.timedelta(minutes=1)
    phase_page(page, "Evaluation")
    set_date(page, "closes_at", a_minute_ago, "Evaluation is closed since")
    sees(page, "Post-evaluation, which follows it, now opens when it closes.")


def upload(page, name: str, content: bytes, *, says: str, tick: str = "") -> None:
    page.goto("/submit/?benchmark=ait2018")
    page.locator("input[type=file]").set_input_files(file_of(name, content))
    if tick:
        page.get_by_role("checkbox", name=tick, exact=True).check()
    page.get_by_role("button", name="Upload and check").click()
    sees(page, says)


def enter_others(benchmark, names) -> None:
    """Teams that have uploaded meanwhile, each a little worse than the one before."""
    for place, name in enumerate(names):
        user = person(name.lower())
        team = create_team(name=name, founder=user, now=database_now())
        system = System.objects.create(team=team, name=f"{name} 1", created_at=database_now())
        tweets = [*RIGHT[place + 1 :: -1], *RIGHT[place + 2 :]]  # the lowest of them the wrong way round
        submit_predictions(
            PredictionUpload(
                system=system,
                phase=benchmark.phases.get(slug="evaluation"),
                user=user,
                data=upload_of(benchmark, tweets, FAIR),
                file_name="upload.zip",
                received_at=database_now(),
            )
        )


def board_of_english_intensity(page) -> None:
    """The bottom line only for who answered all four emotions; other rows beside them, without rank."""
    page.goto("/")
    board(page, "Affect in Tweets")
    rows = board(page, "EI-reg, English")
    assert rows["Wren"] == ["1", "1.000", *["1.000"] * 9]
    assert rows["Dunnock"] == ["", "-", "1.000", "-", "-", "-", "-", "1.000", "-", "-", "-"]
    assert (rows["Median team"][0], rows["Median team"][1:]) == ("", rows["Di 1"][1:])
    assert rows["SeerNet"][:3] == ["", ".799", ".827"]
    assert "Emotion intensity, English, joy" in main_of(page)
    assert "Emotion intensity, Spanish, joy" not in main_of(page)
    assert [row[0] for name, row in rows.items() if name.endswith(" 1")] == ["2", "3", "4", "5"]


def reports_of_the_release(page) -> None:
    """Under analysis: what systems are made of, and how many favour whom."""
    page.goto("/benchmarks/ait2018/analysis/")
    sees(page, "1 of 6 systems has one")
    rows = page.locator("#fact-sheets tbody tr").all()
    assert ["LSTM", "1"] in [row.locator("td").all_text_contents() for row in rows]
    anger = page.locator("#equity tr").filter(has_text="English, anger")
    assert anger.inner_text().split("\t")[1:5] == ["5", "1", "0", "6"]
    assert "Wren" not in page.locator("#equity").inner_text()


def equity_report(page) -> str:
    """A team reads its own from the page of its submission; returns its address."""
    page.goto("/submissions/")
    page.get_by_role("link", name="UTC").first.click()
    page.get_by_role("link", name="The equity report").click()
    sees(page, "Bonferroni")
    page.wait_for_load_state()
    lines = page.get_by_role("row").all_inner_texts()
    assert sum("she higher" in line for line in lines) == 3 * len(TASKS)  # of all pairs and of two strata
    wild = next(set(line.split("\t")) for line in lines if line.startswith("wild"))
    assert {"she higher", "0.2400", "0.7400", "0.5000", "3"} <= wild
    return page.url


def test_affect_in_tweets_from_the_organisers_first_click_to_the_board(open_window, affect):
    refresh_stale()
    organiser = person("organiser", is_staff=True)
    appoint(affect, organiser)
    admin = open_window()
    sign_in(admin, organiser.email, "organiser-password")
    load_all_gold(admin, affect)
    assert GoldVersion.objects.count() == len(TASKS)
    load_pairs(admin)
    phase_page(admin, "Evaluation")
    tomorrow = database_now() + dt.timedelta(days=1)
    set_date(admin, "closes_at", tomorrow)
    sees(admin, f"The next cut-off is on {tomorrow:%a} {tomorrow.day} {tomorrow:%b %Y}, {tomorrow:%H:%M}")

    ada = open_window()
    sign_in(ada, person("ada").email, "ada-password")
    found_team_and_system(ada, "Team Ada", "Wren")
    faulty = upload_of(affect, [1.5, *RIGHT[1:]], FAVOURS_SHE, ["V-reg-en"])
    upload(ada, "wren.zip", faulty, says="Line 2, column Intensity Score")
    assert not Submission.objects.exists()
    right = upload_of(affect, RIGHT, FAVOURS_SHE)
    upload(ada, "wren.zip", right, tick="LSTM", says="Accepted: 5 of 33 tasks")

    bo = open_window()
    sign_in(bo, person("bo").email, "bo-password")
    found_team_and_system(bo, "Team Bo", "Dunnock")
    ((name, content),) = files_of(affect, RIGHT, FAIR, ["EI-reg-en-anger"]).items()
    upload(bo, name, content, says="Accepted: 1 of 33 tasks")
    enter_others(affect, ["Cy", "Di", "Ed", "Flo"])

    close_now(admin, "Affect in Tweets / Evaluation")
    board_of_english_intensity(ada)
    reports_of_the_release(ada)
    report_of_ada = equity_report(ada)
    assert bo.goto(report_of_ada).status == 404

    go_on_to_post_evaluation(admin)
    upload(bo, "all.zip", upload_of(affect, RIGHT, FAIR, EMOTIONS), says="Accepted: 4 of 33 tasks")
    assert "Post-evaluation" in main_of(bo)
    close_now(admin, "Affect in Tweets / Post-evaluation")
    bo.goto("/benchmarks/ait2018/boards/EI-reg-en/")
    rows = rows_of(bo)
    assert rows["Dunnock"][:2] == ["1", "1.000"]
    assert "Wren" not in rows
