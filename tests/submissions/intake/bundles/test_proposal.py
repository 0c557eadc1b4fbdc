"""What a bundle becomes: a definition that the loader takes, its labels, and a report of the rest line by line."""

import datetime as dt
import json

import pytest

from benchmarks.spec import Counting, Feedback
from submissions.intake.bundles.proposal import read_bundle
from submissions.intake.bundles.report import BundleRefused, Fate
from tests.conftest import CASES
from tests.submissions.intake.bundles.made_bundles import CODABENCH, CODALAB, MEMBERS, codabench, codalab
from tests.submissions.intake.bundles.test_archive import zipped

PUBLISHED = CASES / "bundles"


@pytest.fixture(scope="module")
def second():
    return read_bundle(codabench(), "b.zip")


@pytest.fixture(scope="module")
def first():
    return read_bundle(codalab(), "a.zip")


def lines(proposal) -> str:
    return "\n".join(map(str, proposal.notes))


def instants(spec):
    return [(phase.opens_at, phase.closes_at) for phase in spec.phases]


def at(month: int, day: int, hour: int = 0) -> dt.datetime:
    return dt.datetime(2030, month, day, hour, tzinfo=dt.UTC)


def test_phases_with_dates_quotas_and_what_they_are_about(second):
    practice, evaluation = second.spec.phases
    assert instants(second.spec) == [(at(1, 1), at(1, 31)), (at(2, 1), at(2, 8, 12))]
    assert {limit.period.value: limit.most for limit in evaluation.limits} == {"total": 2, "per_day": 1}
    assert [target.split for phase in (practice, evaluation) for target in phase.targets] == ["dev", "test"]
    assert (practice.counting, practice.feedback) == (Counting.LATEST, Feedback.IMMEDIATE)
    assert evaluation.disclosure.key == "sealed"


def test_successive_phases_with_a_task_each_have_splits_of_one(second):
    (task,) = second.spec.tasks
    assert task.output.labels == ("bad", "good")
    assert [(gold.split, gold.item_count) for gold in second.gold] == [("dev", 4), ("test", 5)]
    assert second.gold[1].data == b"good\ngood\nbad\nbad\ngood\n"


def test_columns_and_the_program_s_words_propose_metrics(second):
    assert [metric.name for metric in second.spec.tasks[0].metrics] == ["f1_macro", "accuracy"]
    assert "f1_macro is proposed, because the column says “macro_f1”" in lines(second)


def test_pages_terms_registration_and_questions_are_carried(second):
    spec = second.spec
    assert [(page.id, page.text) for page in spec.pages] == [
        ("overview", "# Mood\n\nSee this."),
        ("data", "Naïve words."),
    ]
    assert spec.terms == "Be fair."
    assert spec.registration.value == "open"
    assert [(one.title, one.options) for one in spec.fact_lists] == [
        ("What model", ("tree", "net")),
        ("Open weights", ("yes", "no")),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "competition.yaml, line 5: image: left out: there are no logos.",
        "line 12: tasks[0].scoring_program: left out: programs are not run here; its text was read for the name of a "
        "metric. Confirm the metric, with a submission whose score you know.",
        "line 12: tasks[0].input_data: left out",
        "line 18: phases[1].auto_migrate_to_this_phase: left out: nothing is sent again by itself.",
        "data.md: pages[1].file: carried otherwise: it is not UTF-8, and was read as Latin-1.",
        "leaderboards[0].columns[2]: left out: Run time is about what a program took",
        "leaderboards[0].columns[3]: left out: Our own score is what the program writes under zeta; no metric is known",
        "fact_sheet[words]: left out: a question that is answered in words",
        "fact_sheet[model].is_required: left out",
        "line 32: unknown_key: not known: nothing follows from it.",
        "kit.zip: files: left out: Starting kit",
        "reference_data: to decide: labels stand in the bundle in clear",
    ],
)
def test_what_is_not_carried_is_told_with_its_place(second, line):
    assert line in lines(second)


def of_two_subtasks(
    dev=("dev/gold_a.txt", "dev/gold_b.txt"), test=("test/task-a.gold.txt", "test/task-b.gold.txt")
):
    members = {name: data for name, data in MEMBERS.items() if not name.endswith("labels.txt")}
    members |= dict.fromkeys((dev[0], test[0]), b"good\nbad\n" * 3) | dict.fromkeys(
        (dev[1], test[1]), b"0.5\n0.7\n"
    )
    return read_bundle(codabench(members=members), "b.zip")


def test_labels_of_several_subtasks_in_one_folder_are_a_task_each():
    proposal = of_two_subtasks()
    assert [(task.id, task.output.key) for task in proposal.spec.tasks] == [
        ("mood-of-sentences-a", "one_label"),
        ("mood-of-sentences-b", "number"),
    ]
    assert [(gold.task[-1], gold.split, gold.source) for gold in proposal.gold] == [
        ("a", "dev", "dev/gold_a.txt"),
        ("a", "test", "test/task-a.gold.txt"),
        ("b", "dev", "dev/gold_b.txt"),
        ("b", "test", "test/task-b.gold.txt"),
    ]
    assert [
        [(target.task[-1], target.split) for target in phase.targets] for phase in proposal.spec.phases
    ] == [
        [("a", "dev"), ("b", "dev")],
        [("a", "test"), ("b", "test")],
    ]
    assert "has labels of 2 subtasks, a, b: each is a task here" in lines(proposal)


