"""The wizard for a new task: what it proposes, what it refuses, and what it opens."""

import datetime as dt
import logging
import random
import re
from random import Random

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.models import Benchmark, Phase, Task
from catalogue.answers import KINDS
from catalogue.metrics.choice import metrics_for
from leaderboard.admin.new_task import preview, wizard
from leaderboard.pages.benchmark_pages import render_benchmark
from scoring.gold.alignment import opened_version
from scoring.models import GoldVersion
from scoring.run_scoring import _gold_answers
from submissions.services import PredictionUpload, submit_predictions
from tests.admin.conftest import PRESENT
from tests.conftest import NOW
from tests.dump import database_dump
from tests.pages import browser_of
from tests.people import appoint

pytestmark = pytest.mark.thorough

NEW = "/admin/benchmarks/task/new/"
LABELS = ["good", "bad", "good", "bad", "good", "bad"]
TABLE = "id,text,label\n" + "".join(f"t{n},The text number {n}.,{label}\n" for n, label in enumerate(LABELS))


TEXTS = {"summary": "Is a review good or bad?", "licence": "CC BY 4.0", "citation": "Larch and Beech (2026)."}


@pytest.fixture
def send(client, clerk, gold_keys, monkeypatch):
    """Posts a file and answers to the wizard, as staff without any benchmark. No preview is drawn."""
    client.force_login(clerk)
    monkeypatch.setattr(wizard, "pages_to_come", lambda *args, **options: ())

    def _post(table=TABLE, name="film reviews.csv", **answers):
        data = table if isinstance(table, bytes) else table.encode()
        return client.post(NEW, {"file": SimpleUploadedFile(name, data), **answers})

    return _post


@pytest.fixture
def organise(send):
    """The last screen for a file, with all that is proposed and the texts that are asked for; or with answers."""

    def _walk(table=TABLE, name="film reviews.csv", **answers):
        if answers:
            return send(table, name, **answers)
        first = send(table, name)
        if first.context["step"].at == "file":
            return first
        return send(table, name, **going(first, "check", **TEXTS))

    return _walk


def answers_of(response, **changed):
    """What the form of a page holds, as a browser sends it."""
    step = response.context["step"]
    sent = {name: step.form[name].value() for name in step.form.fields if name != "file"}
    sent = {name: value for name, value in sent.items() if value not in (None, "") and value is not False}
    return {**sent, "at": step.at, "seen": step.seen, "confirmed": "yes", **changed}


def going(response, step, **changed):
    """The same, as the button that leads to another screen sends it."""
    return answers_of(response, go=step, confirmed=[], **changed)


def errors_of(response):
    """What is told at each field of a screen, by the field."""
    step = response.context["step"]
    shown = {field.name: list(field.errors) for field in (*step.fields, *step.folded)}
    return {name: told for name, told in shown.items() if told}


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", response.content.decode()))


def test_a_table_is_proposed_as_what_it_is(organise):
    form = organise().context["step"].form
    assert [
        form[name].value() for name in ("kind", "id_column", "label_columns", "text_columns", "metric")
    ] == [
        "one_label",
        "id",
        ["label"],
        ["text"],
        "f1_macro",
    ]


def test_the_page_shows_what_everybody_will_see(organise):
    page = text_of(organise())
    for told in (
        "/benchmarks/film-reviews/",
        "id,label t0,bad t1,bad t2,bad",
        "CSV in UTF-8",
        "text, to download",
    ):
        assert told in page
    assert "JSON" not in page


def test_nothing_is_made_before_it_is_confirmed(organise):
    organise()
    assert not Benchmark.objects.exists()


def test_confirmed_the_phase_is_open_and_the_gold_labels_are_sealed(organise, clerk):
    answer = organise(**answers_of(organise()))
    task = Task.objects.get()
    assert answer["Location"] == "/admin/benchmarks/benchmark/film-reviews/home/#data"
    assert list(task.benchmark.organisers.all()) == [clerk]
    assert task.benchmark.phases.get().is_open(NOW)
    gold = _gold_answers(opened_version(GoldVersion.objects.get().pk)[1], task.spec.output.labels)
    assert [task.spec.output.labels[code] for code in gold] == LABELS
    assert task.splits.get().texts.csv().startswith(b"id,text\nt0,The text number 0.")


def test_a_draft_is_not_said_to_be_open(organise, client, clerk, owner):
    client.force_login(owner)
    shown = organise()
    assert "labels and open" not in text_of(shown)
    page = text_of(client.get(organise(**answers_of(shown))["Location"]))
    assert "is a draft, to which nobody else can send a file yet, and its gold labels are sealed." in page
    assert "is open and its gold" not in page


