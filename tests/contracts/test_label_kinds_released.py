"""Probabilities, lists of labels and preferences to the release: every page, export and archive that follows."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks.models import Benchmark
from leaderboard.take_home.archive_contents import write_archive
from scoring.gold.versions import load_gold
from scoring.models import ScoringRun
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.pages import browser_of, read, text_of
from tests.published import published
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, board, row_of, run_batch

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ITEMS = [f"i{number}" for number in range(30)]
TAGS = ["statistics", "networks", "biology", "programming", "web"]

pytestmark = pytest.mark.thorough


def table(columns: str, rows: list[str]) -> bytes:
    return "\n".join(
        [columns, *(f"{item},{row}" for item, row in zip(ITEMS, rows, strict=True)), ""]
    ).encode()


def lines(key: str, answers: list[object]) -> bytes:
    told = ({"id": item, key: answer} for item, answer in zip(ITEMS, answers, strict=True))
    return "".join(json.dumps(one) + "\n" for one in told).encode()


def probabilities(seed: int) -> dict[str, bytes]:
    random = np.random.default_rng(seed)
    of_malignant = np.round(random.random(30), 2)
    of_digits = np.round(random.dirichlet(np.ones(10), 30), 6)
    of_digits[:, 0] += 1 - of_digits.sum(axis=1)
    rows = [f"{share:.2f},{1 - share:.2f}" for share in of_malignant.tolist()]
    digits: list[object] = [dict(zip("0123456789", row, strict=True)) for row in np.abs(of_digits).tolist()]
    return {
        "tumours.csv": table("id,malignant,benign", rows),
        "digits.jsonl": lines("probabilities", digits),
    }


def likely(seed: int) -> dict[str, bytes]:
    random = np.random.default_rng(seed)
    comments, sounds = random.random((30, 3)).round(2).tolist(), random.random((30, 4)).round(2).tolist()
    heard: list[object] = [dict(zip(("rain", "birds", "cars", "voices"), row, strict=True)) for row in sounds]
    return {
        "comments.csv": table("id,toxic,insult,threat", [",".join(map(str, row)) for row in comments]),
        "sounds.jsonl": lines("sounds", heard),
    }


def shares(seed: int) -> dict[str, bytes]:
    random = np.random.default_rng(seed)
    offended = (random.integers(0, 7, 30) / 8).tolist()
    votes = random.multinomial(4, [0.5, 0.25, 0.25], 30) / 4
    return {
        "offence.jsonl": lines("soft_label", [{"0": 1 - share, "1": share} for share in offended]),
        "irony.csv": table("id,none,some,strong", [",".join(map(str, row)) for row in votes.tolist()]),
    }


def lists(seed: int) -> dict[str, bytes]:
    random = np.random.default_rng(seed)
    chosen = random.random((30, 5)) < 0.4
    answers: list[object] = [[tag for tag, is_in in zip(TAGS, row, strict=True) if is_in] for row in chosen]
    return {"tags.jsonl": lines("labels", answers)}


def spans_of_texts(seed: int) -> dict[str, bytes]:
    random = np.random.default_rng(seed)
    starts = random.integers(0, 10, 30).tolist()
    names = random.choice(["slogans", "doubt"], 30).tolist()
    ranges = [
        [{"start": at, "end": at + 9, "technique": name}] for at, name in zip(starts, names, strict=True)
    ]
    posts = "".join(f"{item}\t{[*range(at, at + 5)]}\n" for item, at in zip(ITEMS, starts, strict=True))
    return {"spans-pred.txt": posts.encode(), "propaganda.jsonl": lines("labels", list(ranges))}


def tuples_of_texts(seed: int) -> dict[str, bytes]:
    random = np.random.default_rng(seed)
    triplets = [
        [[f"part {random.integers(3)}", "fine", str(random.choice(["positive", "negative"]))]] for _ in ITEMS
    ]
    phrases = {item: [f"phrase {random.integers(3)}", "a"] for item in ITEMS}
    return {"opinions.jsonl": lines("triplets", list(triplets)), "phrases.json": json.dumps(phrases).encode()}


def clusters(seed: int) -> dict[str, bytes]:
    numbers = np.random.default_rng(seed).integers(1, 4, (2, 30)).tolist()
    senses = "".join(f"{item}\tc{number}\n" for item, number in zip(ITEMS, numbers[0], strict=True))
    return {
        "senses.tsv": f"instance\tcluster\n{senses}".encode(),
        "events.jsonl": lines("event", list(numbers[1])),
    }


def places(seed: int) -> dict[str, bytes]:
    rows = np.random.default_rng(seed).uniform(40, 50, (30, 2)).round(4).tolist()
    return {"posts.csv": table("id,lat,lon", [f"{latitude},{longitude}" for latitude, longitude in rows])}


def levels(seed: int) -> dict[str, bytes]:
    random = np.random.default_rng(seed)
    tags = [" ".join(random.choice(["OK", "BAD"], 1 + at % 5)) for at in range(30)]
    return {
        "levels.csv": f"id,level\n{rows(random.choice(['A1', 'A2', 'B1', 'B2', 'C1', 'C2'], 30))}".encode(),
        "ratings.csv": f"id,rating\n{rows(random.integers(1, 6, 30))}".encode(),
        "tags.txt": "".join(f"{line}\n" for line in tags).encode(),
    }


def rows(cells: np.ndarray) -> str:
    return "".join(f"{item},{cell}\n" for item, cell in zip(ITEMS, cells.tolist(), strict=True))


def contrasts(seed: int) -> dict[str, bytes]:
    random, labels = np.random.default_rng(seed), ["NO", "DIRECT", "REPORTED", "JUDGEMENTAL"]
    chosen = random.choice(labels, 30).tolist()
    intentions = [{"id": item, "value": label} for item, label in zip(ITEMS, chosen, strict=True)]
    of_items = (random.multinomial(4, np.ones(4) / 4, 30) / 4).tolist()
    cells = (json.dumps(dict(zip(labels, row, strict=True))).replace('"', '""') for row in of_items)
    rows = "".join(f'{item};"{cell}"\n' for item, cell in zip(ITEMS, cells, strict=True))
    return {"intention.json": json.dumps(intentions).encode(), "shares.csv": f"id;value\n{rows}".encode()}


def preferences(seed: int) -> dict[str, bytes]:
    """Both tasks are answered alike, one by words and one by scores; the first system sees no tie."""
    random = np.random.default_rng(seed)
    scores = random.integers(0, 3, (30, 2)) + random.random((30, 2)) * (seed == 1)
    words = ["1" if one > other else "2" if one < other else "tie" for one, other in scores.tolist()]
    rows = [f"{one},{other}" for one, other in scores.tolist()]
    return {
        "preferred.jsonl": lines("preferred", list(words)),
        "scores.csv": table("id,score_1,score_2", rows),
    }


def send(benchmark: Benchmark, system: System, files: dict[str, bytes]) -> Submission:
    user = system.team.members.get()
    phase, data = benchmark.phases.get(), zip_of(files)
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=data, file_name="all.zip", received_at=NOW
        )
    ).submission


def released(benchmark: Benchmark, system: System, answers: Callable[[int], dict[str, bytes]]) -> Submission:
    """Two systems are sent in and published; the first one's submission."""
    rival = System.objects.create(team=system.team, name="Rival", created_at=NOW)
    first, _ = (send(benchmark, one, answers(seed)) for seed, one in ((1, system), (2, rival)))
    run_batch(CUT_OFF)
    assert set(ScoringRun.objects.values_list("status", flat=True)) == {"done"}
    return first