@pytest.mark.parametrize(
    "names", [{"dev": ("dev/gold.txt", "dev/dev.gold.txt")}, {"test": ("test/gold_b.txt", "test/gold_c.txt")}]
)
def test_files_that_are_no_subtasks_of_each_split_make_one_task(names):
    assert len(of_two_subtasks(**names).spec.tasks) == 1


def test_a_subtask_is_called_by_the_word_that_differs_wherever_it_stands_besides():
    proposal = of_two_subtasks(
        dev=("dev/a/gold_a.txt", "dev/a/gold_b.txt"), test=("test/a/gold_a.txt", "test/a/gold_b.txt")
    )
    assert [task.id[-1] for task in proposal.spec.tasks] == ["a", "b"]


@pytest.mark.parametrize(
    ("dev", "gold", "told"),
    [
        (b"id,label\n1,good\n2,bad\n3,good\n", b"tweet_id,stance\n1,good\n2,bad\n3,good\n", False),
        (b"tweet_id,stance,text\n1,good,x\n2,bad,y\n3,good,z\n", None, False),
        (b"good\nbad\n", None, True),
    ],
)
def test_development_data_come_along_or_it_is_said_that_they_do_not(dev, gold, told):
    labels = b"tweet_id,stance\n5,good\n6,bad\n7,good\n"
    proposal = read_bundle(
        codabench(members=MEMBERS | {"dev/labels.txt": dev, "test/labels.txt": labels}), "b.zip"
    )
    found = {one.split: one.data for one in proposal.gold}
    assert (
        "dev/labels.txt: its layout or its columns are not those of test/labels.txt" in lines(proposal)
    ) is told
    assert ("dev" not in found) is told
    assert gold is None or found["dev"] == gold
    assert found["test"] == labels


def test_the_older_format_has_phases_by_their_number_that_end_where_the_next_begins(first):
    spec = first.spec
    assert [phase.title for phase in spec.phases] == ["Practice", "Final"]
    assert instants(spec) == [(at(1, 1), at(2, 1)), (at(2, 1), at(3, 1))]
    assert spec.anonymous
    assert spec.terms == "Rules\n\nBe fair."
    assert [page.text for page in spec.pages] == ["Sizes."]
    assert spec.phases[1].counting is Counting.LATEST


def test_the_older_format_s_columns_stand_by_rank_and_numbers_stay_numbers(first):
    (task,) = first.spec.tasks
    assert [metric.name for metric in task.metrics] == ["pearson", "spearman"]
    assert (task.output.low, task.output.high) == (0.0, 4.0)
    assert [(gold.split, gold.source, gold.item_count) for gold in first.gold] == [
        ("dev", "a.solution", 3),
        ("test", "b.solution", 4),
    ]
    assert "admin_names: left out: accounts are not made: a,b." in lines(first)
    assert "color" not in lines(first)


def test_children_of_a_parallel_phase_are_tasks_of_it():
    text = CODALAB.replace(
        "  2: {phasenumber: 2,",
        "  3: {phasenumber: 3, is_parallel_parent: true, label: Both, start_date: "
        "2030-02-01, max_submissions: 3}\n  2: {phasenumber: 2, parent_phasenumber: 3,",
    )
    text = text.replace("phasenumber: 1,", "phasenumber: 1, parent_phasenumber: 3,")
    spec = read_bundle(codalab(text), "a.zip").spec
    (phase,) = spec.phases
    assert [task.title for task in spec.tasks] == ["Practice", "Final"]
    assert [target.task for target in phase.targets] == ["practice", "final"]


def test_a_bundle_in_one_folder_is_read(second):
    assert read_bundle(codabench(folder="bundle/"), "b.zip").document == second.document


def test_labels_that_were_public_make_a_public_task():
    spec = read_bundle(codabench(), "b.zip", gold_is_public=True).spec
    assert spec.tasks[0].gold_state.value == "public"
    assert {phase.disclosure.key for phase in spec.phases} == {"exact"}


