"""Sample submissions: what is given away as valid is taken by the reader, for every benchmark that comes along."""

from pathlib import Path

import pytest

import benchmarks
from benchmarks.spec import BenchmarkSpec, SplitSpec, TaskSpec
from benchmarks.spec.loader import load_definition
from catalogue.layouts.row_ids import IdMaker
from submissions.intake import ItemIds, SplitTarget, read_upload
from submissions.intake.predictions.file_writer import STAR, sample_answers, sample_files, zip_of
from submissions.intake.predictions.wanted_files import file_targets
from tests.submissions.intake import kinds

DEFINITIONS = sorted((Path(benchmarks.__file__).parent / "definitions").glob("*.yaml"))


def targets_of(spec: BenchmarkSpec) -> list[SplitTarget]:
    """Every split of every task, with ids of its own that say which split they are of where that matters."""
    return [
        SplitTarget(task, split.id, ItemIds(ids_of(task, split)))
        for task in spec.tasks
        for split in task.splits
    ]


def ids_of(task: TaskSpec, split: SplitSpec) -> list[str]:
    maker, columns = IdMaker(repeats=task.file.repeats), len(task.file.id_columns)
    return [maker.make([f"{split.ids_with}{split.id}-{number}"] * columns) for number in range(3)]


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_sample_of_every_benchmark_is_accepted_whole(path: Path):
    spec = load_definition(path.read_text("utf-8"), path.name)
    targets = targets_of(spec)

    result = read_upload(
        zip_of(sample_files(targets, seeds=spec.seeds)),
        file_name="sample.zip",
        benchmark=spec,
        targets=targets,
    )

    assert result.problems == ()
    assert result.labels_read == 3 * len(targets) * spec.seeds
    assert result.seeds == tuple(range(1, spec.seeds + 1))


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_every_file_of_the_sample_is_accepted_alone(path: Path):
    spec = load_definition(path.read_text("utf-8"), path.name)
    targets = targets_of(spec)
    files = sample_files(targets)

    for name, sharing in file_targets(targets).items():
        data = files[name.replace("*", STAR)]
        result = read_upload(
            data,
            file_name="sample",
            benchmark=spec,
            targets=targets,
            task=sharing[0].task.id,
            split=sharing[0].splits[0].split,
        )
        assert result.problems == ()


@pytest.mark.parametrize(
    ("task", "answer"),
    [(kinds.NUMBER, 0.5), (kinds.SUBSET, 0), (kinds.RUMOUR, (0, 0.0)), (kinds.SPANS, "-")],
    ids=["number", "subset", "label with confidence", "span"],
)
def test_every_item_has_the_same_answer(task, answer):
    assert sample_answers(task.output, 3).tolist() == [answer] * 3
