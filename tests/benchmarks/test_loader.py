"""Definitions are read strictly, and every mistake is named with its file and key."""

import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.spec import RowKind
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition

ROOT = Path(__file__).resolve().parents[2]
DEFINITIONS, EXAMPLES = ROOT / "benchmarks" / "definitions", ROOT / "docs" / "examples"
# What stands behind a key, a list in one line as a whole; and what somebody may have put there.
VALUE = re.compile(r"(?<=: )(?:\[[^\]\n]*\]|[^\s,\[\]{}][^,\n\]}]*)")
ODD = (
    *("null", "true", "[]", "{}", "[[1]]", "[0, 0]", "{a: {b: c}}", "-1", ".inf", ".nan", "1e308", f"'{'9' * 5000}'"),
    *("9999-12-31", "'9999-12-31T23:59:59-14:00'", "'0001-01-01T00:00:00+14:00'", "Europe", "x" * 300, '"\\ud800"'),
    *('"a\\nb"', "within_0_km", "f_beta[nan]", "top_99999999999999999999_accuracy", '"mean[mean[accuracy,mae],mae]"'),
)  # fmt: skip

MINIMAL = """
id: toy
title: Toy
summary: One task.
url: https://example.org
citation: Nobody
bundle: {files: any}
tasks:
  - id: mood
    code: M
    title: Mood
    summary: Which?
    instructions: Say.
    licence: CC0
    citation: Nobody
    test_size: 2
    labels: [bad, good]
    file: {path: "data/{task}.csv", id_column: ID, label_column: Label}
    metrics: [{name: f1_macro, title: F1}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 2}
    counting: latest
"""


def mistakes(text: str) -> str:
    with pytest.raises(DefinitionError) as caught:
        load_definition(text, "toy.yaml")
    return "\n".join(caught.value.mistakes)


@pytest.fixture(scope="module")
def raft():
    return load_definition((DEFINITIONS / "raft.yaml").read_text("utf-8"), "raft.yaml")


def test_raft_has_the_template_s_eleven_tasks_and_rows(raft):
    sizes = {task.code: task.test_size for task in raft.tasks}
    assert sizes == {
        "ADE": 5000, "B77": 5000, "NIS": 150, "OSE": 518, "Over": 2350, "SOT": 449,
        "SRI": 2244, "TAI": 1639, "ToS": 5000, "TEH": 2966, "TC": 3399,
    }  # fmt: skip


TEMPLATE_LABELS = {
    "ade_corpus_v2": "24db47c03d16f219",
    "banking_77": "e919f977c41df2c6",
    "neurips_impact_statement_risks": "61f0468c01083860",
    "one_stop_english": "19b9060377628881",
    "overruling": "1f94f05cda86d805",
    "semiconductor_org_types": "c4af697a1cb49e71",
    "systematic_review_inclusion": "cd8dce3fa9c30fd3",
    "tai_safety_research": "35097c5404d24a42",
    "terms_of_service": "fcba0ffd32ee37f5",
    "tweet_eval_hate": "37fcf0df29b08977",
    "twitter_complaints": "0232dd96b06fc3bf",
}
"""The start of the SHA-256 of the label names in the official submission template, by task, one name a line."""


def test_raft_labels_equal_the_official_template(raft):
    digests = {task.id: sha256("\n".join(task.output.names).encode()).hexdigest() for task in raft.tasks}
    assert {task: digest[:16] for task, digest in digests.items()} == TEMPLATE_LABELS


def test_raft_reports_every_row_of_table_2(raft):
    assert len(raft.reported) == 8
    assert [row.system for row in raft.reported if row.kind is RowKind.HUMAN] == ["Human (crowdsourced)"]


def test_reported_overall_is_the_mean_of_the_reported_tasks(raft):
    for row in raft.reported:
        tasks = [row.values[task.id] for task in raft.tasks]
        assert row.values["overall"] == pytest.approx(sum(tasks) / len(tasks), abs=0.001), row.system