def test_a_new_benchmark_is_scored_once_at_its_close_unless_it_is_chosen_otherwise(organise):
    assert "Scored once, when the phase closes, 28 days from now" in text_of(organise())
    organise(**answers_of(organise()))
    phase = Phase.objects.get()
    assert (phase.weekday, phase.closes_at) == (None, PRESENT + dt.timedelta(days=28))
    assert (phase.disclosure, phase.counting, phase.one_per_team) == ("sealed", "latest", False)


WEEKLY = {"weekday": "0", "lasts_days": "70"}


def test_weekly_scores_of_one_half_can_be_chosen_with_the_other_kept_back(organise):
    chosen = {**WEEKLY, "disclosure": "open"}
    shown = organise(**answers_of(organise(), **chosen, seen=""))
    page = text_of(shown)
    assert "Shown before the end provisional, open: half of the items, exact" in page
    assert "Scored every Monday, for 70 days; half of the items kept back until then" in page
    organise(**answers_of(shown))
    phase = Phase.objects.get()
    assert (phase.weekday, phase.disclosure, phase.counting, phase.one_per_team) == (
        0,
        "open",
        "latest",
        True,
    )


COINS = Random(15)
LARGE = "id,label\n" + "".join(f"t{n},{COINS.choice('ab')}\n" for n in range(2_000))


def test_weekly_scores_through_noise_count_the_best_answer_of_a_team(organise):
    chosen = {**WEEKLY, "disclosure": "protected", "metric": "accuracy"}
    shown = organise(LARGE, **answers_of(organise(LARGE), **chosen, seen=""))
    assert "Shown before the end provisional, protected: half of the items, through noise" in text_of(shown)
    organise(LARGE, **answers_of(shown))
    phase = Phase.objects.get()
    assert (phase.disclosure, phase.counting, phase.one_per_team) == ("protected", "best", True)


def test_a_metric_that_one_label_may_change_by_much_cannot_be_protected(organise):
    chosen = {**WEEKLY, "disclosure": "protected", "metric": "f1_macro"}
    page = text_of(organise(LARGE, **answers_of(organise(LARGE), **chosen)))
    assert "needs to know what one label can change at most" in page
    assert "accuracy has. Please choose another rule or metric." in page
    assert not Benchmark.objects.exists()


def test_each_rule_says_in_numbers_of_this_table_what_it_gives_and_costs(organise):
    table = "id,label\n" + "".join(f"t{n},{'ab'[n % 2]}\n" for n in range(150))
    page = text_of(organise(table, **going(organise(table), "phase")))
    assert "For these 150 items sealed is proposed." in page
    assert "65 accuracies of answers that are made for it tell every label" in page
    assert "With 150 items, fewer than 2,000, nothing is shown before the end" in page
    assert "An honest gain of one point shows in 64 % of cases" in page
    assert "Teams learn nothing of their own gains before" in page


RARE = Random(7)
LOPSIDED = "id,label\n" + "".join(f"t{n},{RARE.choices('ab', (4, 6))[0]}\n" for n in range(8_000))


def test_where_the_metric_has_no_bound_the_form_says_which_would_do(organise):
    page = text_of(organise(LOPSIDED, **going(organise(LOPSIDED), "phase")))
    assert (
        "For these 8,000 items sealed is proposed. Noise cannot protect labels with F1 macro as it is" in page
    )
    assert "What would do: Accuracy, or F1 micro, or F1 macro with a published share" in page
    assert "Publish that every label has at least 35 % of the items" in page


def test_with_a_metric_that_has_a_bound_noise_is_proposed(organise):
    page = text_of(organise(LOPSIDED, **going(organise(LOPSIDED), "phase", metric="accuracy")))
    assert "For these 8,000 items protected is proposed." in page
    assert "At most 260 answers are judged in the whole phase" in page
    assert "Publish that every label" not in page


def test_a_large_table_whose_own_metric_has_a_bound_is_proposed_with_noise_and_a_schedule_for_it(organise):
    table = "id,joy,anger\n" + "".join(
        f"t{n},{COINS.randrange(2)},{COINS.randrange(2)}\n" for n in range(2_000)
    )
    shown = organise(table)
    assert shown.context["step"].form["disclosure"].value() == "protected"
    assert organise(table, **answers_of(shown)).status_code == 302
    phase = Phase.objects.get()
    assert (phase.disclosure, phase.weekday, phase.counting) == ("protected", 0, "best")


