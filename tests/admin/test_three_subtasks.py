"""A newcomer sets up an event of three subtasks in the admin: three files, and a phase of its own for two of them."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.models import Benchmark
from tests.admin.test_new_task import NEW, TEXTS, errors_of, going
from tests.conftest import person

LABELS = "".join(
    f"{100 + n}\tPost number {n}, with a comma\t{label}\n"
    for n, label in enumerate(["OFF", "NOT", "NOT", "OFF"] * 4)
)
SUBSETS = "id,text,joy,anger\n" + "".join(f"b{n},Post number {n}.,{n % 2},{n // 2 % 2}\n" for n in range(16))
NUMBERS = "id;text;intensity\n" + "".join(f"c{n};Post number {n}.;{n * 37 % 100 / 10}\n" for n in range(20))
HOME = "/admin/benchmarks/benchmark/hard-posts-2027/home/"

pytestmark = pytest.mark.thorough


@pytest.fixture
def newcomer(client, db, gold_keys):
    client.force_login(person("newcomer"))
    return client


class Presses:
    """Goes from screen to screen with one file, and counts the buttons that were pressed."""

    def __init__(self, client, name, table):
        self.client, self.name, self.table, self.count = client, name, table, 0

    def press(self, **sent):
        self.count += 1
        return self.client.post(NEW, {"file": SimpleUploadedFile(self.name, self.table.encode()), **sent})

    def to_the_end(self, title, *, into="", **typed):
        """Types a title and the texts, leaves all else as it is proposed, and presses on."""
        shown = self.press(at="file", go="columns", into=into)
        while (step := shown.context["step"]).at != "check":
            answers = {"title": title, **TEXTS} if step.at == "texts" else {}
            answers |= {name: value for name, value in typed.items() if name in step.form.fields}
            shown = self.press(**going(shown, step.after, **answers))
            assert errors_of(shown) == {}
        assert not step.problems
        return self.press(**{**going(shown, ""), "confirmed": "yes"})


def test_three_subtasks_and_a_phase_for_two_of_them_without_a_line_of_yaml(newcomer):
    first = Presses(newcomer, "a.tsv", LABELS)
    done = first.to_the_end(
        "Offensive", benchmark_title="Hard posts 2027", opens="2027-01-10T09:00", lasts_days="7"
    )
    assert done["Location"] == f"{HOME}#data"
    add = f"{NEW}?into=hard-posts-2027"
    others = [Presses(newcomer, "b.csv", SUBSETS), Presses(newcomer, "c.csv", NUMBERS)]
    for walk, title, metric in zip(others, ("Emotions", "Intensity"), ("f1_micro", "mae"), strict=True):
        assert add in newcomer.get(HOME).content.decode()
        assert ("into", "hard-posts-2027") in newcomer.get(add).context["step"].carried
        assert walk.to_the_end(title, into="hard-posts-2027", metric=metric).status_code == 302
    assert [first.count, *(walk.count for walk in others)] == [7, 6, 6]

    answer = newcomer.post(
        "/admin/benchmarks/benchmark/hard-posts-2027/add_phase/",
        {
            "title": "Test B and C",
            "opens_at_0": "2027-01-12",
            "opens_at_1": "09:00",
            "closes_at_0": "2027-01-19",
            "closes_at_1": "09:00",
            "places": ["emotions/test", "intensity/test"],
            "takes_over": "on",
            "quota": "2",
            "confirmed": "yes",
        },
    )
    assert answer.status_code == 302

    benchmark = Benchmark.objects.get()
    assert benchmark.visibility == Benchmark.Visibility.DRAFT
    kinds = [(task.id, task.output.key, task.primary_metric.name) for task in benchmark.spec.tasks]
    assert kinds == [
        ("offensive", "one_label", "f1_macro"),
        ("emotions", "label_subset", "f1_micro"),
        ("intensity", "number", "mae"),
    ]
    main, other = benchmark.phases.order_by("opens_at")
    assert main.targets == [{"task": "offensive", "split": "test"}]
    assert [target["task"] for target in other.targets] == ["emotions", "intensity"]
    assert (main.closes_at, other.closes_at) == (
        dt.datetime(2027, 1, 17, 9, tzinfo=dt.UTC),
        dt.datetime(2027, 1, 19, 9, tzinfo=dt.UTC),
    )


def test_a_phase_that_would_leave_another_about_nothing_is_refused_with_what_to_do(newcomer):
    Presses(newcomer, "a.tsv", LABELS).to_the_end("Offensive", benchmark_title="Hard posts 2027")
    answer = newcomer.post(
        "/admin/benchmarks/benchmark/hard-posts-2027/add_phase/",
        {
            "title": "Again",
            "opens_at_0": "2026-11-24",
            "opens_at_1": "09:00",
            "closes_at_0": "2026-11-30",
            "closes_at_1": "09:00",
            "places": ["offensive/test"],
            "takes_over": "on",
            "confirmed": "yes",
        },
    )
    assert "Main would be about nothing then." in answer.content.decode()
    assert Benchmark.objects.get().phases.get().targets == []
