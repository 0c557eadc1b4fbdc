"""The wizard for a new task: the gold file of every kind of answer and every layout, from upload to open task."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.models import Task
from leaderboard.admin.new_task import wizard
from scoring.models import GoldVersion
from tests.admin.test_new_task import NEW, TEXTS, answers_of, errors_of, going, text_of

pytestmark = pytest.mark.thorough

WORDS = ["Ann", "went", "to", "Bath", "by", "train", "and", "came", "home", "late"]


@pytest.fixture
def send(client, clerk, gold_keys, monkeypatch):
    """Posts a file and answers to the wizard, as staff without any benchmark. No preview is drawn."""
    client.force_login(clerk)
    monkeypatch.setattr(wizard, "pages_to_come", lambda *args, **options: ())

    def _post(data, name, **answers):
        return client.post(NEW, {"file": SimpleUploadedFile(name, data.encode()), **answers})

    return _post


@pytest.fixture
def opened(send):
    """The task that a file becomes with what is proposed, or with other answers, and the texts that are asked for."""

    def _open(data, name, **chosen):
        first = send(data, name)
        step = first.context["step"]
        assert step.at == "columns", errors_of(first)
        shown = send(data, name, **going(first, "check", **TEXTS, **chosen))
        assert shown.context["step"].at == "check", (shown.context["step"].at, errors_of(shown))
        assert shown.context["step"].problems == ()
        answer = send(data, name, **answers_of(shown, is_sure="on"))
        assert answer.status_code == 302, (answer.context["step"].problems, errors_of(answer))
        return Task.objects.get(), shown

    return _open


def lines_of(**columns):
    """JSON lines with these keys."""
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return "".join(json.dumps(row) + "\n" for row in rows)


def listed_of(**columns):
    """The same as a list, indented as programs do."""
    return json.dumps([json.loads(line) for line in lines_of(**columns).splitlines()], indent=2)


def by_id_of(**columns):
    """The same as an object from id to the other keys, on one line."""
    rows = map(json.loads, lines_of(**columns).splitlines())
    return json.dumps({row.pop("id"): row for row in rows})


IDS = [f"i{number}" for number in range(1, 9)]
SENTENCES = [f"{WORDS[at]} saw the old {WORDS[at + 1]} by night" for at in range(8)]
LISTS = ("red; blue", "green", "", "blue; green")
TOKENS = "Ann\tB-person\nLee\tI-person\nleft\tO\n\nBath\tB-place\nwaits\tO\n\nHe\tO\nsaw\tO\nIda\tB-person\n"
UNIVERSAL = "".join(
    f"# sent_id = s{at}\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n"
    f"2\tle\tle\t{['DET', 'PRON'][at % 2]}\t_\t_\t0\troot\t_\t_\n\n"
    for at in range(1, 5)
)
FILES = {
    "JSON with words": ("a.jsonl", lines_of(id=IDS, label=["yes", "no"] * 4, text=SENTENCES)),
    "a JSON list": ("a.json", listed_of(id=[*range(8)], label=["yes", "no"] * 4, text=SENTENCES)),
    "a JSON object by ids": ("a.json", by_id_of(id=IDS, label=["yes", "no"] * 4, text=SENTENCES)),
    "a JSON object from id to label": (
        "a.json",
        json.dumps(dict(zip(IDS, ["yes", "no"] * 4, strict=True)), indent=1),
    ),
    "a JSON list of lists": (
        "a.json",
        listed_of(id=IDS, labels=[["red", "blue"], ["green"], [], ["red"]] * 2),
    ),
    "JSON with truth values": ("a.jsonl", lines_of(idx=[*range(8)], label=[True, False] * 4)),
    "JSON with numbers": ("a.jsonl", lines_of(idx=[*range(8)], label=[0, 1, 2, 0] * 2)),
    "JSON with keys in keys": (
        "a.jsonl",
        lines_of(id=IDS, answer=[{"label": one} for one in ["a", "b"] * 4]),
    ),
    "JSON with scores": ("a.jsonl", lines_of(id=IDS, score=[at / 8 for at in range(8)])),
    "JSON with shares": (
        "a.jsonl",
        lines_of(id=IDS, soft_label=[{"0": 0.25, "1": 0.75}, {"0": 1, "1": 0}] * 4, hard=[1, 0] * 4),
    ),
    "lists of labels": ("a.jsonl", lines_of(id=IDS, labels=[["red", "blue"], ["green"], [], ["red"]] * 2)),
    "lists of tags": (
        "a.jsonl",
        lines_of(id=IDS, words=[["Ann", "left"]] * 8, tags=[["N", "V"], ["N", "N"]] * 4),
    ),
    "frames": (
        "a.jsonl",
        lines_of(id=IDS, intent=["Book", "Ask"] * 4, slots=[{"city": "Bath"}, {"day": ["May", "June"]}] * 4),
    ),
    "places of characters": ("a.tsv", "".join(f"{at}\t{[*range(3, at + 3)]}\n" for at in range(8))),
    "places in CSV": ("a.csv", "id,spans\n" + "".join(f'{at},"{[*range(at)]}"\n' for at in range(8))),
    "ranges of characters": ("a.jsonl", lines_of(id=IDS, spans=[[], [[0, 4], [3, 9]]] * 4)),
    "ranges with types": (
        "a.jsonl",
        lines_of(
            id=IDS,
            text=SENTENCES,
            labels=[
                [],
                [{"technique": "doubt", "end": 4, "start": 0, "text_fragment": "Ann"}],
                [
                    {"technique": "doubt", "end": 9, "start": 5, "text_fragment": "saw"},
                    {"technique": "doubt", "end": 4, "start": 0, "text_fragment": "Ann"},
                ],
                [],
            ]
            * 2,
        ),
    ),
    "triplets": ("a.jsonl", lines_of(id=IDS, text=SENTENCES, found=[[["Ann", "old", "bad"]], []] * 4)),
    "relations": ("a.jsonl", lines_of(id=IDS, found=[[{"head": "Ann", "tail": "Bath"}], []] * 4)),
    "references": ("a.jsonl", lines_of(id=IDS, references=[[one, f"{one} again"] for one in SENTENCES])),
    "preferences": ("a.jsonl", lines_of(id=IDS, preferred=["1", "2", "tie", "1"] * 2)),
    "one label a line": ("irony.labels", "0\n1\n1\n0\n0\n1\n"),
    "one text a line": (
        "ref.de.txt",
        "".join(f"{one}{', perhaps' * (at % 3)}.\n" for at, one in enumerate(SENTENCES)),
    ),
    "entities": ("names.conll", TOKENS),
    "tags between blanks": ("tags.conll", "# id = s1\nAnn NOUN\nleft VERB\n\n# id = s2\nHe NOUN\nran VERB\n"),
    "CoNLL-U": ("a.conllu", UNIVERSAL),
    "judgements": ("a.qrels", "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\nq2 0 d3 0\n"),
    "BEIR's judgements": ("test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t2\n"),
    "one judgement a query": ("qrels.dev.tsv", "1\t0\t71\t1\n2\t0\t88\t1\n3\t0\t42\t1\n"),
    "lists in cells": ("a.csv", "id,labels\n" + "".join(f"{at},{LISTS[at % 4]}\n" for at in range(8))),
    "no header": ("a.tsv", "".join(f"{at}\t{at % 2}\n" for at in range(8))),
}
PROPOSED = {
    "JSON with words": ("json_lines", "one_label", "f1_macro", '{"id": "i1", "label": "no"}'),
    "a JSON list": ("json_list", "one_label", "f1_macro", '[ {"id": 0, "label": "no"}'),
    "a JSON object by ids": ("json_by_id", "one_label", "f1_macro", '{ "i1": {"label": "no"}'),
    "a JSON object from id to label": ("json_by_id", "one_label", "f1_macro", '{ "i1": "no"'),
    "a JSON list of lists": ("json_list", "many_labels", "f1_micro", '[ {"id": "i1", "labels": ["blue"]}'),
    "JSON with truth values": ("json_lines", "one_label", "f1_macro", '{"idx": 0, "label": false}'),
    "JSON with numbers": ("json_lines", "one_label", "f1_macro", '{"idx": 0, "label": 0}'),
    "JSON with keys in keys": (
        "json_lines",
        "one_label",
        "f1_macro",
        '{"id": "i1", "answer": {"label": "a"}}',
    ),
    "JSON with scores": ("json_lines", "number", "pearson", '{"id": "i1", "score": 0.0}'),
    "JSON with shares": (
        "json_lines",
        "soft_labels",
        "cross_entropy",
        '{"id": "i1", "soft_label": {"0": 0.5, "1": 0.5}}',
    ),
    "lists of labels": ("json_lines", "many_labels", "f1_micro", '{"id": "i1", "labels": ["blue"]}'),
    "lists of tags": ("json_lines", "token_labels", "token_accuracy", '{"id": "i1", "tags": ["N", "N"]}'),
    "frames": ("json_lines", "frames", "slot_f1", '{"id": "i1", "intent": "Ask", "slots": {}}'),
    "places of characters": ("tsv", "character_spans", "character_f1", "id label 0 [0, 1, 2, 3]"),
    "places in CSV": ("csv", "character_spans", "character_f1", 'id,spans 0,"[0, 1, 2, 3]"'),
    "ranges of characters": (
        "json_lines",
        "character_spans",
        "character_f1",
        '{"id": "i1", "spans": [[0, 4]]}',
    ),
    "ranges with types": (
        "json_lines",
        "character_spans",
        "character_f1",
        '{"id": "i1", "labels": [{"start": 0, "end": 4, "technique": "doubt"}]}',
    ),
    "triplets": (
        "json_lines",
        "tuples",
        "f1_micro",
        '{"id": "i1", "found": [["part 1", "part 2", "part 3"]]}',
    ),
    "relations": (
        "json_lines",
        "tuples",
        "f1_micro",
        '{"id": "i1", "found": [{"head": "head", "tail": "tail"}]}',
    ),
    "references": ("json_lines", "text", "bleu", '{"id": "i1", "text": "text"}'),
    "preferences": ("json_lines", "preference", "accuracy", '{"id": "i1", "preferred": "1"}'),
    "one label a line": ("one_a_line", "one_label", "f1_macro", "0 0 0"),
    "one text a line": ("one_a_line", "text", "bleu", "text text text"),
    "entities": ("conll", "token_entities", "f1_micro", "Ann O Lee O left O Bath O waits O"),
    "tags between blanks": ("conll", "token_labels", "token_accuracy", "# id = s1 Ann NOUN left NOUN"),
    "CoNLL-U": (
        "conllu",
        "token_labels",
        "token_accuracy",
        "# sent_id = s1 1 de _ ADP _ _ _ _ _ _ 2 le _ ADP _ _ _ _ _ _",
    ),
    "judgements": ("trec", "ranked_list", "ndcg_cut_10", "q1 Q0 document 1 1 run"),
    "BEIR's judgements": ("trec", "ranked_list", "ndcg_cut_10", "q1 Q0 document 1 1 run"),
    "one judgement a query": ("trec", "ranked_list", "ndcg_cut_10", "1 Q0 document 1 1 run"),
    "lists in cells": ("csv", "many_labels", "f1_micro", "id,labels 0,blue 1,blue"),
    "no header": ("tsv", "one_label", "f1_macro", "id label 0 0"),
}


@pytest.mark.parametrize("what", FILES)
def test_a_gold_file_is_proposed_as_what_it_is_and_its_task_opens(opened, what):
    name, data = FILES[what]
    layout, kind, metric, sample = PROPOSED[what]

    task, shown = opened(data, name)

    spec = task.spec
    assert (spec.gold.layout.key, spec.output.key, spec.primary_metric.name) == (layout, kind, metric)
    assert f"Sample submission {sample}" in text_of(shown).replace("&quot;", '"')
    assert GoldVersion.objects.get().item_count == spec.test_size


def test_empty_lists_are_labels_of_items_with_texts_too(opened):
    rows = (
        f"i{at},Message {at} of somebody.,{LISTS[at % 4]}\n" for at in range(24)
    )  # so many are looked at for clues
    task, _shown = opened(f"id,text,labels\n{''.join(rows)}", "a.csv")

    assert task.spec.output.key == "many_labels"
    assert GoldVersion.objects.get().item_count == 24


CHOSEN = {
    "probabilities": ({"label": ["yes", "no"] * 4}, "log_loss", '"probabilities": {"no": 0.5, "yes": 0.5}'),
    "label_with_confidence": ({"label": ["yes", "no"] * 4}, "rmse", '"label": ["no", 0.0]'),
    "cluster_id": ({"sense": ["sense 1", "sense 2"] * 4}, "v_measure", '"sense": "2"'),
    "scored_preference": ({"winner": ["a", "b", "both", "a"] * 2}, "accuracy", '"scores": {"score_1": 1'),
}


@pytest.mark.parametrize("kind", CHOSEN)
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_kind_that_no_gold_labels_show_is_chosen_by_hand(opened, kind, ending):
    columns, metric, sample = CHOSEN[kind]
    rows = zip(IDS, *columns.values(), strict=True)
    table = "".join(f"{','.join(row)}\n" for row in [("id", *columns), *rows])
    data = table if ending == "csv" else lines_of(id=IDS, **columns)

    task, shown = opened(data, f"a.{ending}", kind=kind, metric=metric)

    assert (task.spec.output.key, task.spec.primary_metric.name) == (kind, metric)
    is_table = task.spec.file.layout.is_table
    assert is_table == (ending == "csv" and kind != "label_with_confidence")
    assert is_table or sample in text_of(shown).replace("&quot;", '"')


def test_how_a_file_is_written_can_be_corrected(send):
    data = "good, really\nbad, really\n"
    first = send(data, "a.txt")
    assert first.context["step"].form["layout"].value() == "table"
    corrected = send(data, "a.txt", **going(first, "metric", layout="one_a_line"))
    step = corrected.context["step"]
    assert (step.at, step.form["layout"].value(), step.form["label_columns"].value()) == (
        "columns",
        "one_a_line",
        ["label"],
    )
    assert "proposed anew" in step.note


def test_only_kinds_whose_labels_the_file_can_hold_are_on_offer(send):
    form = send(FILES["judgements"][1], "a.qrels").context["step"].form
    assert [key for key, _ in form.fields["kind"].choices] == ["ranked_list"]
    assert "first_line" not in [
        field.name for field in send(FILES["judgements"][1], "a.qrels").context["step"].fields
    ]


def test_no_kind_is_on_offer_whose_answers_take_two_columns_beside_the_id(send):
    data = "id,lat,lon\n" + "".join(f"p{at},{at}.5,{at}.25\n" for at in range(8))
    form = send(data, "a.csv").context["step"].form
    assert "number" in dict(form.fields["kind"].choices)
    assert "place" not in dict(form.fields["kind"].choices)


def test_shares_of_different_objects_are_told(send):
    data = lines_of(id=IDS, one=[{"x": 0.25}, {"x": 1}] * 4, other=[{"y": 0.75}, {"y": 0}] * 4)
    chosen = {"kind": "soft_labels", "label_columns": ["one.x", "other.y"]}
    step = send(data, "a.jsonl", **going(send(data, "a.jsonl"), "metric", **chosen)).context["step"]
    assert step.form.errors["label_columns"] == [
        "In JSON, tick the keys of one object that holds all labels."
    ]


def test_a_kind_that_the_column_cannot_hold_is_told_at_the_kind(send):
    name, data = FILES["frames"]
    shown = send(data, name, **going(send(data, name), "metric", kind="one_label"))
    assert "The column slots cannot hold one label of a set." in " ".join(errors_of(shown)["kind"])


def test_a_fault_of_a_gold_file_is_told_by_its_line_and_without_a_label(send):
    data = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 secret\n"
    shown = send(data, "a.qrels", **going(send(data, "a.qrels", layout="trec"), "metric"))
    (told,) = errors_of(shown)["label_columns"]
    assert "line 3, column grade" in told
    assert "secret" not in told


def test_ids_that_are_markup_stay_text_where_the_wizard_speaks_of_them(send):
    """What a file says of items that belong together stands in a field's help, which pages print as it is."""
    rows = "".join(f"<b>thread{at}_{post},good\n" for at in range(9) for post in range(3))
    page = send(f"id,label\n{rows}", "threads.csv").content.decode()
    assert "such as &lt;b&gt;thread0 of &lt;b&gt;thread0_0" in page
    assert "<b>thread" not in page


