"""Gold labels stay in the vault: no page, file, log, mail or database dump tells which item has which label."""

import io
import json
import random
import re
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import time_machine
from django.apps import apps
from django.contrib.admin.utils import quote
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase, Task
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import publish, refresh_stale
from scoring import jobs
from scoring.gold.alignment import opened_version
from scoring.gold.keys import has_private_key
from scoring.gold.responses import load_responses
from scoring.gold.versions import GoldRefused, load_gold
from scoring.models import Batch, GoldVersion, ScoringRun
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.intake.sealing import KeyPair, generate_keypair
from submissions.models import Refusal, Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.dump import database_dump, database_values
from tests.gold_versions import second_version
from tests.pages import browser_of, read
from tests.post import sent
from tests.routes import routes
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, upload

pytestmark = pytest.mark.thorough

# The same ids and as many items of each class; only which item has which label differs.
OTHER_GOLD = {
    "mood": b"ID,Label\nm1,bad\nm2,good\nm3,good\nm4,bad\nm5,bad\nm6,good\n",
    "colour": b"ID,Label\nc1,green\nc2,red\nc3,red\nc4,dark blue\n",
}
Responses = dict[tuple[str, str], tuple[int, bytes]]


class World:
    """Gold labels loaded, systems submitted and scored; nothing published."""

    def __init__(self, people: Mapping[str, User | None], system: System, phase: Phase) -> None:
        self.people = people
        self.arguments = {
            "team": system.team_id,
            "system": system.pk,
            "benchmark": phase.benchmark_id,
            "rest": f"{phase.benchmark_id}/tasks/mood/",
            "task": "mood",
            "number": 1,
            "submission": Submission.objects.earliest("received_at").pk,
            "app_label": "scoring",
            "content_type_id": 1,
        }

    def crawl(self) -> Responses:
        """Every route of the site as seen by everyone, with what is drawn by lot taken out."""
        return {
            (name, route): self._get(browser_of(user), path)
            for name, user in self.people.items()
            for route, path in self._addresses()
        }

    def _addresses(self) -> Iterator[tuple[str, str]]:
        for route in routes():
            yield route, f"/{self._filled_in(route)}"
        for ending in (
            "/",
            ".json",
            ".csv",
            ".tex",
            ".md",
            "/releases/",
            "/tasks/colour/",
            "/tasks/colour.json",
        ):
            yield f"toy{ending}", f"/benchmarks/toy{ending}"

    def _filled_in(self, route: str) -> str:
        return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: self._argument(found[1], route), route)

    def _argument(self, name: str, route: str) -> str:
        if name in ("object_id", "id"):
            _, app, model, *_ = route.split("/")
            if model in self.arguments:  # its ids are drawn by lot, so the first of them is any
                return str(self.arguments[model])
            found = apps.get_model(app, model).objects.order_by("pk").first() if app != "r" else None
            return str(quote(found.pk)) if found else "1"
        if name == "pk":
            return str(self.arguments["system" if "systems/" in route else "submission"])
        return str(self.arguments.get(name, "none"))

    def _get(self, browser: Client, path: str) -> tuple[int, bytes]:
        browser.raise_request_exception = False
        answer = browser.get(path)
        return answer.status_code, without_chance(unpacked(read(answer)))


CHANCE = re.compile(
    rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # ids drawn by lot
    rb"|(?<![\w.-])[0-9a-f]{12,64}\b"  # commitments, whole or shortened, and no digits behind a decimal point
    rb"|(?<=csrfmiddlewaretoken\" value=\")\w+"
)


def unpacked(body: bytes) -> bytes:
    """What a zip holds, member by member; any other body as it is."""
    if not body.startswith(b"PK"):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


def without_chance(body: bytes) -> bytes:
    return CHANCE.sub(b"#", body)


def test_scores_are_not_taken_for_what_is_drawn_by_lot():
    body = b'{"value":0.6516747198145506,"ci_low":-.123456789012345}, <td>6.516747198145506</td>'
    assert without_chance(body) == body
    assert without_chance(b"commitment 0123456789ab of 4") == b"commitment # of 4"


