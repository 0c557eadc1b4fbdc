"""Kinds of answer, dialects and splits in a definition: what may be said, and what is a mistake at which key."""

import re
from pathlib import Path

import pytest

from benchmarks.spec import BenchmarkSpec, TaskSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from catalogue.answers import ConfidentLabel, Label, LabelSubset, Number, OrderedClass, Span, TextTuples
from catalogue.metrics.choice import metric_for, metrics_for

DEFINITIONS = sorted((Path(__file__).resolve().parents[2] / "benchmarks" / "definitions").glob("*.yaml"))

HEAD = """
id: toy
title: Toy
summary: One task.
url: https://example.org
citation: Nobody
bundle: {files: any}
task_defaults: {code: M, title: Mood, summary: Which one, instructions: Say so, licence: CC0,
  citation: Nobody, test_size: 2}
tasks:
"""
TAIL = """
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 2}
    counting: latest
"""
TABLE = """  - id: mood
    labels: [bad, good, odd]
    never_right: [odd]
    file:
      path: "{task}.txt"
      dialect: tsv
      columns: [ID, Text, Dimension, Label]
      also_headers: [[id, text, dimension, label]]
      id_column: ID
      label_column: Label
      fixed: {Dimension: joy}
      also_written: {"+": good}
    splits:
      - {id: test, title: Test}
      - {id: equity, title: Equity, ids_with: mystery}
      - {id: dev, title: Dev, file: "{task}-dev.txt", gold_file: gold-dev.txt}
    pairs: _
    metrics: [{name: accuracy, title: A}, {name: "f1_good", title: F}, {name: "f1_macro[bad,good]", title: M}]
"""
JSON = """  - id: rumour
    labels: [yes it is, no it is not]
    output: {kind: label_with_confidence}
    file: {path: answer.json, dialect: json, label_column: b, other_keys: [a]}
    metrics: [{name: rmse, title: R}]
"""


def load(tasks: str) -> BenchmarkSpec:
    return load_definition(HEAD + tasks + TAIL, "toy.yaml")


def task(tasks: str) -> TaskSpec:
    (only,) = load(tasks).tasks
    return only


def mistakes(tasks: str) -> str:
    with pytest.raises(DefinitionError) as caught:
        load(tasks)
    return "\n".join(caught.value.mistakes)


def test_a_table_may_say_everything():
    read = task(TABLE)
    assert read.output == Label(("bad", "good", "odd"), ("odd",))
    assert read.file.header == ("ID", "Text", "Dimension", "Label")
    assert read.file.fixed == (("Dimension", "joy"),)
    assert [read.path_of(split.id) for split in read.splits] == ["mood.txt", "mood.txt", "mood-dev.txt"]
    assert read.gold is read.file


@pytest.mark.parametrize(
    ("lines", "output"),
    [
        ("    output: {kind: number, low: 0, high: 1.5}", Number(0, 1.5)),
        ("    output: {kind: ordered_classes, low: -3, high: 3}", OrderedClass(-3, 3)),
        ("    output: {kind: span}", Span()),
        ("    labels: [a, b]", Label(("a", "b"))),
        ("    output: {kind: one_label}\n    labels: [a, b]", Label(("a", "b"))),
    ],
)
def test_every_kind_of_answer_has_a_name(lines, output):
    text = (
        f"  - id: mood\n{lines}\n    file: {{path: x.csv, id_column: i, label_column: l}}\n    metrics: []\n"
    )
    with pytest.raises(DefinitionError) as caught:
        load(text)
    assert caught.value.mistakes == (
        "toy.yaml: tasks[mood].metrics: is empty; the first metric listed fills the task's column",
    )
    fitting = metrics_for(type(output))[0].name
    filled = text.replace("metrics: []", f"metrics: [{{name: {fitting}, title: A}}]")
    assert task(filled).output == output


