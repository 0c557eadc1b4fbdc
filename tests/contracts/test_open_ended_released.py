"""Ranked lists and texts from the definition to the release: every page, export and archive that follows."""

import json
from collections.abc import Callable
from importlib.metadata import version

import numpy as np
import pytest
from django.test import Client

from benchmarks.models import Benchmark
from scoring.gold.versions import load_gold
from submissions.models import System
from tests.conftest import NOW
from tests.contracts.test_label_kinds_released import EXAMPLES, ITEMS, assert_all_can_be_had, lines, released
from tests.pages import text_of
from tests.weeks import board, row_of

DOCUMENTS = [f"d{number}" for number in range(20)]
WORDS = ["the", "old", "inn", "by", "a", "river", "stands", "open", "daily", "here"]


def runs(seed: int) -> dict[str, bytes]:
    """The first system ranks by number, which is how documents are relevant; its rival draws lots."""
    random = np.random.default_rng(seed)
    told = (
        f"{query} Q0 {document} 0 {score:.4f} run\n"
        for query in ITEMS
        for document, score in zip(
            DOCUMENTS, -np.arange(20.0) if seed == 1 else random.random(20), strict=True
        )
    )
    run = "".join(told).encode()
    return {"results.test": run, "answers.run": run}


def judgements() -> bytes:
    """The first ten documents of each query are relevant, but for one that is drawn; the first six very."""
    random = np.random.default_rng(0)
    left_out = dict(zip(ITEMS, random.integers(0, 10, len(ITEMS)).tolist(), strict=True))
    return "".join(
        f"{query} 0 {document} {0 if at in (left_out[query], *range(10, 20)) else 1 + (at < 6)}\n"
        for query in ITEMS
        for at, document in enumerate(DOCUMENTS)
    ).encode()


def written(seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, 8)) for _ in ITEMS]


def texts(seed: int) -> dict[str, bytes]:
    """The first system writes what one of the references says, but for one word; its rival something else."""
    told = [f"{text} today" for text in written(0)] if seed == 1 else written(seed)
    return {
        "translation.txt": "".join(f"{text}\n" for text in told).encode(),
        "e2e.jsonl": lines("text", list(told)),
    }


@pytest.mark.usefixtures("gold_keys")
def test_ranked_lists_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "ranking.yaml").read_text("utf-8"))
    for task in benchmark.tasks.all():
        load_gold(task=task, data=judgements(), file_name="qrels", now=NOW)

    submission = released(benchmark, system, runs)

    cells = row_of(board("/benchmarks/search/tasks/answers.json"), system.name)["cells"]
    assert cells["P_10"]["value"] == pytest.approx(0.9, abs=1e-4)
    assert 0 < cells["recip_rank"]["ci_low"] < cells["recip_rank"]["value"] < 1
    assert_all_can_be_had(benchmark, submission)


@pytest.mark.usefixtures("gold_keys")
def test_texts_are_released(sync: Callable[[str], Benchmark], system: System):
    benchmark = sync((EXAMPLES / "translation.yaml").read_text("utf-8"))
    references = lines(
        "references", [[text, other] for text, other in zip(written(0), written(9), strict=True)]
    )
    one_each = "".join(f"{text}\n" for text in written(0)).encode()
    for task, gold in (("wmt17_en_de", one_each), ("e2e", references)):
        load_gold(task=benchmark.tasks.get(slug=task), data=gold, file_name="gold", now=NOW)

    submission = released(benchmark, system, texts)

    cells = row_of(board("/benchmarks/writing/tasks/e2e.json"), system.name)["cells"]
    # Of nine words eight are those of the reference.
    assert cells["rouge1"]["value"] == pytest.approx(2 * 8 / 17, abs=1e-4)
    assert cells["e2e"]["ci_low"] <= cells["e2e"]["value"] <= cells["e2e"]["ci_high"] < 100
    told = board("/benchmarks/writing/releases/1/provenance.json")["systems"][0]["scores"]
    used = {name: version(name) for name in ("nltk", "numpy", "sacrebleu", "scipy")}
    assert {json.dumps(score["libraries"]) for score in told} == {json.dumps(used)}
    page = Client().get(f"/benchmarks/writing/releases/1/provenance/{str(system.pk)[:8]}/")
    assert f"sacrebleu {version('sacrebleu')}" in text_of(page)
    assert_all_can_be_had(benchmark, submission)