@pytest.fixture
def people(owner: User, outsider: User, staff: User, team: Team) -> dict[str, User | None]:
    return {"nobody": None, "outsider": outsider, "owner": owner, "staff": staff}


@pytest.fixture
def crawl_world(people, system, sync, gold_keys):
    """Build a world with these gold labels, crawl it before and perhaps after publication, and undo it."""

    def _crawl(gold: Mapping[str, bytes], *, is_published: bool = False) -> Responses:
        opened_version.cache_clear()  # the second world's rows have the numbers of the first one's
        with time_machine.travel(CUT_OFF + WEEK / 7, tick=False), transaction.atomic():
            world = _build(people, system, sync(TOY_DEFINITION), gold)
            if is_published:
                watch_batches(CUT_OFF)
                publish(batch=Batch.objects.get(), now=CUT_OFF)
            refresh_stale()
            responses = world.crawl()
            transaction.set_rollback(True)
        return responses

    return _crawl


def _build(
    people: Mapping[str, User | None], system: System, benchmark: Benchmark, gold: Mapping[str, bytes]
) -> World:
    for task in benchmark.tasks.all():
        if task.slug == "mood":
            load_by_responses(task, [line.split(",") for line in gold["mood"].decode().split()[1:]])
        else:
            load_gold(task=task, data=gold[task.slug], file_name="gold.csv", now=NOW)
    phase = benchmark.phases.get()
    upload(system, phase, mood=ONE_WRONG)
    upload(system, phase, at=NOW + WEEK / 168)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    return World(people, system, phase)


def load_by_responses(task: Task, rows: Iterable[Sequence[str]], dissent: Container[str] = ()) -> None:
    """Have gold labels inferred from responses; `rows` are of id and label. One of five dissents on some items."""
    workers = [f"w{number}" for number in range(5)]
    lines = []
    for item, label in rows:
        told = {label: workers}
        if item in dissent:
            told = {label: workers[1:], "bad" if label == "good" else "good": workers[:1]}
        lines.append({"text_id": item, "sentence": "Canary.", "label_distribution": told})
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    load_responses(task=task, split_slug="test", data=data, file_name="round.jsonl", now=NOW)


def differences(one: Responses, other: Responses) -> list[tuple[str, str]]:
    assert one.keys() == other.keys()
    return [key for key in one if one[key] != other[key]]


@pytest.mark.redteam
@pytest.mark.sqlite
def test_before_the_release_two_worlds_of_gold_cannot_be_told_apart(crawl_world):
    world = crawl_world(TOY_GOLD)

    assert differences(world, crawl_world(OTHER_GOLD)) == [PREVIEW]
    assert len(world) > 400
    assert all(status < 500 for status, _ in world.values())
    assert {key: world[key][0] for key in PAGES_THAT_MUST_OPEN} == dict.fromkeys(PAGES_THAT_MUST_OPEN, 200)


# Who publishes by hand may see what is about to be published; nobody else may.
PREVIEW = ("staff", "admin/scoring/batch/<path:object_id>/publish/")
PAGES_THAT_MUST_OPEN = (
    PREVIEW,
    ("nobody", "toy/"),
    ("nobody", "api/v1/benchmarks/<slug:benchmark>/"),
    ("outsider", "account/"),
    ("owner", "submissions/<uuid:submission>/"),
    ("owner", "api/v1/submissions/<uuid:pk>/"),
    ("staff", "admin/scoring/goldversion/<path:object_id>/change/"),
    ("staff", "admin/scoring/responseset/<path:object_id>/change/"),
    ("staff", "admin/scoring/scoringrun/<path:object_id>/change/"),
    ("staff", "admin/submissions/submission/<path:object_id>/change/"),
)


