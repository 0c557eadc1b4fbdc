"""Items that belong together, such as posts of one thread, are read from the gold file and drawn together."""

from collections.abc import Callable
from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from benchmarks.models import Benchmark, Task
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue.disclosure.rule import REMAINDER
from scoring.definitions.renewal import renew_items
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import items_of_part
from scoring.gold.versions import GoldRefused, load_gold
from scoring.models import GoldVersion, ScoringRun
from scoring.reproduction.evaluation import evaluate_file
from scoring.uncertainty.stored_replicates import replicates_of
from submissions.intake.sealing import KeyPair, clusters_digest, open_sealed, open_with_salt
from submissions.intake.shared_stems import shared_stems
from submissions.models import System
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.groups import load_debates
from tests.weeks import CUT_OFF, HALF_WRONG, run_batch, upload
from transparency.models import LogEntry

THREADED = TOY_DEFINITION.replace(
    "test_size: 6,",
    "test_size: 6, gold_file: {path: mood.csv, id_column: ID, label_column: Label, columns: [ID, Thread, Label], "
    "cluster_column: Thread},",
)
GOLD = b"ID,Thread,Label\nm1,a,good\nm2,a,good\nm3,a,bad\nm4,b,bad\nm5,b,good\nm6,b,bad\n"
ONE_THREAD_WRONG = "good good bad good bad good"


@pytest.fixture
def threaded(sync: Callable[[str], Benchmark], gold_keys: KeyPair) -> Benchmark:
    """The toy benchmark with moods in two threads."""
    benchmark = sync(THREADED)
    load(benchmark.tasks.get(slug="mood"), GOLD)
    load(benchmark.tasks.get(slug="colour"), TOY_GOLD["colour"])
    return benchmark


def load(task: Task, data: bytes) -> GoldVersion:
    return load_gold(task=task, data=data, file_name="gold.csv", now=NOW).version


def clusters(version: GoldVersion, keys: KeyPair) -> list[int]:
    found = open_sealed(bytes(version.sealed.ciphertext), keys.private, version.commitment).clusters
    assert found is not None
    return found.tolist()


def test_threads_are_sealed_with_the_labels(threaded, keypair):
    version = GoldVersion.objects.get(split__task__slug="mood")

    assert clusters(version, keypair) == [0, 0, 0, 1, 1, 1]


def test_threads_are_committed_to_in_the_log(threaded, keypair):
    """Other threads under the same labels are another digest, which the opened salt shows."""
    version = GoldVersion.objects.get(split__task__slug="mood")
    salt, gold = open_with_salt(bytes(version.sealed.ciphertext), keypair.private, version.commitment)
    entries = LogEntry.objects.filter(kind="gold")
    digests = {facts["commitment"]: facts["clusters"] for entry in entries if (facts := entry.facts)}
    assert digests[version.commitment] == clusters_digest(salt, gold)
    other = replace(gold, clusters=np.array([0, 0, 1, 1, 1, 1], dtype=np.uint32))
    assert clusters_digest(salt, other) != digests[version.commitment]
    colour = GoldVersion.objects.get(split__task__slug="colour")
    assert digests[colour.commitment] == ""


def test_threads_are_kept_back_or_displayed_as_a_whole(threaded):
    version = GoldVersion.objects.get(split__task__slug="mood")
    kept = items_of_part(REMAINDER, version.pk)
    gold = opened_version(version.pk)[1]

    assert kept is not None
    assert gold.clusters is not None
    assert all(len({*kept[gold.clusters == thread].tolist()}) == 1 for thread in (0, 1))