def test_a_minimal_definition_is_enough():
    assert load_definition(MINIMAL, "toy.yaml").tasks[0].file.path == "data/mood.csv"


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (("title: Toy\n", ""), "toy.yaml: title: is missing"),
        (("title: Toy", "titel: Toy"), "toy.yaml: titel: is not a key of this place; did you mean 'title'?"),
        (("title: Toy", "title: Toy\nseds: 3"), "toy.yaml: seds: is not a key of this place; did you mean 'seeds'?"),
        (("test_size: 2", "tst_size: 2"), "tst_size: is not a key of this place; did you mean 'test_size'?"),
        (("quota:", "lasts_day: 3\n    quota:"), "lasts_day: is not a key of this place; did you mean 'lasts_days'?"),
        (("labels: [bad, good]", "labels: [bad, 1]"), "toy.yaml: tasks[mood].labels[1]: expected text, found a number"),
        (("labels: [bad, good]", "labels: [no, yes]"), "toy.yaml: tasks[mood].labels[0]: expected text, found yes/no"),
        (("labels: [bad, good]", "labels: [bad, bad]"), "toy.yaml: tasks[mood].labels: 'bad' is listed twice"),
        (("labels: [bad, good]", "labels: [bad]"), "toy.yaml: tasks[mood].labels: expected at least two labels"),
        (("name: f1_macro", "name: f1_marco"), "metrics[0].name: There is no metric `f1_marco`. Did you mean"),
        (("weekday: monday", "weekday: mundy"), "toy.yaml: phases[main].cut_off.weekday: expected a day"),
        (('time: "00:00"', 'time: "24:10"'), "toy.yaml: phases[main].cut_off.time: expected a time of day"),
        (("timezone: UTC", "timezone: Mars/Base"), "toy.yaml: phases[main].cut_off.timezone: expected a zone"),
        (("timezone: UTC", "timezone: Europe"), "toy.yaml: phases[main].cut_off.timezone: expected a zone"),
        (("timezone: UTC", f"timezone: {'x' * 300}"), "toy.yaml: phases[main].cut_off.timezone: expected a zone"),
        (("per_cut_off: 2", "per_cut_off: 0"), "phases[main].quota.per_cut_off: expected a whole number from 1"),
        (("counting: latest", "counting: last"), "expected one of latest, best, chosen, found 'last'"),
        (("test_size: 2", "test_size: true"), "tasks[mood].test_size: expected a whole number"),
        (('path: "data/{task}.csv"', 'path: "../x.csv"'), "tasks[mood].file.path: expected a relative path"),
        (("id: toy", "id: toy toy"), "toy.yaml: id: expected letters, digits"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_file_and_key(change, mistake):
    assert mistake in mistakes(MINIMAL.replace(*change))


@pytest.mark.parametrize(
    ("example", "old", "new", "mistake"),
    [
        ("levels", "[A1, A2, B1, B2, C1, C2]", "A1 to C2", "labels: expected a list of texts"),
        ("superglue", "[{name: accuracy, title: Accuracy}]", "2026-01-10", "metrics: expected a list"),
        (
            "character_spans",
            "[slogans, doubt, loaded language]",
            "slogans",
            "types: expected a list of texts",
        ),
        (
            "offenseval",
            "2026-01-13T00:00Z",
            "'0001-01-01T00:00+14:00'",
            "expected an instant with its zone such as",
        ),
    ],
)
def test_what_is_made_of_a_part_that_is_wrong_ends_in_no_other_error(example, old, new, mistake):
    text = (EXAMPLES / f"{example}.yaml").read_text("utf-8")
    assert old in text

    assert mistake in mistakes(text.replace(old, new, 1))


@pytest.mark.thorough
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_any_value_in_place_of_any_other_is_taken_or_named(path):
    text = path.read_text("utf-8")

    for place in VALUE.finditer(text):
        for odd in ODD:
            with suppress(DefinitionError):
                load_definition(text[: place.start()] + odd + text[place.end() :], path.name)


def test_a_key_given_twice_is_named_with_its_line():
    assert mistakes("id: toy\ntitle: A\ntitle: B\n") == "toy.yaml, line 3: the key 'title' is given twice"


def test_broken_yaml_is_named_with_its_line():
    assert mistakes("id: toy\ntitle: [\n").startswith("toy.yaml, line 3:")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2001-99-99", "a date"),
        ("2001-01-01T25:00:00Z", "a date"),
        ("2001-01-01 10:00:00 +99:99", "a date"),
        ("!!timestamp abc", "a date"),
        ('!!int "abc"', "a whole number"),
        ('!!int ""', "a whole number"),
        ("9" * 5000, "a whole number"),
        ("0x" + "f" * 5000, "a whole number"),
        ('!!float "abc"', "a number"),
        ("!!bool maybe", "true or false"),
    ],
)
def test_a_value_that_only_looks_like_one_is_named_with_its_line(value, expected):
    message = mistakes(f"title: A\nid: {value}\n")

    assert message.startswith("toy.yaml, line 2: ")
    assert f"cannot be read as {expected}; text stands in quotes" in message
    assert len(message) < 150