@pytest.mark.sqlite
def test_the_crawl_sees_what_a_release_makes_public(crawl_world, people):
    for name in ("outsider", "owner", "staff"):
        del people[name]

    found = differences(crawl_world(TOY_GOLD, is_published=True), crawl_world(OTHER_GOLD, is_published=True))

    assert {("nobody", "toy/"), ("nobody", "toy.json")} <= set(found)


# What a copy of the database, made without the private key, shows of 400 gold labels.

ITEMS = 400
BIG_DEFINITION = TOY_DEFINITION.replace("test_size: 6", f"test_size: {ITEMS}")


@pytest.fixture
def big_gold(sync, gold_keys, system, owner) -> list[str]:
    """Gold labels of many items, loaded, answered with labels drawn by lot, scored and published."""
    benchmark = sync(BIG_DEFINITION)
    draw = random.Random(5)
    gold = draw.choices(["bad", "good"], k=ITEMS)
    load_gold(task=benchmark.tasks.get(slug="mood"), data=rows_of(gold), file_name="gold.csv", now=NOW)
    load_gold(task=benchmark.tasks.get(slug="colour"), data=TOY_GOLD["colour"], file_name="g.csv", now=NOW)
    files = {
        "data/mood/predictions.csv": rows_of(draw.choices(["bad", "good"], k=ITEMS)),
        "data/colour/predictions.csv": TOY_GOLD["colour"].replace(b"c1,red", b"c1,green"),
    }
    phase = benchmark.phases.get()
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=owner,
            data=zip_of(files),
            file_name="upload.zip",
            received_at=NOW,
        )
    )
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    watch_batches(CUT_OFF)
    publish(batch=Batch.objects.get(), now=CUT_OFF)
    return gold


def rows_of(labels: list[str]) -> bytes:
    return b"ID,Label\n" + "".join(f"i{number},{label}\n" for number, label in enumerate(labels)).encode()


def forms_of(labels: list[str]) -> Iterator[bytes]:
    """The ways in which somebody would write these labels down."""
    codes = np.array([["bad", "good"].index(label) for label in labels])
    yield rows_of(labels)[9:]
    for separator in ("\n", ",", " ", "", '", "', '","'):
        yield separator.join(labels).encode()
    for dtype in ("u1", "<u2", "<i4", "<i8", ">u2"):
        yield codes.astype(dtype).tobytes()
    yield np.packbits(codes.astype(bool)).tobytes()
    yield str(codes.tolist()).encode()
    yield "".join(map(str, codes)).encode()


def opened(value: bytes) -> bytes:
    """The value, and all that is compressed somewhere in it."""
    return value + b"".join(
        _inflated(value[found.start() :]) for found in re.finditer(rb"x[\x01\x5e\x9c\xda]", value)
    )


