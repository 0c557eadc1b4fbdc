"""Labels of tokens from the definition to the release, and the tokens that are public with the ids."""

import json
import random
from collections.abc import Callable

import pytest

from benchmarks.models import Benchmark, Split
from scoring.gold.versions import GoldRefused, load_gold
from submissions.models import System
from tests.conftest import NOW
from tests.contracts.test_label_kinds_released import EXAMPLES, assert_all_can_be_had, lines, released
from tests.pages import browser_of, text_of
from tests.weeks import board, row_of

WORDS = ("Ann Lee saw Rome", "she left", "Rome slept", "Bo and Cy ran to Old Bath")
LABELS = ("B-person I-person O B-place", "O O", "B-place O", "B-person O B-person O O B-place I-place")
# One person is cut short, one place is not found, one is taken for a person.
FOUND = ("B-person O O B-place", "O O", "O O", "B-person O B-person O O B-person I-person")
TAGS = ("NOUN NOUN VERB NOUN", "OTHER VERB", "NOUN VERB", "NOUN OTHER NOUN VERB OTHER NOUN NOUN")
# Which sentence each item is, drawn by lot: an order that tells of the labels is refused.
DRAWN = random.Random(3).choices(range(4), k=30)
RIGHT, PREDICTED, GOLD = (
    sum(counts[at] for at in DRAWN) for counts in ((1, 0, 0, 2), (2, 0, 0, 3), (2, 0, 1, 3))
)


def conll(labels: tuple[str, ...], words: tuple[str, ...] = WORDS) -> bytes:
    sentences = (
        "".join(
            f"{token}\t{label}\n" for token, label in zip(words[at].split(), labels[at].split(), strict=True)
        )
        for at in DRAWN
    )
    return "\n".join(sentences).encode()


def files(seed: int) -> dict[str, bytes]:
    """The first system's errors are those of `FOUND`; the other has no entity and one tag."""
    tags = TAGS if seed == 1 else tuple(" ".join(["NOUN"] * len(text.split())) for text in TAGS)
    none = tuple(" ".join("O" * len(text.split())) for text in WORDS)
    return {
        "names.conll": conll(FOUND if seed == 1 else none),
        "tags.jsonl": lines("labels", [tags[at].split() for at in DRAWN]),
    }


@pytest.fixture
def entities(sync: Callable[[str], Benchmark], gold_keys: object) -> Benchmark:
    benchmark = sync((EXAMPLES / "entities.yaml").read_text("utf-8"))
    tags = lines("labels", [TAGS[at].split() for at in DRAWN])
    for task, gold in (("names", conll(LABELS)), ("tags", tags)):
        load_gold(task=benchmark.tasks.get(slug=task), data=gold, file_name="gold", now=NOW)
    return benchmark


def test_labels_of_tokens_are_released(entities: Benchmark, system: System):
    submission = released(entities, system, files)

    cell = row_of(board("/benchmarks/entities/tasks/names.json"), system.name)["cells"]["names"]
    assert cell["value"] == pytest.approx(2 * RIGHT / (PREDICTED + GOLD), abs=5e-4)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert row_of(board("/benchmarks/entities/tasks/tags.json"), system.name)["cells"]["tags"]["value"] == 1
    page = " ".join(text_of(browser_of(None).get("/benchmarks/entities/tasks/names/")).split())
    assert "a line for each token, an empty line after each sentence, one sentence for each" in page
    assert "in any order" not in page
    assert_all_can_be_had(entities, submission)


@pytest.mark.usefixtures("gold_keys")
def test_frames_are_released(sync: Callable[[str], Benchmark], system: System):
    def frames(seed: int) -> dict[str, bytes]:
        draw = random.Random(seed)
        rows = [
            {
                "id": str(at),
                "intent": draw.choice(["Book", "Ask"]),
                "slots": {draw.choice(["city", "day"]): "Bath"},
            }
            for at in range(30)
        ]
        return {"frames.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}

    benchmark = sync((EXAMPLES / "frames.yaml").read_text("utf-8"))
    load_gold(task=benchmark.tasks.get(), data=frames(0)["frames.jsonl"], file_name="gold", now=NOW)

    submission = released(benchmark, system, frames)

    cell = row_of(board("/benchmarks/frames/tasks/frames.json"), system.name)["cells"]["frames"]
    assert 0 < cell["ci_low"] < cell["value"] < cell["ci_high"] < 1
    assert_all_can_be_had(benchmark, submission)


def test_tokens_are_public_with_the_ids_and_fixed_with_them(entities: Benchmark, system: System):
    told = browser_of(None).get("/api/v1/benchmarks/entities/tasks/names/ids/").json()
    assert told["ids"][:3] == ["1", "2", "3"]
    assert told["tokens"] == [WORDS[at].split() for at in DRAWN]
    assert "B-person" not in json.dumps(told)
    released(entities, system, files)
    other = tuple(text.replace("Rome", "Troy") for text in WORDS)
    task = entities.tasks.get(slug="names")
    with pytest.raises(GoldRefused, match="its tokens are fixed"):
        load_gold(task=task, data=conll(LABELS, other), file_name="gold.conll", now=NOW)
    assert Split.objects.get(task=task).ids_sha256 == told["sha256"]
