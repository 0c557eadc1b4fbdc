"""What the demo makes up for a benchmark: by the seed and by who answers, and by nothing else."""

import pytest

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from demo.material.answers import SyntheticAnswers
from demo.stage import DEFINITIONS


@pytest.fixture(scope="module")
def spec() -> BenchmarkSpec:
    text = (DEFINITIONS / "ait2018.yaml").read_text(encoding="utf-8")
    return build_spec(parse_yaml(text, "ait2018.yaml"), "ait2018.yaml")


def material(spec: BenchmarkSpec, seed: int = 1) -> SyntheticAnswers:
    return SyntheticAnswers(
        spec, seed, {task.id: [str(number) for number in range(40)] for task in spec.tasks}
    )


@pytest.mark.parametrize("task", ["EI-reg-en-anger", "EI-oc-ar-joy", "E-c-es"])
def test_material_is_the_same_for_the_same_seed_and_another_for_another(spec, task):
    one, same, other = (material(spec, seed).gold[task].tolist() for seed in (1, 1, 2))

    assert one == same
    assert one != other


@pytest.mark.parametrize("task", ["EI-reg-en-anger", "EI-oc-ar-joy", "E-c-es"])
def test_answers_depend_on_system_occasion_split_and_seed(spec, task):
    made, asked = material(spec), spec.task(task)
    answers = [
        made.answers(asked, 0.5, "Siskin", "week 1"),
        made.answers(asked, 0.5, "Dunlin", "week 1"),
        made.answers(asked, 0.5, "Siskin", "week 2"),
        made.answers(asked, 0.5, "Siskin", "week 1", split="equity"),
        made.answers(asked, 0.5, "Siskin", "week 1", seed=2),
    ]

    again = made.answers(asked, 0.5, "Siskin", "week 1")
    assert again.sha256 == answers[0].sha256
    assert len({tuple(one.codes.tolist()) for one in answers}) == len(answers)


def test_training_labels_are_drawn_from_the_gold_labels(spec):
    made = material(spec)
    task = spec.task("EI-oc-en-fear")

    assert set(made.training(task).labels.tolist()) <= set(made.gold[task.id].tolist())