def test_after_a_renewal_a_thread_with_an_anchor_is_displayed_and_new_threads_stay_whole(threaded):
    """Of new posts in a thread with an anchor something is known: they are displayed with it."""
    threads = {"a": ("m1", "n1", "n2"), **{f"t{at}": (f"p{at}", f"q{at}") for at in range(40)}}
    rows = [f"{item},{thread},good" for thread, items in threads.items() for item in items]
    text = "ID,Thread,Label\n" + "\n".join([*rows, "r1,z,bad"]) + "\n"
    task = threaded.tasks.get(slug="mood")

    plan, loaded = renew_items(
        task=task, data=text.encode(), file_name="new.csv", now=NOW, confirm_clues=True
    )

    assert (plan.anchors, plan.retired, plan.new) == (("m1",), 5, 83)
    kept = items_of_part(REMAINDER, loaded.version.pk)
    gold = opened_version(loaded.version.pk)[1]
    assert kept is not None
    kept_ids = {item for item, is_kept in zip(gold.ids, kept, strict=True) if is_kept}
    assert not kept_ids & {"m1", "n1", "n2"}
    assert all(len(kept_ids & {f"p{at}", f"q{at}"}) != 1 for at in range(40))
    assert 20 < len(kept_ids) < 60


def test_tasks_and_attacks_with_the_same_items_keep_the_same_back(sync, gold_keys):
    load_debates(sync)
    kept = []
    for version in GoldVersion.objects.all():
        is_kept, ids = items_of_part(REMAINDER, version.pk), opened_version(version.pk)[1].ids
        assert is_kept is not None
        kept.append(dict(zip(ids, is_kept.tolist(), strict=True)))

    assert kept == [kept[0]] * 4


def test_threads_of_which_every_post_is_right_are_a_metric(sync, gold_keys, system, phase):
    """As `evaluate` says it: of both threads one has a wrong post."""
    metrics = 'metrics: [{name: "all_right[Thread]", title: Threads}],'
    benchmark = sync(THREADED.replace("cluster_column: Thread},", f"cluster_column: Thread}}, {metrics}"))
    load(benchmark.tasks.get(slug="mood"), GOLD)
    load(benchmark.tasks.get(slug="colour"), TOY_GOLD["colour"])
    upload(system, phase, mood=ONE_THREAD_WRONG)
    run_batch(CUT_OFF)
    score = ScoringRun.objects.get(split__task__slug="mood").scores.get()
    told = evaluate_file(
        benchmark.spec,
        benchmark.spec.task("mood"),
        gold=("mood.csv", GOLD),
        predictions=("p.csv", b"ID,Label\nm1,good\nm2,good\nm3,bad\nm4,good\nm5,bad\nm6,good\n"),
    )

    assert (score.metric, score.value) == ("all_right[Thread]", 0.5)
    assert told.document["tasks"]["mood"]["test"]["all_right[Thread]"]["value"] == 0.5


def test_a_task_that_names_no_column_has_no_clusters(threaded, keypair):
    version = GoldVersion.objects.get(split__task__slug="colour")

    assert open_sealed(bytes(version.sealed.ciphertext), keypair.private).clusters is None


def test_ids_that_look_like_those_of_threads_ask_for_a_column(sync, gold_keys):
    task = sync(TOY_DEFINITION.replace("test_size: 6", "test_size: 24")).tasks.get(slug="mood")
    ids = [f"thread{thread}_{post}" for thread in range(8) for post in range(3)]
    rows = [f"{item},{'good' if at % 2 else 'bad'}\n" for at, item in enumerate(ids)]

    loaded = load_gold(
        task=task,
        data=("ID,Label\n" + "".join(rows)).encode(),
        file_name="gold.csv",
        now=NOW,
        confirm_clues=True,
    )

    (warning,) = loaded.warnings
    assert warning.startswith("The ids share 8 beginnings, such as thread0 of thread0_0 and thread0_1.")
    assert "cluster_column" in warning


@pytest.mark.parametrize(
    ("ids", "count"),
    [
        ([f"doc-{doc}/{place}" for doc in range(6) for place in range(4)], 6),
        ([str(number) for number in range(60)], None),
        ([f"2018-En-{number:05}" for number in range(60)], None),
        ([f"r{number}-1" for number in range(60)], None),
        ([f"test_{number}" for number in range(60)], None),
    ],
)
def test_only_ids_of_several_items_to_a_beginning_look_like_threads(ids, count):
    stems = shared_stems(ids)

    assert (stems and stems.stems) == count