def test_the_share_of_the_rarest_label_is_published_once_the_organiser_agrees_and_noise_relies_on_it(
    organise,
):
    chosen = {**WEEKLY, "disclosure": "protected", "states_share": "on"}
    shown = organise(LOPSIDED, **answers_of(organise(LOPSIDED), **chosen, seen=""))
    assert "at least 35 % of the items have the rarest label" in text_of(shown)
    assert organise(LOPSIDED, **answers_of(shown)).status_code == 302
    assert Task.objects.get().spec.rarest_label_share == 0.35


def test_nothing_of_rare_labels_is_published_unless_the_organiser_agrees(organise):
    organise(LOPSIDED, **answers_of(organise(LOPSIDED)))
    assert Task.objects.get().spec.rarest_label_share == 0


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"lasts_days": ""}, "A phase that is scored once, at its close, has to close."),
        ({"weekday": "0", "disclosure": "sealed"}, "A sealed phase has one cut-off, when it closes."),
        ({"disclosure": "open"}, "Items are kept back from weekly scores until the end of a phase"),
        ({"disclosure": "protected"}, "Items are kept back from weekly scores until the end of a phase"),
        (
            {"weekday": "0", "lasts_days": "", "disclosure": "open"},
            "Items are kept back from weekly scores until the end of a phase",
        ),
    ],
)
def test_a_schedule_that_cannot_be_is_refused_with_what_to_do(organise, chosen, told):
    assert told in text_of(organise(**{**answers_of(organise()), **chosen}))
    assert not Benchmark.objects.exists()


def test_a_rule_that_does_not_exist_is_refused(organise):
    organise(**answers_of(organise(), disclosure="generous"))
    assert not Benchmark.objects.exists()


def test_a_task_joins_a_benchmark_of_ones_own_that_nobody_has_submitted_to(organise):
    organise(**answers_of(organise()))
    shown = organise(**answers_of(organise(), into="film-reviews", task_id="second"))
    organise(**answers_of(shown))
    assert [task.slug for task in Task.objects.all()] == ["film-reviews", "second"]


@pytest.mark.parametrize(
    ("table", "changed", "told"),
    [
        (TABLE, {"title": "Another title"}, "Since you looked, your answers are others."),
        (TABLE.replace("t0,", "t9,"), {}, "Since you looked, the file is another one."),
        (TABLE, {"seen": ""}, "Nothing was shown before."),
    ],
    ids=["answers", "file", "nothing shown"],
)
def test_what_is_another_than_was_shown_is_named_and_nothing_is_opened(organise, table, changed, told):
    shown = organise(table, **answers_of(organise(), **changed))
    assert told in text_of(shown)
    assert not Benchmark.objects.exists()
    assert organise(table, **answers_of(shown)).status_code == 302


def test_a_label_that_occurs_once_is_questioned(organise):
    table = TABLE + "t6,One more text.,godd\n"
    asked = "I have had the second look"
    assert asked not in text_of(organise())
    shown = organise(table)
    assert "“godd”" in text_of(shown)
    assert asked in text_of(shown)
    assert organise(table, **answers_of(shown)).status_code == 200
    assert not Benchmark.objects.exists()
    assert organise(table, **answers_of(shown, is_sure="on")).status_code == 302


@pytest.mark.parametrize(("one", "other"), [("good", "Good"), ("é", "e\N{COMBINING ACUTE ACCENT}")])
def test_labels_that_look_alike_are_questioned(organise, one, other):
    table = "id,text,label\n" + "".join(
        f"t{n},The text number {n}.,{(one, other, 'bad')[n % 3]}\n" for n in range(12)
    )
    assert any("Are they different labels?" in doubt for doubt in organise(table).context["step"].doubts)


def test_cells_of_json_are_questioned_before_each_is_a_label(organise):
    rows = "".join(f't{n},A text.,"[0.{n}, 0.{10 - n}]"\n' for n in range(1, 8))
    shown = organise(f"id,text,soft\n{rows}")
    told = [
        doubt for doubt in shown.context["step"].doubts if "column soft: here and on all other lines" in doubt
    ]
    assert len(told) == 1
    assert "written: list" in told[0]