UNLABELLED = {
    "labels": (
        "".join(f"{at},The text number {at}.,{['yes', 'no', ''][at % 3]}\n" for at in range(9)),
        "one_label",
    ),
    "numbers": (
        "".join(f"{at},The text number {at}.,{[0.5, 0.25, ''][at % 3]}\n" for at in range(9)),
        "number",
    ),
    "steps of a scale": (
        "".join(f"{at},The text number {at}.,{[1, 2, 3, ''][at % 4]}\n" for at in range(8)),
        "ordered_classes",
    ),
}


@pytest.mark.parametrize("what", UNLABELLED)
def test_items_without_a_label_are_asked_for_and_not_scored_if_that_is_meant(send, what):
    rows, kind = UNLABELLED[what]
    data, name = f"id,text,rating\n{rows}", "a.csv"
    first = send(data, name)
    form = first.context["step"].form
    assert (form["kind"].value(), form["label_columns"].value()) == (kind, ["rating"])
    empty = rows.count(",\n")
    assert f"{empty} of {len(rows.splitlines())} rows have no label." in form.fields["has_unscored"].help_text

    as_mistakes = send(data, name, **going(first, "check", **TEXTS))
    assert as_mistakes.context["step"].at == "columns"
    assert "Every row must have a label." in " ".join(errors_of(as_mistakes)["label_columns"])

    shown = send(data, name, **going(first, "check", **TEXTS, has_unscored="on"))
    assert shown.context["step"].at == "check", errors_of(shown)
    scored = len(rows.splitlines()) - empty
    assert f"Items {len(rows.splitlines())}, with their ids, of which {scored} are scored" in text_of(shown)
    assert send(data, name, **answers_of(shown, is_sure="on")).status_code == 302
    task = Task.objects.get()
    assert (task.spec.gold.empty_labels, task.spec.test_size) == ("unscored", len(rows.splitlines()))
    assert (GoldVersion.objects.get().item_count, GoldVersion.objects.get().split.item_count) == (
        scored,
        len(rows.splitlines()),
    )


