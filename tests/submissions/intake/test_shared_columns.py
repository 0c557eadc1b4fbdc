"""Files of tokens that several tasks read, a column each, and those of Universal Dependencies."""

import pytest
from sklearn.metrics import accuracy_score, f1_score

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_files
from submissions.intake import SplitTarget, read_gold_file
from submissions.intake.predictions.file_writer import sample_files
from tests.scoring.test_shared_task_shapes import FRAME, WORDS

GOLD = (
    "# sent_id = s1\n# text = Ann du\n1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2-3\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tde\tde\tADP\t_\t_\t0\troot\t_\t_\n3\tle\tle\tDET\t_\t_\t2\tdet\t_\t_\n3.1\tx\tx\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
    "# sent_id = s2\n1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
)
TAGS, RELATIONS = ["PROPN", "ADP", "DET", "INTJ"], ["nsubj", "root", "det"]


def spec_of(*tasks, **of_file) -> BenchmarkSpec:
    """A benchmark of tasks that share a file, each with a column and its labels."""
    document = FRAME | {
        "tasks": [
            WORDS
            | {
                "id": column,
                "labels": labels,
                "output": {"kind": "token_labels"},
                "file": {"path": "answers", "label_column": column} | of_file,
                "metrics": [{"name": "token_accuracy", "title": "A"}, {"name": "f1_macro", "title": "F1"}],
            }
            for column, labels in tasks
        ]
    }
    return load_definition(str(document), "shared.yaml")


UNIVERSAL = spec_of(("UPOS", TAGS), ("DEPREL", RELATIONS), dialect="conllu")
COLUMNS = {"dialect": "conll", "columns": ["TOKEN", "COARSE", "FINE"], "token_column": "TOKEN"}
NESTED = spec_of(("COARSE", ["x", "y"]), ("FINE", ["x", "y"]), **COLUMNS)


def scored(spec, gold, answers):
    files = {"answers": gold.encode()}
    found = evaluate_files(spec, gold=files, predictions=("answers", answers.encode())).document["tasks"]
    return {task: [cell["value"] for cell in splits["test"].values()] for task, splits in found.items()}


def problems(spec, gold, answers):
    with pytest.raises(FileRefused) as refused:
        scored(spec, gold, answers)
    return [(one.task, one.line, one.column, one.code) for one in refused.value.problems]


def test_lines_of_several_words_and_of_empty_nodes_are_no_words():
    answers = GOLD.replace("2-3\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n", "").replace("\tADP\t", "\tDET\t")
    gold, found = TAGS, ["PROPN", "DET", "DET", "INTJ"]

    assert scored(UNIVERSAL, GOLD, answers) == {
        "UPOS": pytest.approx([accuracy_score(gold, found), f1_score(gold, found, average="macro")]),
        "DEPREL": [1.0, 1.0],
    }


def test_each_task_reads_its_own_column():
    """As in HIPE-2022 and GermEval 2014, whose files have a column for each level of entities."""
    gold = "Ann\tx\ty\nleft\ty\ty\n\nyo\tx\tx\n"
    found = scored(NESTED, gold, gold.replace("x\ty", "x\tx"))
    assert (found["COARSE"][0], found["FINE"][0]) == (1.0, pytest.approx(2 / 3))


def test_a_token_that_differs_is_told_once_for_all_tasks():
    assert problems(UNIVERSAL, GOLD, GOLD.replace("Ann\tAnn", "Anna\tAnn")) == [
        ("UPOS", 3, "FORM", "token_differs")
    ]


def test_a_label_that_a_task_lacks_is_told_for_that_task():
    answers = GOLD.replace("PROPN", "PRON").replace("nsubj", "subj")
    assert problems(UNIVERSAL, GOLD, answers) == [
        ("UPOS", 3, "UPOS", "unknown_label"),
        ("DEPREL", 3, "DEPREL", "unknown_label"),
    ]