def test_numbers_with_decimal_commas_are_questioned_at_their_line(organise):
    table = "id;score\n" + "".join(
        f"t{n};{cell}\n" for n, cell in enumerate(["1", "0,75", "0,5", "1", "0,75", "0,5"])
    )
    (doubt,) = [one for one in organise(table).context["step"].doubts if "comma" in one]
    assert doubt.startswith(
        "Line 3, column score: here and on 3 further lines stands a number with a decimal comma"
    )


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("id,label\na,x\nb,y,z\n", "line 3: A row must"),
        ("id,label\na,x\n\nb,y\n", "line 3"),
        ('id,label\na,x\nb,"y\n', "line 3"),
        ("id\na\nb\n", "line 1: Columns must be separated"),
        ("id,id\na,x\n", "line 1"),
        ("id,label\na,x\na,y\n", "line 3, column id"),
        ("id,label\na,x\nb,\nc,y\n", "line 3, column label"),
        ("id,label\na,x\nb,y \n", "line 3, column label"),
        ("id,label\n", "A file must"),
        (b"id,label\na,\xe9\n", "line 2"),
        (b"", "empty"),
    ],
    ids=[
        "width",
        "blank",
        "quote",
        "delimiter",
        "header",
        "id",
        "no label",
        "spaces",
        "no rows",
        "bytes",
        "empty",
    ],
)
def test_a_malformed_table_is_refused_with_its_place(organise, table, told):
    assert told in text_of(organise(table))
    assert not Benchmark.objects.exists()


@pytest.mark.parametrize(
    ("cells", "kind"),
    [("1 2 3 1 2 3", "ordered_classes"), ("0 1 0 1 0 1", "one_label"), ("0.1 0.5 1 0 .3 .2", "number")],
    ids=["classes", "two labels", "numbers"],
)
def test_every_kind_that_is_proposed_can_be_opened(organise, cells, kind):
    table = "id,label\n" + "".join(f"t{n},{cell}\n" for n, cell in enumerate(cells.split()))
    shown = organise(table)
    assert shown.context["step"].form["kind"].value() == kind
    assert organise(table, **answers_of(shown)).status_code == 302


def test_columns_of_0_and_1_are_a_subset(organise):
    table = "id,text,joy,anger\na,A text.,1,0\nb,A text.,1,1\nc,A text.,0,1\n"
    shown = organise(table)
    assert shown.context["step"].form["label_columns"].value() == ["joy", "anger"]
    assert organise(table, **answers_of(shown)).status_code == 302


def test_columns_of_shares_are_soft_labels(organise):
    table = "id,text,no,yes\na,A text.,0.67,0.33\nb,A text.,1,0\nc,A text.,0.5,0.5\n"
    shown = organise(table)
    assert shown.context["step"].form["label_columns"].value() == ["no", "yes"]
    assert organise(table, **answers_of(shown)).status_code == 302
    task = Task.objects.get().spec
    assert (task.output.key, task.file.header, task.gold.header) == (
        "soft_labels",
        ("id", "no", "yes"),
        ("id", "no", "yes"),
    )
    _, gold = opened_version(GoldVersion.objects.get().pk)
    told = dict(zip(gold.ids, gold.codes.tolist(), strict=True))
    assert told == {"a": (0.67, 0.33), "b": (1, 0), "c": (0.5, 0.5)}


def test_labels_in_columns_need_two_columns(organise):
    table = "id,text,no,yes\na,A text.,0.67,0.33\nb,A text.,1,0\nc,A text.,0.5,0.5\n"
    shown = organise(table, **answers_of(organise(table), label_columns=["no"], seen=""))
    assert errors_of(shown) == {
        "label_columns": ["For this kind of answer, tick a column for each label, two at least."]
    }


def test_a_probability_per_label_is_asked_beside_a_column_of_gold_labels(organise):
    table = "id,text,label\n" + "".join(f"t{n},A text {n}.,{label}\n" for n, label in enumerate(LABELS))
    shown = organise(table, **answers_of(organise(table), kind="probabilities", seen=""))
    assert organise(table, **answers_of(shown)).status_code == 302
    task = Task.objects.get().spec
    assert (task.file.header, task.gold.header) == (("id", "bad", "good"), ("id", "label"))
    assert (task.primary_metric.name, task.instructions) == ("log_loss", KINDS["probabilities"].instruction)


@pytest.mark.parametrize(
    ("kind", "header"), [("preference", ("id", "label")), ("scored_preference", ("id", "score_1", "score_2"))]
)
def test_preferences_are_asked_as_labels_or_as_scores(organise, kind, header):
    rows = enumerate(["left", "right", "tie", "left", "tie", "right"])
    table = "id,text,label\n" + "".join(f"t{n},A text {n}.,{label}\n" for n, label in rows)
    shown = organise(table, **answers_of(organise(table), kind=kind, seen=""))
    assert organise(table, **answers_of(shown)).status_code == 302
    task = Task.objects.get().spec
    assert (task.file.header, task.gold.header) == (header, ("id", "label"))
    assert (task.output.gold.labels, task.primary_metric.name) == (("left", "right", "tie"), "accuracy")