def assert_all_can_be_had(benchmark: Benchmark, submission: Submission) -> None:
    """Every page and file of the release, what its team sees, the comparison of both systems, and the archive."""
    anybody, owner = browser_of(None), browser_of(submission.system.team.members.get())
    for path in published():
        assert anybody.get(path).status_code == 200, path
    own = text_of(owner.get(f"/submissions/{submission.pk}/"))
    assert all(task.title in own for task in benchmark.spec.tasks)
    both = [str(pk) for pk in System.objects.values_list("pk", flat=True)]
    compared = text_of(anybody.get(f"/benchmarks/{benchmark.pk}/compare/", {"system": both}))
    assert "Rival" in compared
    sample = owner.get(f"/benchmarks/{benchmark.pk}/samples/{benchmark.phases.get().slug}.zip")
    assert zipfile.ZipFile(io.BytesIO(read(sample))).namelist()
    archive = io.BytesIO()
    assert write_archive(benchmark, archive, CUT_OFF).file_count > 10


@pytest.mark.usefixtures("gold_keys")
def test_probabilities_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "calibration.yaml").read_text("utf-8"))
    random = np.random.default_rng(0)
    for task, labels in (("tumours", ["malignant", "benign"]), ("digits", list("0123456789"))):
        gold = table("id,label", random.choice(labels, 30).tolist())
        load_gold(task=benchmark.tasks.get(slug=task), data=gold, file_name="gold.csv", now=NOW)

    submission = released(benchmark, system, probabilities)

    row = row_of(board("/benchmarks/calibration/tasks/tumours.json"), system.name)
    assert 0 < row["cells"]["tumours"]["value"] < 1
    assert row["cells"]["tumours"]["ci_low"] < row["cells"]["tumours"]["ci_high"]
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_probabilities_of_several_labels_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "comments.yaml").read_text("utf-8"))
    held = (np.random.default_rng(0).random((30, 4)) < 0.3).astype(int).tolist()
    files = {
        "comments": table("id,toxic,insult,threat", [",".join(map(str, row[:3])) for row in held]),
        "sounds": lines("sounds", [{"rain": row[0], "cars": row[2]} for row in held]),
    }
    for task, data in files.items():
        load_gold(task=benchmark.tasks.get(slug=task), data=data, file_name="gold", now=NOW)

    submission = released(benchmark, system, likely)

    row = row_of(board("/benchmarks/comments/tasks/comments.json"), system.name)
    cell = row["cells"]["comments"]
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_shares_of_people_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "disagreements.yaml").read_text("utf-8"))
    for slug, (name, data) in zip(("offence", "irony"), shares(0).items(), strict=True):
        load_gold(task=benchmark.tasks.get(slug=slug), data=data, file_name=name, now=NOW)

    submission = released(benchmark, system, shares)

    row = row_of(board("/benchmarks/disagreements/tasks/offence.json"), system.name)
    assert row["cells"]["offence"]["value"] > 0
    assert row["cells"]["offence"]["ci_low"] < row["cells"]["offence"]["ci_high"]
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_lists_of_labels_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "tags.yaml").read_text("utf-8"))
    gold = lists(0)["tags.jsonl"]
    load_gold(task=benchmark.tasks.get(), data=gold, file_name="gold.jsonl", now=NOW)

    submission = released(benchmark, system, lists)

    row = row_of(board("/benchmarks/tags/tasks/tags.json"), system.name)
    assert 0 < row["cells"]["tags"]["value"] < 1
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_spans_of_characters_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "character_spans.yaml").read_text("utf-8"))
    for slug, (name, data) in zip(("toxic", "propaganda"), spans_of_texts(0).items(), strict=True):
        load_gold(task=benchmark.tasks.get(slug=slug), data=data, file_name=name, now=NOW)

    submission = released(benchmark, system, spans_of_texts)

    for task in ("toxic", "propaganda"):
        cell = row_of(board(f"/benchmarks/character_spans/tasks/{task}.json"), system.name)["cells"][task]
        assert 0 < cell["ci_low"] < cell["value"] < cell["ci_high"] < 1
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_tuples_of_texts_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "tuples.yaml").read_text("utf-8"))
    for slug, (name, data) in zip(("opinions", "phrases"), tuples_of_texts(0).items(), strict=True):
        load_gold(task=benchmark.tasks.get(slug=slug), data=data, file_name=name, now=NOW)

    submission = released(benchmark, system, tuples_of_texts)

    for task in ("opinions", "phrases"):
        cell = row_of(board(f"/benchmarks/tuples/tasks/{task}.json"), system.name)["cells"][task]
        assert 0 < cell["ci_low"] < cell["value"] < cell["ci_high"] < 1
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_clusters_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "clusters.yaml").read_text("utf-8"))
    words, senses = np.random.default_rng(0).choice([*"abcde"], (2, 30)).tolist()
    rows = ("\t".join(row) + "\n" for row in zip(ITEMS, words, senses, strict=True))
    gold = f"instance\tlemma\tsense\n{''.join(rows)}".encode()
    load_gold(task=benchmark.tasks.get(slug="senses"), data=gold, file_name="gold.tsv", now=NOW)
    gold = clusters(0)["events.jsonl"]
    load_gold(task=benchmark.tasks.get(slug="events"), data=gold, file_name="gold.jsonl", now=NOW)

    submission = released(benchmark, system, clusters)

    for task in ("senses", "events"):
        cell = row_of(board(f"/benchmarks/clusters/tasks/{task}.json"), system.name)["cells"][task]
        assert 0 < cell["ci_low"] < cell["value"] < cell["ci_high"] < 1
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_places_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "places.yaml").read_text("utf-8"))
    load_gold(task=benchmark.tasks.get(), data=places(0)["posts.csv"], file_name="gold.csv", now=NOW)

    submission = released(benchmark, system, places)

    cell = row_of(board("/benchmarks/places-on-earth/tasks/posts.json"), system.name)["cells"]["posts"]
    assert 0 < cell["ci_low"] < cell["value"] < cell["ci_high"] < 2000
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_labels_in_an_order_tolerances_and_lines_of_tags_are_released(
    sync: Callable[[str], Benchmark], system: System
):
    benchmark = sync((EXAMPLES / "levels.yaml").read_text("utf-8"))
    gold = levels(0)
    random = np.random.default_rng(0)
    pairs = zip(random.choice([0.5, 1, 1.5], 30), random.integers(1, 6, 30), strict=True)
    ratings = rows(np.array([f"{deviation},{rating}" for deviation, rating in pairs]))
    gold["ratings.csv"] = f"id,sd,rating\n{ratings}".encode()
    for slug, (name, data) in zip(("readability", "plausibility", "words"), gold.items(), strict=True):
        load_gold(task=benchmark.tasks.get(slug=slug), data=data, file_name=name, now=NOW)

    submission = released(benchmark, system, levels)

    for task in ("readability", "plausibility", "words"):
        cell = row_of(board(f"/benchmarks/levels/tasks/{task}.json"), system.name)["cells"][task]
        assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_labels_that_are_kinds_of_others_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "contrasts.yaml").read_text("utf-8"))
    for slug, (name, data) in zip(("intention", "shares"), contrasts(0).items(), strict=True):
        load_gold(task=benchmark.tasks.get(slug=slug), data=data, file_name=name, now=NOW)

    submission = released(benchmark, system, contrasts)

    for task in ("intention", "shares"):
        cell = row_of(board(f"/benchmarks/contrasts/tasks/{task}.json"), system.name)["cells"][task]
        assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_preferences_are_released_and_scores_for_two_are_as_good_as_words(
    sync: Callable[[str], Benchmark], system: System
):
    benchmark = sync((EXAMPLES / "preferences.yaml").read_text("utf-8"))
    labels = np.random.default_rng(0).choice(["1", "2", "tie"], 30, p=[0.5, 0.3, 0.2]).tolist()
    for task, gold in (("words", lines("preferred", labels)), ("scores", table("id,preferred", labels))):
        load_gold(task=benchmark.tasks.get(slug=task), data=gold, file_name="gold", now=NOW)

    submission = released(benchmark, system, preferences)

    of_words, of_scores = (
        row_of(board(f"/benchmarks/preferences/tasks/{task}.json"), system.name)["cells"][task]
        for task in ("words", "scores")
    )
    assert 0 < of_words["value"] == of_scores["value"] < 1
    assert of_scores["ci_low"] < of_scores["value"] < of_scores["ci_high"]
    assert_all_can_be_had(benchmark, submission)