def test_a_subset_has_a_column_per_label():
    text = """  - id: mood
    output: {kind: label_subset}
    labels: [anger, joy]
    file: {path: x.txt, dialect: tsv, columns: [ID, Tweet, anger, joy], id_column: ID}
    metrics: [{name: jaccard, title: J}]
"""
    assert task(text).output == LabelSubset(("anger", "joy"))
    assert "file.columns: the column 'joy' is missing" in mistakes(
        text.replace("anger, joy], id", "anger], id")
    )
    assert "read from CSV or TSV only" in mistakes(text.replace("dialect: tsv", "dialect: json_lines"))


def test_a_label_with_confidence_is_json():
    assert task(JSON).output == ConfidentLabel(("yes it is", "no it is not"))
    assert task(JSON).file.layout.key == "json"
    assert "a label with a confidence is read from JSON or JSON lines only" in mistakes(
        JSON.replace("dialect: json, label_column: b, other_keys: [a]", "id_column: i, label_column: b")
    )


def test_two_tasks_may_share_a_json_file_but_no_key_of_it():
    other = JSON.replace("rumour", "stance").replace(
        "label_column: b, other_keys: [a]", "label_column: a, other_keys: [b]"
    )
    assert len(load(JSON + other).tasks) == 2
    assert "two tasks read the same file 'answer.json'" in mistakes(JSON + JSON.replace("rumour", "stance"))


RATED = """  - id: empathy
    output: {kind: number, low: 1, high: 7}
    file: {path: x.tsv, dialect: tsv, columns: [ID, empathy, distress], id_column: ID, label_column: empathy}
    metrics: [{name: pearson, title: r}]
"""


def test_two_tasks_may_share_a_table_but_no_column_of_it():
    other = RATED.replace("id: empathy", "id: distress").replace(
        "label_column: empathy", "label_column: distress"
    )
    assert len(load(RATED + other).tasks) == 2
    assert "the same file 'x.tsv', and the same of its columns or keys" in mistakes(
        RATED + RATED.replace("id: empathy", "id: distress")
    )
    for change in (("columns: [ID, empathy, distress], ", ""), ("id_column: ID", "id_column: empathy")):
        assert "the same file 'x.tsv'; expected the same dialect, id_column and whole header" in mistakes(
            RATED + other.replace(*change)
        )


def test_a_file_that_holds_answers_to_one_task_is_not_shared():
    assert "the same file 'x.run'; it would have to be of csv, tsv, json, " in mistakes(
        RUNS + RUNS.replace("id: mood", "id: tone")
    )


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (
            ("kind: label_with_confidence", "kind: label_with_confidenc"),
            "output.kind: expected one of one_label",
        ),
        (("dialect: json", "dialect: jsn"), "file.dialect: expected one of csv, tsv, json, "),
        (("other_keys: [a]", "columns: [a]"), "file.columns: means nothing in a file of the dialect json"),
        (("other_keys: [a]", "other_kys: [a]"), "did you mean 'other_keys'?"),
    ],
)
def test_mistakes_of_json_are_named(change, mistake):
    assert mistake in mistakes(JSON.replace(*change))


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (
            ("never_right: [odd]", "never_right: [od]"),
            "never_right: 'od' is not one of the labels; did you mean 'odd'?",
        ),
        (("dialect: tsv", "dialect: tabs"), "file.dialect: expected one of"),
        (
            ("Dimension, Label]\n      also", "Label]\n      also"),
            "file.columns: the column 'Dimension' is missing",
        ),
        (("[[id, text, dimension, label]]", "[[id, label]]"), "file.also_headers: expected 4 columns"),
        (("[[id, text, dimension, label]]", "[id, label]"), "file.also_headers: expected a list of headers"),
        (
            ('{"+": good}', '{"+": god}'),
            "file.also_written: 'god' is not one of the labels; did you mean 'good'?",
        ),
        (('{"+": good}', "{1: good}"), "file.also_written: expected a mapping from text to text"),
        (
            ("fixed: {Dimension: joy}", "fixed: {Dimension: 1}"),
            "file.fixed: expected a mapping from text to text",
        ),
        (("fixed: {Dimension: joy}", "line_breaks: true"), "file.line_breaks: means nothing"),
        (("fixed: {Dimension: joy}", "other_keys: [a]"), "file.other_keys: means nothing"),
        (("fixed: {Dimension: joy}", "repeats: 1"), "file.repeats: expected true or false"),
        (
            ("fixed: {Dimension: joy}", "cluster_column: Txt"),
            "no column 'Txt'; did you mean 'Text'?; list it",
        ),
        (
            ("fixed: {Dimension: joy}", "cluster_column: Label"),
            "file.cluster_column: 'Label' holds the answers",
        ),
        (("fixed: {Dimension: joy}", "cluster_column: Text"), "tasks[mood].pairs: the two items of a pair"),
        (("id: equity", "id: test"), "tasks[mood].splits: the id 'test' is used twice"),
        (
            ("ids_with: mystery", "ids_with: mystery, file: x.txt"),
            "splits[equity].ids_with: a split that shares",
        ),
        (('file: "{task}-dev.txt"', 'file: "../x"'), "splits[dev].file: expected a relative path"),
        (("name: accuracy", "name: f1_odder"), "There is no metric `f1_odder`. Did you mean f1_odd"),
        (("f1_macro[bad,good]", "f1_macro[bad,god]"), "There is no metric `f1_macro[bad,god]`"),
    ],
)
def test_mistakes_of_tables_are_named(change, mistake):
    assert change[0] in TABLE
    assert mistake in mistakes(TABLE.replace(*change))