def test_where_every_item_has_a_label_nothing_is_asked_about_those_without(send):
    data = "id,label\n" + "".join(f"{at},{'yn'[at % 2]}\n" for at in range(8))
    assert "has_unscored" not in send(data, "a.csv").context["step"].form.fields


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("id: moods\ntasks:\n  - id: a\n    labels: [x, y]\n", "YAML"),
        ('{"error": {"code": 404, "message": "Not found"}}', "a server answers"),
    ],
)
def test_what_holds_no_items_is_told_at_the_file(send, data, told):
    answer = send(data, "gold.txt")
    assert answer.context["step"].at == "file"
    assert told in str(errors_of(answer))


def test_what_looks_like_yaml_is_read_as_it_is_said_to_be(send):
    assert send("1: good\n2: bad\n3: bad\n", "gold.txt", layout="one_a_line").context["step"].at == "columns"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("label", "error"), [("", "No row has a label there."), ("nan", "expected at least two labels")]
)
def test_a_table_whose_labels_are_all_empty_or_all_alike_is_told_once(send, label, error):
    table = f"id,label\n1,{label}\n2,{label}\n"
    first = send(table, "a.csv")
    assert first.context["step"].at == "columns", errors_of(first)
    checked = send(table, "a.csv", **going(first, "check", **TEXTS))
    (said,) = errors_of(checked)["label_columns"]
    assert said.startswith(error)


@pytest.mark.django_db
def test_of_a_table_with_semicolons_answers_that_need_objects_come_in_json(opened):
    table = "id;label\n" + "".join(f"{at};{label}\n" for at, label in enumerate(["yes", "no"] * 4))
    task, _ = opened(table, "a.csv", kind="label_with_confidence", metric="f1_macro")
    assert (task.spec.file.layout.key, task.spec.file.delimiter) == ("json_lines", ",")
    assert task.spec.gold.delimiter == ";"


@pytest.mark.django_db
def test_columns_of_0_and_1_may_be_asked_for_as_probabilities(opened):
    table = "id,rain,birds\n" + "".join(f"{at},{at % 2},{at % 3 // 2}\n" for at in range(9))
    task, _ = opened(table, "a.csv", kind="subset_probabilities", metric="average_precision_macro")
    assert (task.spec.output.key, task.spec.output.labels) == ("subset_probabilities", ("rain", "birds"))
    assert task.spec.file.columns == task.spec.gold.columns == ("id", "rain", "birds")