def test_labels_that_are_no_two_candidates_are_no_preference(organise):
    table = "id,text,label\n" + "".join(f"t{n},A text {n}.,{label}\n" for n, label in enumerate("abcdab"))
    shown = organise(table, **answers_of(organise(table), kind="preference", seen=""))
    assert "expected one label for each of two candidates" in text_of(shown)


DRAWN = "23185694759321704680"
DIGITS = "id,text,label\n" + "".join(f"t{n},The text number {n}.,{digit}\n" for n, digit in enumerate(DRAWN))


def test_digits_are_proposed_as_labels_and_measured_as_such(organise):
    form = organise(DIGITS).context["step"].form
    assert (form["kind"].value(), form["metric"].value()) == ("one_label", "f1_macro")


@pytest.mark.parametrize("kind", ["one_label", "ordered_classes", "number", "probabilities"])
def test_only_metrics_that_fit_the_kind_are_on_offer_and_one_of_them_is_proposed(organise, kind):
    form = organise(DIGITS, **answers_of(organise(DIGITS), kind=kind, seen="")).context["step"].form
    offered = {name for name, _ in form.fields["metric"].choices}
    assert offered == {metric.name for metric in metrics_for(KINDS[kind]) if metric.asks_nothing}
    assert form["metric"].value() == KINDS[kind].metric


def test_the_metric_follows_the_kind(organise):
    shown = organise(DIGITS, **answers_of(organise(DIGITS), kind="ordered_classes", low="0", high="9"))
    form = shown.context["step"].form
    assert (form["metric"].value(), "icm" in dict(form.fields["metric"].choices)) == (
        "kappa_quadratic",
        False,
    )
    assert "Since you looked," in text_of(shown)
    organise(DIGITS, **answers_of(shown))
    assert Task.objects.get().spec.primary_metric.name == "kappa_quadratic"


LEVELS = "id,text,label\n" + "".join(
    f"t{n},The text number {n}.,{['high', 'low', 'medium'][n % 3]}\n" for n in range(9)
)


def test_labels_in_an_order_are_opened_in_the_order_that_the_organiser_gives(organise):
    chosen = answers_of(
        organise(LEVELS), kind="ordered_labels", metric="mae", more_labels="low\nmedium\nhigh\ntop", seen=""
    )
    shown = organise(LEVELS, **chosen)
    assert "From low to high the labels are low, medium, high, top." in text_of(shown)

    organise(LEVELS, **answers_of(shown, is_sure="on"))

    spec = Task.objects.get().spec
    assert (spec.output.labels, spec.primary_metric.name) == (("low", "medium", "high", "top"), "mae")


def test_an_id_that_is_taken_is_refused(organise, toy):
    shown = organise(**answers_of(organise(), benchmark_id="toy"))
    assert "has this id already" in text_of(shown)
    assert Benchmark.objects.get().title == "Toy"


def test_a_benchmark_of_others_or_with_submissions_is_not_on_offer(
    organise, clerk, toy, system, phase, owner
):
    from tests.uploads import toy_zip

    assert "toy" not in [one.pk for one in organise().context["step"].form.fields["into"].queryset]
    appoint(toy, clerk)
    assert "toy" in [one.pk for one in organise().context["step"].form.fields["into"].queryset]
    submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=toy_zip(), file_name="a.zip", received_at=NOW
        )
    )
    assert "toy" not in [one.pk for one in organise().context["step"].form.fields["into"].queryset]


def test_labels_lie_nowhere_between_the_steps(organise, caplog):
    caplog.set_level(logging.DEBUG)
    organise(TABLE.replace("good", "qwertz"))
    assert b"qwertz" not in database_dump()
    assert "qwertz" not in caplog.text


def test_whoever_has_confirmed_an_address_reaches_it_and_nobody_else(client, owner):
    assert client.get(NEW).status_code == 302
    client.force_login(owner)
    page = client.get(NEW)
    assert page.status_code == 200
    sidebar = [one for group in page.context["sidebar_navigation"] for one in group["items"]]
    assert [one["title"] for one in sidebar if one["has_permission"]] == ["New task", "Rehearsal"]
    assert "permission to view" not in text_of(page)
    EmailAddress.objects.filter(user=owner).update(verified=False)
    assert client.get(NEW).status_code == 403