def _inflated(value: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(value)
    except zlib.error:
        return b""


def holds(dump: bytes, labels: list[str]) -> bool:
    parts = labels[:104], labels[152:256], labels[-104:]  # whole bytes, where each label is a bit
    return any(
        form in dump or b64encode(form)[:-4] in dump or form.hex().encode() in dump
        for part in parts
        for form in forms_of(list(part))
    )


def test_a_dump_of_the_database_holds_no_gold_labels_in_any_form(big_gold):
    dump = b"\n".join(opened(value) for value in database_values())
    assert not holds(dump, big_gold)


def test_responses_leave_no_labels_in_any_form_in_the_database(big_gold):
    load_by_responses(Task.objects.get(slug="mood"), [(f"i{at}", label) for at, label in enumerate(big_gold)])
    dump = b"\n".join(opened(value) for value in database_values())
    assert b"round.jsonl" in dump
    assert b"Canary." not in dump
    assert not holds(dump, big_gold)


def test_the_search_through_the_dump_finds_predictions(big_gold):
    draw = random.Random(5)
    draw.choices(["bad", "good"], k=ITEMS)
    predictions = draw.choices(["bad", "good"], k=ITEMS)

    dump = b"\n".join(opened(value) for value in database_values())

    assert holds(dump, predictions)


def test_stored_files_hold_no_gold_labels(big_gold, settings):
    stored = b"".join(path.read_bytes() for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file())
    assert stored
    assert not holds(opened(stored), big_gold)


def test_the_private_key_is_in_no_dump(big_gold, keypair: KeyPair):
    assert keypair.private.encode() not in database_dump()


# What an organiser types by mistake.

CANARY = "kanarienvogel"


def test_the_name_of_a_gold_file_is_not_kept(toy, caplog):
    task = toy.tasks.get(slug="mood")
    load_gold(task=task, data=TOY_GOLD["mood"], file_name=f"{CANARY}.csv", now=NOW)
    assert CANARY.encode() not in database_dump()
    assert CANARY not in caplog.text


@pytest.mark.parametrize("row", [f"m3,{CANARY}", f"m3,good,{CANARY}", f'm3,"{CANARY}', f"m3,\0{CANARY}"])
def test_a_refused_gold_file_leaves_no_trace(toy, caplog, row):
    data = TOY_GOLD["mood"].replace(b"m3,bad", row.encode())
    with pytest.raises(GoldRefused) as refused:
        load_gold(task=toy.tasks.get(slug="mood"), data=data, file_name="gold.csv", now=NOW)

    told = str(refused.value) + caplog.text + "".join(map(repr, _chain(refused.value)))
    assert CANARY not in told
    assert CANARY.encode() not in database_dump()
    assert not Refusal.objects.exists()


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def test_a_gold_file_refused_in_the_admin_leaves_no_trace(toy, staff, caplog, settings):
    task: Task = toy.tasks.get(slug="mood")
    data = TOY_GOLD["mood"].replace(b"m3,bad", f"m3,{CANARY}".encode())
    upload_of_gold = SimpleUploadedFile("gold.csv", data)

    answer = browser_of(staff).post(
        f"/admin/benchmarks/task/{task.pk}/load_gold/", {"file": upload_of_gold, "confirmed": "yes"}
    )

    assert GoldVersion.objects.filter(split__task=task).count() == 1
    assert CANARY.encode() not in read(answer) + database_dump()
    assert CANARY not in caplog.text
    assert not [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


# Processes without the private key.


def test_a_process_without_the_private_key_leaves_scoring_to_others(system, phase, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    submission = upload(system, phase)
    close_due(CUT_OFF)

    jobs.score_submissions(str(submission.pk))

    assert not has_private_key()
    assert set(ScoringRun.objects.values_list("status", "attempt")) == {("pending", 0)}


def test_gold_can_be_loaded_without_the_private_key(toy, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    task = toy.tasks.get(slug="mood")
    assert load_gold(task=task, data=TOY_GOLD["mood"], file_name="gold.csv", now=NOW).version.number == 2


@pytest.mark.parametrize("fault", ["wrong key", "damaged"])
def test_what_is_told_of_a_failure_names_no_label(system, phase, settings, tmp_path, caplog, fault):
    upload(system, phase)
    if fault == "wrong key":
        settings.GOLD_PRIVATE_KEY_FILE = str(tmp_path / "other")
        Path(settings.GOLD_PRIVATE_KEY_FILE).write_text(generate_keypair().private)
    else:
        for version in GoldVersion.objects.all():
            second_version(version, bytes(version.sealed.ciphertext)[:-1])
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)

    told = caplog.text + "".join(f"{message.subject} {message.body}" for message in sent())
    told += " ".join(ScoringRun.objects.values_list("error", flat=True))
    assert sent()
    assert not re.search(r"\b(good|bad|red|green|dark blue)\b", told)


def test_a_job_s_message_carries_an_id_and_nothing_else(system, phase, monkeypatch: pytest.MonkeyPatch):
    submission = upload(system, phase)
    close_due(CUT_OFF)
    sent: list[Any] = []
    monkeypatch.setattr(jobs.score_submissions, "delay", lambda *arguments: sent.append(arguments))
    monkeypatch.setattr(jobs, "database_now", lambda: CUT_OFF)

    jobs.enqueue_due()

    assert sent == [(str(submission.pk),)]
