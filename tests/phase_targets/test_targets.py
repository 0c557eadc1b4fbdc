"""What a phase is about: files of other phases cost nothing, and limits hold for each target and each day."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse_lazy

from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from scoring.gold.versions import load_gold
from submissions.exceptions import QuotaUsedUp, UploadRefused
from submissions.models import Submission, System
from submissions.quota.slots import quotas
from submissions.systems.status_transitions import withdraw
from tests.api.conftest import UPLOADS, client_of
from tests.conftest import NOW, person
from tests.phase_targets.conftest import DEFINITION, answers

HOUR = dt.timedelta(hours=1)


def test_a_file_of_another_phase_is_refused_by_name_and_costs_nothing(send, system, owner, development):
    with pytest.raises(UploadRefused) as refused:
        send("mood", "test")

    (problem,) = refused.value.result.problems
    assert (problem.code.value, problem.line, problem.column) == ("other_phase", 1, "id")
    assert "Predictions for the split test of mood belong to the phase Evaluation" in problem.message
    (quota,) = quotas(owner, [system.team], [development], NOW)
    assert [count.used for count in quota.counts] == [0, 0, 0]


def test_a_task_of_another_phase_is_refused_by_name(send, mixed):
    evaluation = mixed.phases.get(slug="evaluation")
    with pytest.raises(UploadRefused, match="1 problem") as refused:
        send("tone", "test", to=evaluation, at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC))
    (problem,) = refused.value.result.problems
    assert problem.code.value == "other_phase"
    assert (
        "belong to the phase Development; this one takes predictions for the split test of mood."
        in problem.message
    )


def test_nobody_learns_from_a_part_of_the_ids_that_the_rest_belongs_to_another_phase(send):
    with pytest.raises(UploadRefused) as refused:
        send("mood", "test", count=3)
    assert {problem.code.value for problem in refused.value.result.problems} == {"unknown_id", "missing_ids"}


def test_one_subtask_uses_up_nothing_of_another(send):
    send("mood")
    send("tone")
    with pytest.raises(QuotaUsedUp, match="The 1 submission today for mood/dev is used up"):
        send("mood", turned=1)
    assert Submission.objects.count() == 2


def test_days_are_those_of_the_phase_s_zone(send):
    send("mood", at=dt.datetime(2026, 11, 18, 22, 59, tzinfo=dt.UTC))  # 23:59 in Berlin

    with pytest.raises(QuotaUsedUp) as refused:
        send("mood", turned=1, at=dt.datetime(2026, 11, 18, 22, 59, 59, tzinfo=dt.UTC))

    assert refused.value.next_slot_at == dt.datetime(2026, 11, 18, 23, tzinfo=dt.UTC)
    send("mood", turned=1, at=dt.datetime(2026, 11, 18, 23, tzinfo=dt.UTC))


def test_the_limit_of_the_whole_phase_holds_beside_those_of_targets(send):
    for day in range(2):
        send("mood", at=NOW + 24 * day * HOUR, turned=day)
        send("tone", at=NOW + 24 * day * HOUR, turned=day)

    with pytest.raises(QuotaUsedUp, match="All 4 submissions in this phase are used up") as refused:
        send("mood", at=NOW + 72 * HOUR, turned=2)

    assert refused.value.next_slot_at is None


def test_who_withdraws_before_the_cut_off_has_the_slot_again(send, owner):
    first = send("mood")
    withdraw(submission=first, user=owner, now=NOW + HOUR)
    send("mood", turned=1)


def test_people_who_are_linked_share_the_limits_of_targets(send, system, owner, development):
    other = person("other")
    system.team.memberships.create(user=other, joined_at=NOW)
    send("mood")
    away = create_team(name="Away", founder=other, now=NOW)
    fir = System.objects.create(team=away, name="Fir", created_at=NOW)

    (quota,) = quotas(other, [away], [development], NOW)

    assert fir.team == away
    assert [(count.target, count.used) for count in quota.counts] == [
        (None, 1),
        (("mood", "dev"), 1),
        (("tone", "dev"), 0),
    ]
    assert quota.left == 1  # for tone


def test_a_target_without_limits_of_its_own_has_what_is_left_of_the_phase(send, system, owner, development):
    Phase.objects.filter(pk=development.pk).update(
        targets=[
            {"task": "mood", "split": "dev", "quota": {"per_day": 1}},
            {"task": "tone", "split": "dev"},
        ]
    )
    send("mood")

    (quota,) = quotas(owner, [system.team], [Phase.objects.get(pk=development.pk)], NOW)

    assert (quota.left, quota.window) == (3, "in this phase")  # for tone; none is left for mood today


@pytest.mark.sqlite  # the clock of PostgreSQL cannot be set
def test_the_api_says_what_a_phase_takes_and_what_is_used_of_each_limit(send, owner, system, time_machine):
    time_machine.move_to(NOW, tick=False)
    client = client_of(owner)
    form = {"system": str(system.pk), "phase": "mixed/development", "task": "mood"}
    sent = client.post(UPLOADS, form | {"file": SimpleUploadedFile("x.csv", answers("mood", "dev"))})
    assert sent.status_code == 201

    development, evaluation = client.get("/api/v1/benchmarks/mixed/").json()["phases"]

    assert evaluation["targets"] == [{"task": "mood", "split": "test", "quota": {"total": 1}}]
    assert evaluation["splits"] == [{"task": "mood", "split": "test"}]
    assert development["takes"] == "predictions for the split dev of mood, tone"
    (quota,) = development["quotas"]
    limits = [(one["period"], one["task"], one["used"], one["limit"]) for one in quota["limits"]]
    assert limits == [("total", None, 1, 4), ("per_day", "mood", 1, 1), ("per_day", "tone", 0, 1)]
    again = client.post(UPLOADS, form | {"file": SimpleUploadedFile("x.csv", answers("mood", "dev", 1))})
    assert (again.status_code, again.json()["code"]) == (429, "quota_used_up")
    assert again.json()["next_slot_at"] == "2026-11-18T23:00:00Z"


IDS = "/api/v1/benchmarks/mixed/tasks/mood/ids/"
SAMPLE = reverse_lazy("submissions:sample", args=["mixed", "evaluation"])


@pytest.mark.sqlite  # the clock of PostgreSQL cannot be set
@pytest.mark.parametrize("address", [IDS, SAMPLE])
def test_ids_are_given_when_a_phase_about_them_opens(address, mixed, owner, time_machine):
    # Where a later subtask has only some items of an earlier one, its ids would tell answers of that.
    client = client_of(owner)

    time_machine.move_to(dt.datetime(2026, 11, 30, 23, 59, 59, tzinfo=dt.UTC), tick=False)
    before, task = client.get(address), client.get("/api/v1/benchmarks/mixed/").json()["tasks"][0]
    time_machine.move_to(dt.datetime(2026, 12, 1, tzinfo=dt.UTC), tick=False)
    after = client.get(address)

    assert (before.status_code, after.status_code) == (404, 200)
    assert (task["ids_sha256"], task["item_count"]) == (None, None)
    assert [split["ids_sha256"] is None for split in task["splits"]] == [False, True]
    assert client.get("/api/v1/benchmarks/mixed/tasks/mood/ids/?split=dev").status_code == 200


def test_the_command_warns_where_two_phases_score_the_same_items(db, tmp_path, capsys):
    again = (
        DEFINITION
        + """  - id: afterwards
    opens: 2026-12-08T00:00Z
    counting: best
    targets: [{task: mood, split: test, quota: {per_day: 5}}]