@pytest.mark.parametrize(
    ("output", "mistake"),
    [
        ("{kind: number, low: 1, high: 0}", "output.high: expected more than `low`, which is 1.0; found 0.0"),
        ("{kind: number, low: .nan, high: 0}", "output.low: expected a finite number"),
        ("{kind: number, low: 0}", "output.high: is missing; expected a number"),
        ("{kind: ordered_classes, low: 0.5, high: 3}", "output.low: expected a whole number"),
        ("{kind: span, low: 0}", "output.low: is not a key of this place"),
    ],
)
def test_mistakes_of_numbers_are_named(output, mistake):
    text = f"  - id: mood\n    output: {output}\n    file: {{path: x.csv, id_column: i, label_column: l}}\n"
    assert mistake in mistakes(text + "    metrics: [{name: pearson, title: P}]\n")


@pytest.mark.parametrize("ends", ["low: any, high: 5", "low: 0", "low: .nan, high: 0", "low: 3, high: true"])
def test_an_end_that_is_no_number_is_one_mistake(ends):
    file = "file: {path: x.csv, id_column: i, label_column: l}"
    text = f"  - id: mood\n    output: {{kind: number, {ends}}}\n    {file}\n"
    assert "expected more than" not in mistakes(text + "    metrics: [{name: pearson, title: P}]\n")


# One task for many


MANY = """  - for_each:
      - {code: en, Language: English, size: 10}
      - {code: ar, Language: Arabic, size: 20}
    id: "V-{code}"
    title: "Valence, {Language}"
    test_size: "{size}"
    output: {kind: number, low: 0, high: 1}
    file: {path: "{task}_{code}.csv", id_column: i, label_column: l}
    metrics: [{name: pearson, title: P}]
"""


def test_a_task_is_repeated_for_each_entry_with_its_words():
    first, second = load(MANY).tasks
    assert (first.id, first.title, first.test_size) == ("V-en", "Valence, English", 10)
    assert (second.file.path, second.test_size) == ("V-ar_ar.csv", 20)


def test_a_mistake_in_a_repeated_task_names_its_id():
    assert "tasks[V-ar].test_size: expected a whole number" in mistakes(
        MANY.replace("size: 20", "size: many")
    )


def test_a_word_that_no_text_uses_is_a_mistake():
    assert "tasks[V-en].for_each: the word 'Language' is used nowhere" in mistakes(
        MANY.replace("{Language}", "x")
    )


def test_a_list_of_no_mappings_is_a_mistake():
    assert "for_each: expected a list of mappings" in mistakes("  - {for_each: [en], id: x}\n")


# Fingerprints