def test_long_ids_are_looked_at_in_no_time():
    """Each of them was read a thousand times over, four thousandths of a second long."""
    begun = process_time()
    assert shared_stems([f"{number:01000}" for number in range(2_000)]) is None
    assert process_time() - begun < 2


def test_an_item_that_names_no_thread_stands_by_itself(threaded, keypair):
    task = threaded.tasks.get(slug="mood")

    version = load(task, GOLD.replace(b"m2,a", b"m2,").replace(b"m5,b", b"m5,"))

    assert clusters(version, keypair) == [0, 1, 0, 2, 3, 2]


def test_threads_follow_the_order_that_ids_have_once_there_are_predictions(threaded, system, keypair):
    upload(system, threaded.phases.get())
    header, *rows = GOLD.splitlines(keepends=True)

    version = load(threaded.tasks.get(slug="mood"), header + b"".join(reversed(rows)))

    assert clusters(version, keypair) == [1, 1, 1, 0, 0, 0]


def test_whole_threads_are_drawn(threaded, system, monkeypatch):
    monkeypatch.setattr("scoring.core.uncertainty.smoothing.FURTHER_ITEM", 0.0)
    upload(system, threaded.phases.get(), mood=ONE_THREAD_WRONG)
    run_batch(CUT_OFF)

    run = ScoringRun.objects.get(split__task__slug="mood")
    scores = replicates_of([run.pk])[run.pk]["f1_macro"]

    assert (
        len({round(float(one), 6) for one in scores}) == 3
    )  # the right thread twice, each once, the wrong one twice


def test_systems_stay_paired(threaded, system, team):
    other = System.objects.create(team=team, name="Twin", created_at=NOW)
    for one in (system, other):
        upload(one, threaded.phases.get(), mood=HALF_WRONG)
    run_batch(CUT_OFF)

    runs = ScoringRun.objects.filter(split__task__slug="mood").values_list("pk", flat=True)
    first, second = (replicates_of([pk])[pk]["f1_macro"].tolist() for pk in runs)

    assert first == second


def test_a_header_without_the_column_is_refused_with_its_line(threaded):
    with pytest.raises(GoldRefused, match=r"gold\.csv, line 1: "):
        load(threaded.tasks.get(slug="mood"), GOLD.replace(b"Thread", b"Thred"))


def test_items_that_all_belong_together_are_refused(threaded):
    with pytest.raises(GoldRefused, match=r"line 2: .* the column Thread"):
        load(threaded.tasks.get(slug="mood"), GOLD.replace(b",b,", b",a,"))


def test_few_groups_are_warned_of(threaded):
    loaded = load_gold(task=threaded.tasks.get(slug="mood"), data=GOLD, file_name="gold.csv", now=NOW)

    assert "into 2 groups" in loaded.warnings[0]


@pytest.mark.parametrize(
    "text", [THREADED, THREADED.replace("cluster_column: Thread", "fixed: {}")], ids=["threads", "items"]
)
def test_evaluating_beside_the_server_draws_whole_threads_too(text):
    spec = build_spec(parse_yaml(text, "toy.yaml"), "toy.yaml")
    answers = "".join(f"m{at},{label}\n" for at, label in enumerate(ONE_THREAD_WRONG.split(), 1))

    found = evaluate_file(
        spec,
        spec.task("mood"),
        gold=("mood.csv", GOLD),
        predictions=("predictions.csv", f"ID,Label\n{answers}".encode()),
    ).document["tasks"]["mood"]["test"]["accuracy"]

    wide = found["ci_high"] - found["ci_low"]
    assert (wide > 0.85) == bool(spec.task("mood").gold.cluster_column)
