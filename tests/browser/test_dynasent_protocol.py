"""DynaSent from the first responses to the next round: gold labels, a solved round, the draw, and what is drawn."""

import io
import json
import zipfile
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings

from leaderboard.publication.services import refresh_stale
from submissions.models import Submission
from tests.browser.steps import (
    answer,
    board,
    close_now,
    do_the_workers_part,
    file_of,
    found_team_and_system,
    main_of,
    press,
    rows_of,
    sees,
    sign_in,
)
from tests.conftest import person
from tests.people import appoint
from tests.post import sent

pytestmark = [pytest.mark.walks, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LABELS = ("positive", "negative", "neutral")
FIRST = [(f"r1-{number}", LABELS[number % 3]) for number in range(9)]
CAREFUL, CARELESS = [f"w{number}" for number in range(1, 6)], "<script>alert(1)</script>"
HUMAN = ((4 * 1 + 0.8) / 5 + 1 + 1) / 3
"""One of five annotators misses one of three positive items: recall 2/3, F1 0.8. All else is right."""
CELLS = [(f"c{number:02}", *cell) for number, cell in enumerate([*product(LABELS, LABELS)] * 2)]
"""Candidates with gold label and the chosen system's answer: two of each, enough for nine items of dev and of test."""
ANSWERS = {item: answer for item, _, answer in CELLS}


@pytest.fixture
def dynasent(sync, gold_keys):
    definition = Path(settings.BASE_DIR) / "benchmarks" / "definitions" / "dynasent.yaml"
    return sync(definition.read_text("utf-8"))


def item(name: str, label: str, workers=CAREFUL, **more: object) -> dict[str, object]:
    """An item of which all these workers say the same."""
    return {
        "text_id": name,
        "sentence": f"It is <b>{name}</b>.",
        "label_distribution": {label: workers},
        **more,
    }


def lines(items) -> str:
    return "".join(json.dumps(one) + "\n" for one in items)


def first_round() -> list[dict[str, object]]:
    """Nine items; of the first, one worker says what nobody else does."""
    odd = item(*FIRST[0])
    odd["label_distribution"] = {FIRST[0][1]: CAREFUL[:4], "mixed": [CARELESS]}
    return [odd, *(item(*one) for one in FIRST[1:])]


def candidates(count: int) -> list[dict[str, object]]:
    """So many that may be drawn, and one for training."""
    named = [item(name, label, prompt=f"Prompt {name}.") for name, label, _ in CELLS[:count]]
    return [*named, item("t1", "mixed")]


def predictions(answers) -> str:
    return "text_id,prediction\n" + "".join(f"{name},{label}\n" for name, label in answers)


def open_task(page, title: str) -> None:
    page.goto("/admin/benchmarks/task/")
    page.get_by_role("link", name=title, exact=True).click()


def load_responses(page, task: str, split: str, content: str | bytes) -> None:
    open_task(page, task)
    press(page, "Load responses")
    answer(page, "Seal and load", file=file_of(f"{split}.jsonl", content), split=split)


def load_first_round(page) -> None:
    """A malformed file is refused; of the right one the organiser reads what the responses say."""
    faulty = lines([*first_round()[:-1], item("r1-8", "neutral", CAREFUL[:4])])
    load_responses(page, "Round 1", "test", faulty)
    sees(
        page,
        "test.jsonl, line 9, column label_distribution: The item has 4 responses. Every item needs exactly 5.",
    )
    answer(page, "Seal and load", file=file_of("test.jsonl", lines(first_round())), split="test")
    sees(page, "gold labels of 9 items of 9 were inferred and sealed")
    sees(page, f"Human estimate: F1 macro {HUMAN:.3f}")
    sees(page, CARELESS)
    sees(page, "Items to collect again: 1")


def upload(page, name: str, answers, *, says: str = "Accepted: 1 of 5 tasks") -> None:
    page.goto("/submit/?benchmark=dynasent")
    page.locator("input[type=file]").set_input_files(file_of(name, predictions(answers)))
    page.get_by_role("button", name="Upload and check").click()
    sees(page, says)


def reader_sees_round_1_solved(page) -> None:
    """The human estimate beside the systems, by whom the round is solved, and when."""
    page.goto("/")
    board(page, "DynaSent")
    rows = board(page, "Round 1")
    assert rows["Wren"][:5] == ["1", "1.000", "1.000", "1.000", "1.000"]
    sees(page, "Round 1 is solved: Wren of Team Ada reached 1.000 (F1 macro) in release 1")
    human = page.locator("tr.human").filter(has_text="five synthetic annotators of 45 responses")
    assert human.locator("td").nth(1).inner_text().strip() == f"{HUMAN:.3f}"[1:]
    assert human.locator("td").first.inner_text().strip() == "not ranked"


def ask_for_a_round(page, count: int, submission: str) -> None:
    question = page.locator("#question")
    question.locator("[name=responses]").set_input_files(
        file_of("candidates.jsonl", lines(candidates(count)))
    )
    question.locator("[name=submission]").select_option(submission)
    for part in ("dev", "test"):
        question.locator(f"[name={part}]").fill("9")
    question.get_by_role("button", name="Draw and download").click()


def draw(page, submission: str) -> dict[str, bytes]:
    """The organiser is told what is short, draws, and gets the parts."""
    open_task(page, "Round 1")
    press(page, "Draw a round")
    ask_for_a_round(page, 9, submission)
    sees(page, "positive: 1 item with a prompt that the system gets right, and 2 are needed: 1 short.")
    sees(page, "neutral: 2 items with a prompt that the system gets wrong, and 4 are needed: 2 short.")
    with page.expect_download() as download:
        ask_for_a_round(page, 18, submission)
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def ids_of(data: bytes) -> list[str]:
    return [json.loads(line)["text_id"] for line in data.splitlines()]


def test_dynasent_from_responses_to_the_next_round(open_window, dynasent):
    refresh_stale()
    organiser = person("organiser", is_staff=True)
    appoint(dynasent, organiser)
    admin = open_window(width=1400)  # wide enough for the admin's menu
    sign_in(admin, organiser.email, "organiser-password")
    load_first_round(admin)

    ada, reader = open_window(), open_window()
    sign_in(ada, person("ada").email, "ada-password")
    found_team_and_system(ada, "Team Ada", "Wren")
    upload(ada, "round1_test.csv", [("r1-0", "Positive"), *FIRST[1:]], says="Line 2, column prediction")
    assert not Submission.objects.exists()
    upload(ada, "round1_test.csv", FIRST)
    close_now(admin, "DynaSent / Main")
    reader_sees_round_1_solved(reader)
    solved = [mail for mail in sent() if mail.to == [organiser.email]]
    assert [mail.subject for mail in solved] == ["DynaSent: Round 1 is solved by Wren"]

    load_responses(admin, "Round 1", "candidates", lines(candidates(18)))
    sees(admin, "gold labels of 18 items of 19 were inferred and sealed")
    do_the_workers_part()
    upload(ada, "round1_candidates.csv", ANSWERS.items())
    parts = draw(admin, str(Submission.objects.latest("received_at").pk))
    assert ids_of(parts["train.jsonl"]) == ["t1"]

    for split in ("dev", "test"):
        load_responses(admin, "Round 2", split, parts[f"{split}.jsonl"])
        sees(admin, "gold labels of 9 items of 9 were inferred and sealed")
        ids = ids_of(parts[f"{split}.jsonl"])
        upload(ada, f"round2_{split}.csv", [(name, ANSWERS[name]) for name in ids])
    close_now(admin, "DynaSent / Main")
    reader.goto("/benchmarks/dynasent/boards/round-2/")
    assert rows_of(reader)["Wren"] == ["1", *[".333"] * 8]
    assert "Round 2 is solved" not in main_of(reader)