@pytest.mark.parametrize(
    "change",
    [
        ("never_right: [odd]", "never_right: []"),
        ("dialect: tsv", "dialect: csv"),
        ("fixed: {Dimension: joy}", "fixed: {Dimension: fear}"),
        ('also_written: {"+": good}', 'also_written: {"+": bad}'),
        ("also_headers: [[id, text, dimension, label]]", "also_headers: []"),
        ("ids_with: mystery", "ids_with: myst"),
        ("gold_file: gold-dev.txt", "gold_file: gold.txt"),
        ("pairs: _", "pairs: '-'"),
        (
            "pairs: _",
            "gold_file: {path: a, id_column: i, label_column: l, columns: [i, l, t], cluster_column: t}",
        ),
    ],
)
def test_whatever_can_change_a_number_changes_the_fingerprint(change):
    assert task(TABLE).fingerprint() != task(TABLE.replace(*change)).fingerprint()


def test_a_range_belongs_to_the_fingerprint():
    first, second = (load(MANY.replace("high: 1}", f"high: {high}}}")).tasks[0] for high in (1, 2))
    assert first.fingerprint() != second.fingerprint()


def test_a_title_of_a_split_does_not():
    assert task(TABLE).fingerprint() == task(TABLE.replace("title: Equity", "title: Bias")).fingerprint()


# The definitions that come with the project


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_every_definition_loads_and_its_metrics_fit_its_answers(path):
    benchmark = load_definition(path.read_text("utf-8"), path.name)
    for each in benchmark.tasks:
        assert [metric_for(each.output, metric.name).name for metric in each.metrics]


def test_affect_in_tweets_has_33_files_and_the_test_sizes_of_table_3():
    path = next(path for path in DEFINITIONS if path.stem == "ait2018")
    benchmark = load_definition(path.read_text("utf-8"), path.name)
    assert len({each.file.path for each in benchmark.tasks}) == 33
    sizes = {each.id: each.test_size for each in benchmark.tasks}
    assert (sizes["EI-oc-ar-joy"], sizes["V-reg-es"], sizes["E-c-en"]) == (448, 648, 3259)


def test_reported_bottom_lines_are_the_means_of_the_reported_emotions():
    path = next(path for path in DEFINITIONS if path.stem == "ait2018")
    benchmark = load_definition(path.read_text("utf-8"), path.name)
    checked = 0
    for row in benchmark.reported:
        for average in benchmark.averages:
            if average.id in row.values:
                parts = [row.values[part] for part in average.of]
                assert row.values[average.id] == pytest.approx(sum(parts) / len(parts), abs=0.0011), (
                    row.system
                )
                checked += 1
    assert checked == 36


LAYOUTS = """  - id: mood
    labels: [bad, good]
    file: {path: x.csv, id_column: id, label_column: label}
    also_files: [{columns: [Headline, Body ID, Stance], id_column: Headline, label_column: Stance}]
    metrics: [{name: accuracy, title: A}]
"""


def test_another_layout_stands_where_the_tasks_file_does():
    (other,) = task(LAYOUTS).also_files
    assert (other.path, other.header_line) == ("x.csv", "Headline,Body ID,Stance")
    assert task(LAYOUTS).fingerprint() != task(re.sub(r"    also_files.*\n", "", LAYOUTS)).fingerprint()


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (("label_column: Stance", "label_colum: Stance"), "did you mean 'label_column'?"),
        (("[{columns: [Headline, Body ID, Stance], id_column: Headline, label_column: Stance}]",
          "[{id_column: id, label_column: label}]"), "expected tables with other headers"),
        (("columns: [Headline, Body ID, Stance], id_column: Headline, label_column: Stance",
          "dialect: json, label_column: a"), "expected tables with other headers"),
    ],
)  # fmt: skip
def test_mistakes_of_other_layouts_are_named(change, mistake):
    assert mistake in mistakes(LAYOUTS.replace(*change))