"""
    )
    (tmp_path / "mixed.yaml").write_text(again, "utf-8")

    call_command("sync_benchmarks", "--check", definitions=tmp_path)

    assert capsys.readouterr().err == (
        "Warning: mixed: evaluation and afterwards score the same items, mood/test: what the first of them shows helps "
        "in the others.\n"
    )


@pytest.mark.sqlite  # the clock of PostgreSQL cannot be set
def test_who_asks_early_is_told_when(mixed, owner, time_machine):
    time_machine.move_to(NOW, tick=False)
    answer = client_of(owner).get(IDS)
    assert answer.json()["detail"] == (
        "The ids of mood, test are given when a phase about them opens, on Tue 1 Dec 2026, 00:00 UTC."
    )


@pytest.mark.parametrize(("split", "ids"), [("dev", "1 2 11 12"), ("test", "1 2 3 14")])
def test_items_that_are_development_data_and_in_another_set_are_told_of(mixed, split, ids):
    task = mixed.tasks.get(slug="mood")
    rows = "\n".join(f"{item},good" for item in ids.split())
    data = f"id,label\n{rows}\n".encode()
    loaded = load_gold(task=task, data=data, file_name="gold.csv", now=NOW, split_slug=split)
    count = 2 if split == "dev" else 3
    assert any(
        warning.startswith(f"{count} of these items are development data") for warning in loaded.warnings
    )


def test_another_task_that_asks_the_same_of_the_same_items_is_named(sync, gold_keys):
    benchmark = sync(DEFINITION.replace("labels: [low, high]", "labels: [bad, good]"))
    mood, tone = benchmark.tasks.order_by("position")
    data = answers("mood", "test")
    loaded = [
        load_gold(task=task, data=data, file_name="gold.csv", now=NOW, confirm_clues=True)
        for task in (mood, tone)
    ]
    named = [[warning for warning in one.warnings if "has the same items" in warning] for one in loaded]
    assert [len(found) for found in named] == [0, 1]
    assert named[1][0].startswith("Mood has the same items and the same labels to choose from.")


def test_a_benchmark_with_the_same_items_is_named_to_those_who_may_see_it(sync, gold_keys, owner):
    first = sync(DEFINITION)
    data = answers("mood", "test")
    load_gold(task=first.tasks.get(slug="mood"), data=data, file_name="gold.csv", now=NOW, confirm_clues=True)
    clone = sync(DEFINITION.replace(f"id: {first.slug}\n", "id: clone\n", 1).replace(first.title, "Clone", 1))

    def named() -> bool:
        task = clone.tasks.get(slug="mood")
        loaded = load_gold(
            task=task, data=data, file_name="gold.csv", now=NOW, user=owner, confirm_clues=True
        )
        return any(warning.startswith(f"Mood of {first.title} has items") for warning in loaded.warnings)

    assert named()
    Benchmark.objects.filter(pk=first.pk).update(visibility="private")
    assert not named()