@pytest.mark.parametrize(("address", "title"), [("new/", "New task"), ("", "Tasks")], ids=["new", "list"])
def test_the_sidebar_marks_one_entry_as_the_page_that_is_open(staff, address, title):
    page = browser_of(staff).get(f"/admin/benchmarks/task/{address}").content.decode()

    marked = re.findall(r'<a href="[^"]*" class="[^"]* active">(.*?)</a>', page, re.DOTALL)

    assert len(marked) == 1
    assert title in marked[0]


SORTED = "id,text,label\n" + "".join(f"t{at},Text {at % 7}.,{'ab'[at // 50]}\n" for at in range(100))


def test_a_table_whose_ids_tell_of_the_labels_is_opened_only_after_a_second_look(organise):
    shown = organise(SORTED)
    doubts = shown.context["step"].doubts
    assert any("the number in an item's id guesses" in doubt for doubt in doubts)
    again = organise(SORTED, **answers_of(shown))
    assert not Task.objects.exists()
    organise(SORTED, **answers_of(again, is_sure="on"))
    assert Task.objects.exists()


NUMBERED = [at * 7 % 6 for at in range(60)]


@pytest.mark.parametrize(
    ("text", "name", "is_asked"),
    [
        ("".join(f"{number}\n" for number in NUMBERED), "gold.txt", True),
        ("id,label\n" + "".join(f"i{at},{number}\n" for at, number in enumerate(NUMBERED)), "a.csv", True),
        ("id,topic\n" + "".join(f"i{at},{number}\n" for at, number in enumerate(NUMBERED)), "a.csv", False),
        (
            "id,label\n" + "".join(f"i{at},{number % 2}\n" for at, number in enumerate(NUMBERED)),
            "a.csv",
            False,
        ),
    ],
    ids=["one a line", "label", "topic", "two"],
)
def test_whole_numbers_that_nothing_names_are_asked_about_their_order(organise, text, name, is_asked):
    step = organise(text, name=name).context["step"]
    assert any("If they are steps of a scale" in doubt for doubt in step.doubts) == is_asked


def test_a_table_whose_texts_tell_of_the_labels_by_their_length_asks_for_a_second_look(organise):
    rows = random.Random(2).choices("ab", k=100)
    ids = random.Random(3).sample(range(10**6), 100)
    table = "id,text,label\n" + "".join(
        f"{item},{'x' * (60 if label == 'a' else 25)},{label}\n"
        for item, label in zip(ids, rows, strict=True)
    )
    assert any("how long an item's text is" in doubt for doubt in organise(table).context["step"].doubts)


@pytest.mark.parametrize(
    ("sign", "ending", "stated"),
    [("\t", "tsv", "TSV in UTF-8, tabs between"), (";", "csv", "CSV in UTF-8, semicolons between")],
)
def test_participants_send_tables_like_that_of_the_organiser(
    organise, owner, system, sync, sign, ending, stated
):
    table = TABLE.replace(",", sign)
    table = table.replace("The text", 'The "text"') if sign == "\t" else table
    name = f"film reviews.{ending}"

    shown = organise(table, name=name)
    assert f"film-reviews.{ending}: {stated}" in text_of(shown)
    opened = organise(table, name=name, **answers_of(shown))

    assert opened.status_code == 302
    task = Task.objects.get(slug="film-reviews")
    assert (task.spec.file.layout.key, task.spec.file.path) == (ending, f"film-reviews.{ending}")
    answers = f"id{sign}label\n" + "".join(f"t{n}{sign}good\n" for n in range(6))
    phase = task.benchmark.phases.get()
    receipt = submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=owner,
            data=answers.encode(),
            file_name=f"film-reviews.{ending}",
            received_at=phase.opens_at or NOW,
        )
    )
    assert receipt.submission.predictions.count() == 1


# One screen at a time


def test_each_screen_asks_for_a_few_things(send):
    shown = send()
    seen = []
    while shown.context["step"].at != "check":
        step = shown.context["step"]
        seen.append(step.at)
        assert 1 <= len(step.fields) <= 6
        shown = send(**going(shown, step.after, **(TEXTS if step.at == "texts" else {})))
    assert seen == ["columns", "metric", "texts", "place", "phase"]


def test_nothing_is_lost_on_the_way_back(send):
    there = send(
        **going(send(), "phase", title="A title of mine", **TEXTS, quota="7", opens="2027-01-10T09:00")
    )
    back = send(**going(there, "columns", text_columns=[]))
    assert back.context["step"].at == "columns"
    again = send(**going(back, "check"))
    form = again.context["step"].form
    kept = [form[name].value() for name in ("title", "licence", "quota", "opens", "text_columns")]
    assert kept == ["A title of mine", "CC BY 4.0", "7", "2027-01-10T09:00", []]
    assert "have changed" not in text_of(again)