def test_a_task_whose_labels_cannot_be_read_claims_nothing_of_them():
    proposal = read_bundle(
        codabench(members=MEMBERS | {"test/labels.txt": b"\0", "dev/labels.txt": b""}), "b.zip"
    )
    assert proposal.gold == ()
    assert proposal.spec.tasks[0].output.describe().startswith("text") or proposal.document["tasks"][0][
        "output"
    ] == {"kind": "span"}
    assert "no labels could be read: dev/labels.txt: it is empty" in lines(proposal)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("tasks: [1]", "tasks: [9]", "the task 9 is not defined"),
        ("reference_data: test/", "reference_data: none/", "none/ is not in the bundle"),
        ("terms: terms.md", "terms: ../terms.md", "the path '../terms.md' leaves the bundle"),
        ("reference_data: test/", "key: 1234-uuid", "the task is on another server"),
        ("title: Mood of sentences", "title: [", "no YAML"),
        ("phases:", "stages:", "no phases"),
        ("tasks:", "jobs:", "no tasks"),
        ("2030-01-31", "!!python/object:os.system x", "the tag"),
    ],
)
def test_a_bundle_that_contradicts_itself_is_refused_with_the_place(old, new, fault):
    with pytest.raises(BundleRefused) as caught:
        read_bundle(codabench(CODABENCH.replace(old, new, 1)), "b.zip")
    assert fault in str(caught.value)


def test_a_zip_without_a_competition_is_refused():
    with pytest.raises(BundleRefused, match=r"no competition\.yaml in the zip"):
        read_bundle(zipped({"a.txt": b""}), "b.zip")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("start: 2030-01-01", "start: soon", "is no date that can be read"),
        ("start: 2030-01-01", "start: 1-2-2030", "read with the month first: 02 January 2030"),
        ("end: 2030-02-08 12:00:00", "end: 2029-01-01", "the phase ends before it begins"),
        (", end: 2030-02-08 12:00:00", "", "the phase has no end"),
        (
            "macro_f1, index: 0, sorting: desc",
            "macro_f1, index: 0, sorting: asc",
            "sorted the other way round",
        ),
        ("title: Mood", "title: Other\ntitle: Mood", "the key stands twice"),
        ("max_submissions: 30", "max_submissions: many", "expected a number, found 'many'"),
        (
            "max_submissions: 30",
            "max_submissions: -1",
            "expected a number from 1 on, found -1; it was read as",
        ),
        ("file: overview.html", "file: test/", "test/ is a folder; expected a file"),
        ("zeta, index: 3", "zeta, index: 3, computation: avg", "Our own score is an average; one is made of"),
    ],
)
def test_what_is_odd_is_told_and_carried_as_far_as_it_goes(old, new, told):
    assert told in lines(read_bundle(codabench(CODABENCH.replace(old, new, 1)), "b.zip"))


def test_labels_that_are_all_alike_make_a_task_that_claims_nothing_of_them():
    members = MEMBERS | {"test/labels.txt": b"good\ngood\n", "dev/labels.txt": b"good\n"}
    proposal = read_bundle(codabench(members=members), "b.zip")
    assert proposal.gold == ()
    assert "test/labels.txt: all 3 items have the same label" in lines(proposal)


@pytest.mark.parametrize(
    ("encoding", "name"), [("utf-16", "UTF-16"), ("cp1252", "Windows-1252"), ("latin-1", "Latin-1")]
)
def test_a_definition_in_an_older_encoding_is_read_and_told(encoding, name):
    dash = "\N{EN DASH}" if encoding != "latin-1" else "-"
    title = f"Mood {dash} caf\N{LATIN SMALL LETTER E WITH ACUTE}"
    text = CODABENCH.replace("title: Mood of sentences", f"title: {title}")
    members = {"competition.yaml": text.encode(encoding), **MEMBERS}
    proposal = read_bundle(zipped(members), "b.zip")
    assert proposal.spec.title == title
    assert f"was read as {name}" in lines(proposal)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published bundles are not there")
@pytest.mark.parametrize("name", ["competition_v2_multi_task_fact_sheet.zip", "competition_15_iris.zip"])
def test_published_bundles_give_what_is_known_of_them(name):
    known = json.loads((PUBLISHED / "expected.json").read_text())[name]
    with (PUBLISHED / name).open("rb") as file:
        proposal = read_bundle(file, name)
    spec = proposal.spec
    assert spec.title == known["title"]
    assert (spec.registration.value == "approval") == known["approval_of_participants"]
    assert [page.title.lower() for page in spec.pages] == [title.lower() for title in known["pages"]]
    assert [phase.title for phase in spec.phases] == [
        phase.get("name") or phase["label"] for phase in known["phases"]
    ]
    assert [{limit.period.value: limit.most for limit in phase.limits} for phase in spec.phases] == [
        {"total": phase["max_submissions"], "per_day": phase["max_submissions_per_day"]}
        for phase in known["phases"]
    ]
    rows = sorted(count for files in known["reference_rows"].values() for count in files.values())
    assert sorted(gold.item_count for gold in proposal.gold) == rows


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published bundles are not there")
def test_broken_bundles_name_the_fault_and_its_line():
    faults = json.loads((PUBLISHED / "bad" / "expected-problems.json").read_text())
    for fault in faults:
        with (PUBLISHED / fault["file"]).open("rb") as file, pytest.raises(BundleRefused) as caught:
            read_bundle(file, fault["file"])
        assert all(note.outcome in (Fate.REFUSED, Fate.UNKNOWN) for note in caught.value.notes)
        assert fault["line"] in {None, *(note.line for note in caught.value.notes)}, fault
