"""Syncing definitions: created once, updated when they change, phases left to their organisers."""

import datetime as dt
import io

import pytest
from django.core.management import CommandError, call_command

from benchmarks.models import Benchmark, Phase, Task
from tests.conftest import NOW, TOY_DEFINITION

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

LATER = """  - id: later
    title: Later
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 5}
    counting: latest
"""


@pytest.fixture
def sync_folder(tmp_path):
    def _sync(text: str, **options: object) -> str:
        (tmp_path / "toy.yaml").write_text(text, "utf-8")
        out = io.StringIO()
        call_command("sync_benchmarks", definitions=tmp_path, stdout=out, **options)
        return out.getvalue()

    return _sync


def test_the_shipped_definitions_sync():
    call_command("sync_benchmarks", stdout=io.StringIO())
    assert Benchmark.objects.get(pk="raft").tasks.count() == 11


def test_syncing_twice_changes_nothing(sync_folder):
    sync_folder(TOY_DEFINITION)
    assert sync_folder(TOY_DEFINITION) == "toy: nothing to change\n"


def test_a_changed_label_raises_the_task_s_version(sync_folder):
    sync_folder(TOY_DEFINITION)
    sync_folder(TOY_DEFINITION.replace("[bad, good]", "[bad, good, mixed]"))
    assert Task.objects.get(slug="mood").version == 2
    assert Task.objects.get(slug="colour").version == 1


def test_a_changed_text_leaves_the_version(sync_folder):
    sync_folder(TOY_DEFINITION)
    sync_folder(TOY_DEFINITION.replace("Good or bad?", "Which mood?"))
    assert Task.objects.get(slug="mood").version == 1


def test_a_task_that_is_no_longer_named_is_retired_and_not_lost(sync_folder):
    sync_folder(TOY_DEFINITION)
    without = "\n".join(line for line in TOY_DEFINITION.splitlines() if "id: mood" not in line)
    sync_folder(without.replace("mood: 0.8, ", ""))
    assert Task.objects.get(slug="mood").is_retired


def test_a_phase_keeps_what_its_organiser_set(sync_folder):
    sync_folder(TOY_DEFINITION)
    Phase.objects.update(quota_limit=9)
    told = sync_folder(TOY_DEFINITION)
    assert "keeps its own quota_limit: " in told
    assert "(the definition says " in told
    assert Phase.objects.get().quota_limit == 9


def test_a_mistake_in_one_file_changes_nothing_at_all(sync_folder, tmp_path):
    (tmp_path / "broken.yaml").write_text("id: [", "utf-8")
    with pytest.raises(CommandError, match=r"broken\.yaml, line 1"):
        sync_folder(TOY_DEFINITION)
    assert not Benchmark.objects.exists()


def test_an_unknown_metric_is_refused_at_sync(sync_folder):
    with pytest.raises(CommandError, match="There is no metric `f1_makro`"):
        sync_folder(TOY_DEFINITION.replace("f1_macro", "f1_makro"))


@pytest.mark.parametrize("check", [True, False])
def test_a_metric_of_another_kind_of_answer_is_refused_before_anything_is_synced(sync_folder, check):
    with pytest.raises(CommandError, match=r"`rmse` is a metric for a label .*, not for one label"):
        sync_folder(TOY_DEFINITION.replace("name: f1_macro", "name: rmse"), check=check)
    assert not Benchmark.objects.exists()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("id: toy", "id: toy\nseeds: 2", "means over seeds are exact"),
        ("    counting: latest", "    counting: latest\n" + LATER, "Please choose rules that agree, "),
    ],
    ids=["seeds", "an exact phase"],
)
def test_a_definition_that_the_rule_of_a_stored_phase_cannot_keep_is_refused(sync_folder, old, new, told):
    """The rule is the organisers'; the definition knows nothing of it."""
    sync_folder(TOY_DEFINITION)
    Phase.objects.update(
        disclosure="open", counting="best", one_per_team=True, closes_at=NOW + dt.timedelta(days=3_000)
    )

    with pytest.raises(CommandError, match="toy was not changed") as refused:
        sync_folder(TOY_DEFINITION.replace(old, new, 1))

    assert told in str(refused.value)
    assert Benchmark.objects.get().spec.seeds == 1
    assert Phase.objects.count() == 1


def test_two_phases_that_keep_the_same_items_back_at_once_are_refused(sync_folder):
    rule = "disclosure: open\n    one_per_team: true\n    lasts_days: 90"
    first = TOY_DEFINITION.replace("publish_automatically: true", rule)
    second = first[first.index("  - id: main") :].replace("main", "second").replace("Main", "Second")

    with pytest.raises(CommandError, match="Main and Second take submissions at the same time"):
        sync_folder(first + second)

    assert not Benchmark.objects.exists()
    assert "created" in sync_folder(first + second.replace("lasts_days", "opens_after: main\n    lasts_days"))