def test_without_the_file_the_answers_are_kept_until_it_is_chosen_again(send, client):
    sent = going(send(), "place", title="A title of mine", **TEXTS)
    shown = client.post(NEW, sent)
    assert shown.context["step"].at == "file"
    carried: dict[str, list[str]] = {}
    for name, value in shown.context["step"].carried:
        carried.setdefault(name, []).append(value)
    again = send(**carried, at="file", go="columns")
    assert (again.context["step"].at, again.context["step"].form["title"].value()) == (
        "columns",
        "A title of mine",
    )


def test_texts_and_licence_are_asked_for_and_nothing_is_made_up(send):
    shown = send(**going(send(), "check"))
    assert shown.context["step"].at == "texts"
    assert set(errors_of(shown)) == {"summary", "licence", "citation"}
    assert text_of(shown).count("This field is required.") == 3


def test_errors_of_later_screens_are_not_told_before_one_comes_to_them(send):
    assert errors_of(send(**going(send(), "texts"))) == {}


def test_the_preview_is_the_page_that_everybody_sees_afterwards(organise, monkeypatch):
    monkeypatch.setattr(wizard, "pages_to_come", preview.pages_to_come)
    shown = organise()
    pages = {page.address: page.text for page in shown.context["step"].pages}
    assert set(pages) == {
        f"/benchmarks/film-reviews/{tail}" for tail in ("", "rules/", "tasks/film-reviews/")
    }
    of_task = pages["/benchmarks/film-reviews/tasks/film-reviews/"]
    assert "&lt;id of a test item&gt;,bad" in of_task
    assert all(text in of_task for text in (*TEXTS.values(), "CC BY 4.0"))
    assert not any(word in "".join(pages.values()) for word in ("No licence stated", "Not published yet"))
    assert not Benchmark.objects.exists()
    assert not GoldVersion.objects.exists()

    organise(**answers_of(shown))
    drawn = {page.path: page.body.decode() for page in render_benchmark(Benchmark.objects.get())}
    assert {address: without_digests(drawn[address]) for address in pages} == {
        address: without_digests(text) for address, text in pages.items()
    }


def without_digests(page: str) -> str:
    """Labels are sealed with a salt that is drawn by lot."""
    return re.sub("[0-9a-f]{8,}", "", re.sub("<wbr>", "", page))


# What is said of the columns


SCORED = "id,text,grade,confidence\n" + "".join(
    f"r{n},Text number {n}.,{n * 10},{n / 10}\n" for n in range(8)
)


def test_the_range_follows_the_column(send):
    first = send(SCORED)
    (proposed,) = first.context["step"].form["label_columns"].value()
    other, ends = {"confidence": ("grade", ("0", "70")), "grade": ("confidence", ("0", "1"))}[proposed]
    shown = send(SCORED, **going(first, "metric", label_columns=[other], kind="number"))
    form = shown.context["step"].form
    assert (form["low"].value(), form["high"].value(), errors_of(shown)) == (*ends, {})


def test_a_range_that_was_typed_stays_and_an_end_that_was_emptied_is_computed_anew(send):
    there = send(SCORED, **going(send(SCORED), "metric", label_columns=["grade"], kind="number"))
    typed = send(SCORED, **going(there, "texts", low="-5", high="200"))
    ends = [send(SCORED, **going(typed, "metric", low=low)).context["step"].form for low in ("-5", "")]
    assert [(form["low"].value(), form["high"].value()) for form in ends] == [("-5", "200"), ("0", "200")]


def test_numbers_outside_of_the_range_are_told_once_at_the_range(send):
    many = "id,grade\n" + "".join(f"r{n},{n}\n" for n in range(200))
    there = send(many, **going(send(many), "metric", kind="number"))
    shown = send(many, **going(there, "texts", high="9"))
    assert shown.context["step"].at == "metric"
    assert list(errors_of(shown)) == ["high"]
    (told,) = errors_of(shown)["high"]
    assert "lines 12, 13, 14, 15 and 46 more, column grade: A number must lie in the task's range." in told
    assert told.endswith("140 further problems were found.")
    assert text_of(shown).count("A number must lie in the task") == 1


def test_a_kind_that_the_labels_are_not_of_is_told_at_the_kind(send):
    shown = send(**going(send(), "metric", kind="number"))
    assert shown.context["step"].at == "columns"
    assert list(errors_of(shown)) == ["kind"]