@pytest.mark.parametrize(("spec", "gold"), [(UNIVERSAL, GOLD), (NESTED, "Ann\tx\ty\n\nyo\tx\tx\n")])
def test_the_sample_answers_all_tasks(spec, gold):
    read = read_gold_file(gold.encode(), file_name="answers", task=spec.tasks[0])
    ids = read.content_or(AssertionError).gold.ids
    (sample,) = sample_files([SplitTarget(task, "test", ids) for task in spec.tasks]).values()
    assert scored(spec, gold, sample.decode()).keys() == {task.id for task in spec.tasks}


@pytest.mark.parametrize(
    ("tasks", "of_file", "mistake"),
    [
        ([("UPO", TAGS)], {"dialect": "conllu"}, "the column 'UPO' is missing"),
        ([("UPOS", TAGS)], {"dialect": "conllu", "blanks": True}, "blanks: means nothing"),
        ([("FINE", TAGS)], COLUMNS | {"token_column": ""}, "the column 'token' is missing"),
        ([("FINE", TAGS), ("OTHER", TAGS)], COLUMNS, "the column 'OTHER' is missing"),
    ],
)
def test_a_column_that_is_not_there_is_a_mistake(tasks, of_file, mistake):
    with pytest.raises(DefinitionError, match=mistake):
        spec_of(*tasks, **of_file)


def labels_alone() -> BenchmarkSpec:
    """As in MultiCoNER, whose gold files have a token and its label a line, and predictions the label."""
    task = WORDS | {
        "id": "names",
        "output": {"kind": "token_entities", "types": ["PER", "LOC"]},
        "file": {"path": "answers", "dialect": "conll", "columns": ["label"], "label_column": "label"},
        "gold_file": {
            "path": "gold",
            "dialect": "conll",
            "blanks": True,
            "columns": ["token", "x", "y", "label"],
            "label_column": "label",
            "skipped": ["# id "],
        },
        "metrics": [{"name": "f1_macro", "title": "F1"}],
    }
    return load_definition(str(FRAME | {"tasks": [task]}), "names.yaml")


NAMES = "# id a\tdomain=en\nAnn _ _ B-PER\nleft _ _ O\n\n# id b\tdomain=en\nBath _ _ B-LOC\n"


def of_names(answers):
    files = {"gold": NAMES.encode()}
    found = evaluate_files(labels_alone(), gold=files, predictions=("answers", answers.encode()))
    return found.document["tasks"]["names"]["test"]["f1_macro"]["value"]


def test_predictions_may_have_labels_alone():
    assert of_names("B-PER\nO\n\nB-LOC\n") == 1
    assert of_names("O\nO\n\nB-LOC\n") == 0.5


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ("B-PER\n\nB-LOC\n", [(1, "label", "token_count")]),
        ("B-PER\nO\nO\n\nB-LOC\n", [(1, "label", "token_count")]),
        ("B-PER\nO\nB-LOC\n", [(1, "label", "token_count"), (None, "sentence", "missing_ids")]),
        ("Ann\tB-PER\nleft\tO\n\nBath\tB-LOC\n", [(at, None, "long_row") for at in (1, 2, 4)]),
    ],
    ids=["a label short", "a label too many", "no empty line", "tokens too"],
)
def test_labels_alone_are_counted(answers, wanted):
    with pytest.raises(FileRefused) as refused:
        of_names(answers)
    assert [(one.line, one.column, one.code) for one in refused.value.problems] == wanted


def test_a_sample_of_labels_alone_can_be_read():
    task = labels_alone().tasks[0]
    ids = read_gold_file(NAMES.encode(), file_name="gold", task=task).content_or(AssertionError).gold.ids
    (sample,) = sample_files([SplitTarget(task, "test", ids)]).values()
    assert sample.decode() == "O\nO\n\nO\n"
    assert of_names(sample.decode()) == 0
