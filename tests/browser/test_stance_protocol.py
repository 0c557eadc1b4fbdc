"""The stance benchmark from the organiser's first click to the published boards: texts, attack sets, seeds, tracks."""

import csv
import io
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from django.conf import settings
from sklearn.metrics import f1_score

from benchmarks.models import Attack
from leaderboard.publication.services import refresh_stale
from submissions.intake import CanonicalPredictions
from submissions.intake.predictions.file_writer import write_files, write_gold, zip_of
from submissions.models import Submission
from submissions.uploads.expected_splits import split_targets
from tests.browser.steps import (
    answer,
    board,
    close_now,
    do_the_workers_part,
    file_of,
    found_team_and_system,
    main_of,
    press,
    sees,
    sign_in,
)
from tests.conftest import person
from tests.people import appoint

pytestmark = [pytest.mark.walks, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TASKS = ("arc", "perspectrum")
IDS = [f"d{number}" for number in range(1, 9)]
GOLD = {"arc": [0, 1, 2, 3, 0, 1, 2, 3], "perspectrum": [0, 1, 0, 1, 0, 1, 0, 1]}
SENTENCE = "Schools should certainly begin later because children sleep longer"
REWORDED = "Lessons ought to start later since pupils would get more rest"


@pytest.fixture
def stance(sync, gold_keys):
    """The benchmark with two of its ten data sets, and the average over these two."""
    definition = Path(settings.BASE_DIR) / "benchmarks" / "definitions" / "stance.yaml"
    document = yaml.safe_load(definition.read_text("utf-8"))
    absent = {task["id"] for task in document["tasks"]} - {*TASKS}
    document["tasks"] = [task for task in document["tasks"] if task["id"] in TASKS]
    document["averages"][0]["of"] = list(TASKS)
    for row in document["reported"]:
        row["values"] = {
            key: value for key, value in row["values"].items() if key.split(":")[0] not in absent
        }
    document["reported"] = [row for row in document["reported"] if row["values"]]
    del document["reproductions"]
    return sync(yaml.safe_dump(document, sort_keys=False))


def texts(sentence: str, ids=IDS) -> str:
    return "id,text\n" + "".join(f"{item},{sentence} {item}.\n" for item in ids)


def load_gold(page, task) -> None:
    page.goto("/admin/")
    page.get_by_role("link", name=task.id, exact=True).click()
    press(page, "Load gold labels")
    gold = np.array(GOLD[task.id], dtype=np.uint16)
    answer(page, "Seal and load", file=file_of(task.gold.path, write_gold(task, IDS, gold)))
    sees(page, "Gold version 1 was sealed: 8 items")


def load_texts_and_make_attacks(page) -> None:
    """From the task's page, on which loading gold labels ended."""
    press(page, "Load texts")
    answer(page, "Load", file=file_of("texts.csv", texts(SENTENCE, [*IDS[:7], "d9"])), split="test")
    sees(page, "texts.csv, line 9, column id")
    answer(page, "Load", file=file_of("texts.csv", texts(SENTENCE)), split="test")
    for attack in ("negation", "spelling"):
        press(page, "Make an attack set")
        answer(page, "Make", attack=attack, seed="7")
        sees(page, f"{attack}: texts of 8 items.")
    press(page, "Load texts")
    answer(page, "Load", file=file_of("reworded.csv", texts(REWORDED)), split="paraphrase")
    sees(page, "paraphrase: texts of 8 items.")


def find_correct_shares(page) -> None:
    """Paraphrases by two annotators, spelling by its readability, negation as it is known."""
    page.goto("/admin/")
    press(page, "Attacks")
    page.get_by_role("link", name="Paraphrase").first.click()
    rows = [f"{task},{item},y,{'n' if item == 'd1' else 'y'}" for task in TASKS for item in IDS[:4]]
    data = "\n".join(["task,id,annotator_1,annotator_2", *rows, ""])
    press(page, "Load annotators' answers")
    answer(page, "Load", file=file_of("answers.csv", data.replace("d1,y,n", "d1,y,maybe", 1)))
    sees(page, "answers.csv, line 2, column annotator_2")
    answer(page, "Load", file=file_of("answers.csv", data))
    sees(page, "The share of correct Paraphrase samples is 0.875.")
    press(page, "Attacks")
    page.get_by_role("link", name="Spelling").first.click()
    press(page, "Measure readability")
    answer(page, "Measure")
    sees(page, "The share of correct Spelling samples is 0.")
    press(page, "Attacks")
    page.get_by_role("link", name="Negation").first.click()
    press(page, "Enter the share")
    answer(page, "Enter", share="1")
    sees(page, "The share of correct Negation samples is 1.000.")


def read_what_attacks_made(page) -> None:
    """A participant finds the texts of every set on the task's page."""
    page.goto("/benchmarks/stance/tasks/arc/")
    assert "spelling/arc.csv" in main_of(page)
    with page.expect_download() as download:
        page.locator("a[href$='/texts/arc/spelling.csv']").click()
    header, *rows = csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8")))
    assert header == ["id", "text"]
    assert [row[0] for row in rows] == IDS
    assert all(text != f"{SENTENCE} {item}." for item, text in rows)


def answers_of(task: str, wrong: int) -> np.ndarray:
    """The gold labels, of which the first ones are taken for the next label."""
    classes = max(GOLD[task]) + 1
    return np.array([(code + (at < wrong)) % classes for at, code in enumerate(GOLD[task])], dtype=np.uint16)


def upload_of(benchmark, seeds: int, *, worse: int = 0) -> bytes:
    """Predictions of several seeds, each with one more label wrong than the one before, and one more if attacked."""
    targets = split_targets(benchmark.phases.first())
    predictions = []
    for seed in range(1, seeds + 1):
        for one in targets:
            wrong = seed - 1 + worse + (one.split != "test")
            codes = answers_of(one.task.id, wrong)
            predictions.append(CanonicalPredictions(one.task.id, one.split, codes, seed))
    return zip_of(write_files(targets, predictions, seeds=5))


def without(data: bytes, path: str) -> bytes:
    """A zip without one of its files."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return zip_of({name: archive.read(name) for name in archive.namelist() if name != path})


def upload(page, data: bytes, *, says: str, track: str = "") -> None:
    page.goto("/submit/?benchmark=stance")
    page.get_by_label("Track").select_option(label=track or "The main track")
    page.locator("input[type=file]").set_input_files(file_of("seeds.zip", data))
    page.get_by_role("button", name="Upload and check").click()
    sees(page, says)


def scores(seeds: int, *, worse: int = 0, attacked: bool = False) -> dict[str, np.ndarray]:
    """The F1 macro of every seed: of each task, and overall."""
    found = {
        task: np.array(
            [
                f1_score(GOLD[task], answers_of(task, seed + worse + attacked), average="macro")
                for seed in range(seeds)
            ]
        )
        for task in TASKS
    }
    return found | {"overall": (found["arc"] + found["perspectrum"]) / 2}


def printed(value: float) -> str:
    """A score as boards print it."""
    return f"{value:.3f}".removeprefix("0")


def main_board(page) -> None:
    """Means over five seeds with their deviation; a group that lacks seeds says so and has no rank."""
    page.goto("/")
    rows, five = board(page, "Stance Detection Benchmark"), scores(5)
    assert rows["Wren"][:2] == ["1", printed(five["overall"].mean())]
    assert f"sd {printed(five['overall'].std())}" in main_of(page)
    assert rows["Dunnock"][0] == ""
    assert "3 of 5 seeds" in page.locator("tr").filter(has_text="Dunnock").inner_text()


def robustness_boards(page) -> None:
    """What attacks take from the score, and how well systems stand them."""
    spelling = Attack.objects.get(slug="spelling").correct_share
    assert spelling is not None
    shares = {"Paraphrase": 0.875, "Spelling": spelling, "Negation": 1.0}
    test, attacked = scores(5)["overall"].mean(), scores(5, attacked=True)["overall"].mean()
    drop = (test - attacked) / test
    under_attack = f"{printed(attacked)} ({printed(drop)})"
    relative = printed(1 - (test - attacked))
    assert board(page, "Influence of attacks")["Wren"] == ["1", printed(test), *[under_attack] * 3]
    rows = board(page, "Resilience")
    assert rows["Wren"] == ["1", relative, printed(attacked), *[relative] * 3]
    assert rows["MT-DNN, ten data sets"] == ["", "-", ".596", "-", "-", "-"]
    rows = board(page, "Potency of attacks")
    for name, share in shares.items():
        assert rows[name] == [printed(share * (1 - attacked)), printed(1 - attacked), printed(share)]
    assert board(page, "Attacked: Spelling")["Wren"][:2] == ["1", under_attack]


def track_boards(page) -> None:
    """A board per share of the training data, and all of them in a figure."""
    full, tenth = (scores(5, worse=worse)["overall"].mean() for worse in (0, 2))
    assert board(page, "10 % of the training data")["Wren"][:2] == ["1", printed(tenth)]
    rows = board(page, "Less training data")
    assert rows["Wren"][1:5] == [printed(full), "-", "-", printed(tenth)]
    label = page.locator(".chart svg").first.locator("text", has_text=re.compile("^Wren$"))
    assert label.is_visible()


def test_stance_from_the_organisers_first_click_to_the_boards(open_window, stance):
    refresh_stale()
    organiser = person("organiser", is_staff=True)
    appoint(stance, organiser)
    admin = open_window(width=1400)  # wide enough for the admin's menu
    sign_in(admin, organiser.email, "organiser-password")
    for task in stance.spec.tasks:
        load_gold(admin, task)
        load_texts_and_make_attacks(admin)
    find_correct_shares(admin)

    do_the_workers_part()  # pages with the new texts
    ada, bo = open_window(), open_window()
    sign_in(ada, person("ada").email, "ada-password")
    found_team_and_system(ada, "Team Ada", "Wren")
    read_what_attacks_made(ada)
    ragged = without(upload_of(stance, 5), "seed2/spelling/arc.csv")
    upload(ada, ragged, says="add seed2/spelling/arc.csv, or leave the file out of every seed")
    assert not Submission.objects.exists()
    upload(ada, upload_of(stance, 5), says="Accepted: 2 of 2 tasks")
    upload(ada, upload_of(stance, 5, worse=2), track="10 %", says="Accepted: 2 of 2 tasks")
    sign_in(bo, person("bo").email, "bo-password")
    found_team_and_system(bo, "Team Bo", "Dunnock")
    upload(bo, upload_of(stance, 3, worse=1), says="Accepted: 2 of 2 tasks")

    close_now(admin, f"{stance.title} / Main")
    main_board(ada)
    robustness_boards(ada)
    track_boards(ada)