SEMEVAL = "".join(
    f'{100 + n}\tText {n}, with a comma and a "quote"\t{label}\n'
    for n, label in enumerate(["OFF", "NOT"] * 3)
)


def test_a_table_without_a_header_is_taken_and_its_columns_are_shown_with_examples(send):
    form = send(SEMEVAL, "test-a.tsv").context["step"].form
    assert form["first_line"].value() == "item"
    assert [form[name].value() for name in ("id_column", "label_columns", "text_columns")] == [
        "column 1",
        ["column 3"],
        ["column 2"],
    ]
    assert "column 3: OFF; NOT" in dict(form.fields["label_columns"].choices).values()


def test_whether_the_first_line_is_a_header_can_be_corrected_both_ways(send):
    first = send(SEMEVAL)
    corrected = send(SEMEVAL, **going(first, "metric", first_line="names", title="Mine"))
    step = corrected.context["step"]
    assert (step.at, step.form["id_column"].value(), step.form["title"].value()) == ("columns", "100", "Mine")
    assert "proposed anew" in step.note
    back = send(SEMEVAL, **going(corrected, "metric", first_line="item")).context["step"]
    assert (back.at, back.form["id_column"].value()) == ("columns", "column 1")


def test_files_of_a_task_without_column_names_are_called_id_and_label(organise):
    shown = organise(SEMEVAL, "test-a.tsv")
    assert "id label 100 NOT 101 NOT" in text_of(shown)
    assert organise(SEMEVAL, "test-a.tsv", **answers_of(shown)).status_code == 302
    task = Task.objects.get()
    assert task.spec.file.header == ("id", "label")
    assert task.splits.get().item_count == 6
    assert task.splits.get().texts.csv().startswith(b"id,text\n100,")


def test_columns_of_0_and_1_without_names_are_named_by_hand(organise, send):
    table = "".join(f"{n}\t{n % 2}\t{n // 2 % 2}\n" for n in range(100, 108))
    assert list(errors_of(organise(table))) == ["column_names"]
    chosen = {**TEXTS, "column_names": "id, joy, anger"}
    shown = send(table, **going(send(table), "check", **chosen))
    assert send(table, **answers_of(shown, is_sure="on")).status_code == 302
    assert Task.objects.get().spec.output.labels == ("joy", "anger")


def test_a_benchmark_can_open_later(organise):
    shown = organise(**{**going(organise(), "check"), "opens": "2027-01-10T09:00"})
    assert "Main: opens on" in text_of(shown)
    organise(**answers_of(shown))
    phase = Phase.objects.get()
    assert (phase.opens_at, phase.closes_at) == (
        dt.datetime(2027, 1, 10, 9, tzinfo=dt.UTC),
        dt.datetime(2027, 2, 7, 9, tzinfo=dt.UTC),
    )


def test_ids_follow_the_titles_that_were_typed(organise, send):
    there = send(**going(send(), "place", **TEXTS, title="Größe & Ruhm"))
    shown = send(**going(there, "check", benchmark_title="Hard reviews 2027"))
    send(**answers_of(shown))
    task = Task.objects.get()
    assert (task.benchmark_id, task.slug, task.spec.code) == ("hard-reviews-2027", "groe-ruhm", "GRO")
    again = send(**going(send(), "check", **TEXTS, title="Größe & Ruhm", into="hard-reviews-2027"))
    assert list(errors_of(again)) == ["task_id"]


def test_a_benchmark_without_a_title_of_its_own_has_that_of_its_task(send):
    there = send(**going(send(name="gold_v3.csv"), "place", **TEXTS, title="Hard reviews"))
    send(**answers_of(send(**going(there, "check"))))
    task = Task.objects.get()
    assert (task.benchmark_id, task.benchmark.spec.title) == ("hard-reviews", "Hard reviews")


def test_a_task_in_other_units_joins_without_an_average(organise):
    organise(**answers_of(organise()))
    assert [one.id for one in Benchmark.objects.get().spec.averages] == ["overall"]
    chosen = {"label_columns": ["grade"], "kind": "number", "metric": "mae", "into": "film-reviews"}
    shown = organise(SCORED, "grades.csv", **going(organise(SCORED, "grades.csv"), "check", **chosen))
    assert "Average none: a mean of scores of different directions" in text_of(shown)
    organise(SCORED, "grades.csv", **answers_of(shown, is_sure="on"))
    spec = Benchmark.objects.get().spec
    assert [task.primary_metric.name for task in spec.tasks] == ["f1_macro", "mae"]
    assert spec.averages == ()