LOGGED = """  - id: choice
    labels: ["0", "1"]
    file: {path: x.jsonl, dialect: json_lines, id_column: idx, label_column: label, labels_as: numbers}
    metrics: [{name: accuracy, title: A}]
"""


def test_json_may_write_labels_as_numbers_or_booleans():
    assert task(LOGGED).file.labels_as == "numbers"
    truth = LOGGED.replace('"0", "1"', '"true", "false"').replace("numbers", "booleans")
    assert task(truth).file.labels_as == "booleans"


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (('"0", "1"', '"0", "01"'), "expected labels that are numbers as JSON writes them; found 0, 01"),
        (('"0", "1"', '"0", "true"'), "expected labels that are numbers as JSON writes them; found 0, true"),
        (("numbers", "booleans"), "expected labels that are booleans as JSON writes them; found 0, 1"),
        (("numbers", "dates"), "expected one of numbers, booleans, found 'dates'"),
        (("dialect: json_lines", "dialect: csv"), "means nothing in a file of the dialect csv"),
        (("labels_as: numbers", "log_filter: x"), "means nothing in a file of the dialect json_lines"),
        (("labels_as: numbers", "headerless: true"), "means nothing in a file of the dialect json_lines"),
        (('labels: ["0", "1"]', "output: {kind: span}"), "means nothing unless the answer is one label"),
    ],
)
def test_labels_as_something_else_than_they_are_written_is_a_mistake(change, mistake):
    assert mistake in mistakes(LOGGED.replace(*change))


def test_rows_without_ids_cannot_be_told_apart_by_their_ids():
    lines = """  - id: choice
    labels: ["0", "1"]
    file: {path: x.txt, dialect: one_a_line}
    splits: [{id: test, title: T}, {id: more, title: M, ids_with: m}]
    metrics: [{name: accuracy, title: A}]
"""
    assert "expected no `ids_with` where rows say no ids; found it in more" in mistakes(lines)
    read = task(lines.replace(", {id: more, title: M, ids_with: m}", ""))
    assert (read.file.id_column, read.file.label_column) == ("line", "label")


TUPLES = """  - id: mood
    output: {kind: tuples, parts: [aspect, view], keyed: true, values: {view: [good, bad]}}
    file: {path: x.jsonl, dialect: json_lines, id_column: ID, label_column: found}
    metrics: [{name: "f1_micro[aspect]", title: F1}]
"""


def test_tuples_have_parts_and_values():
    assert task(TUPLES).output == TextTuples(
        ("aspect", "view"), keyed=True, values=(("view", ("good", "bad")),)
    )
    assert task(TUPLES.replace("[good, bad]", "whole_numbers")).output == TextTuples(
        ("aspect", "view"), keyed=True, whole=("view",)
    )


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (("[aspect, view]", "[view, view]"), "output.parts: expected different names, none of them empty"),
        (("parts: [aspect, view], ", ""), "output.keyed: means nothing without parts, which are the keys"),
        (
            ("view: [good", "mood: [good"),
            "output.values: there is no part 'mood'; expected one of aspect, view",
        ),
        (("[good, bad]", "good"), "output.values: expected a mapping from a part to a list of texts"),
        (
            ("f1_micro[aspect]", "f1_micro[price]"),
            "f1_micro[<part>,<part>], each with precision or recall for f1",
        ),
    ],
)
def test_mistakes_about_tuples_are_named(change, mistake):
    assert mistake in mistakes(TUPLES.replace(*change))


RUNS = """  - id: mood
    output: {kind: ranked_list}
    file: {path: x.run, dialect: trec, columns: [topic, rank, document, run], id_column: topic}
    metrics: [{name: map, title: MAP}]
"""


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (
            ("rank, ", ""),
            "one field must be called score, rank or grade, unless there are but two; found topic, document, run",
        ),
        (("[topic, ", "["), "file.columns: the column 'topic' is missing"),
    ],
)
def test_fields_of_a_run_that_are_needed_are_missed(change, mistake):
    assert task(RUNS).file.columns == ("topic", "rank", "document", "run")
    assert mistake in mistakes(RUNS.replace(*change))