@pytest.mark.parametrize("text", ["[" * 20_000, "{a: " * 20_000, "- " * 20_000], ids=lambda text: text[:3])
def test_a_definition_that_nests_without_end_is_refused(text):
    assert "nests too deep: more than 40 levels" in mistakes(text)


def chained(links: int, width: int) -> str:
    """Lists of aliases, each of the one before."""
    lists = [f"  - &a{at} [{', '.join([f'*a{at - 1}' if at else 'x'] * width)}]\n" for at in range(links)]
    return f"lists:\n{''.join(lists)}title: *a{links - 1}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (chained(9, 9), "line 7: aliases repeat more than 100,000 values"),
        (chained(5_000, 1), "nests too deep: more than 40 levels"),
        ("title: &a [*a]\n", "line 1: an alias stands within what it names"),
        ("title: &a {b: [*a]}\n", "line 1: an alias stands within what it names"),
    ],
    ids=["wide", "deep", "list", "mapping"],
)
def test_aliases_that_would_fill_the_memory_are_refused(text, said):
    assert said in mistakes(text)


def test_aliases_that_repeat_little_are_followed():
    text = MINIMAL.replace("title: Toy\n", "title: &name Toy\n", 1).replace(
        "summary: ", "summary: *name #", 1
    )
    assert load_definition(text, "toy.yaml").summary == "Toy"


def test_all_mistakes_are_found_in_one_pass():
    text = MINIMAL.replace("title: Toy\n", "").replace("code: M\n", "code: 7\n").replace("latest", "never")
    assert len(mistakes(text).splitlines()) == 3


def test_an_average_of_an_unknown_task_is_refused():
    text = MINIMAL + "averages: [{id: overall, title: Overall, of: [mod], missing: zero}]\n"
    assert "averages[overall].of: no task or average is called 'mod'; did you mean 'mood'?" in mistakes(text)


def test_an_unknown_metric_is_answered_with_the_whole_list():
    assert (
        "There is no metric `top_k`. Metrics for one label of a set: accuracy, balanced_accuracy, "
        in mistakes(MINIMAL.replace("name: f1_macro", "name: top_k"))
    )


def test_a_metric_of_another_kind_is_answered_with_both_kinds():
    number = MINIMAL.replace("labels: [bad, good]", "output: {kind: number, low: 0, high: 1}")
    assert (
        "`jaccard` is a metric for any subset of labels, not for a number. Metrics for a number: ccc, kendall_tau_b, "
        in mistakes(number.replace("name: f1_macro", "name: jaccard"))
    )


def test_nothing_is_said_of_metrics_where_the_kind_of_answer_is_unknown():
    unknown = MINIMAL.replace("labels: [bad, good]", "output: {kind: nmber, low: 0, high: 1}")
    assert "metrics" not in mistakes(unknown.replace("name: f1_macro", "name: pearson"))


def test_the_fingerprint_changes_with_the_labels(raft):
    one = load_definition(MINIMAL, "toy.yaml").tasks[0]
    other = load_definition(MINIMAL.replace("[bad, good]", "[good, bad]"), "toy.yaml").tasks[0]
    assert one.fingerprint() != other.fingerprint()


def test_the_fingerprint_does_not_change_with_the_texts():
    one = load_definition(MINIMAL, "toy.yaml").tasks[0]
    other = load_definition(MINIMAL.replace("instructions: Say.", "instructions: Tell."), "toy.yaml").tasks[0]
    assert one.fingerprint() == other.fingerprint()
