"""Gold labels sealed on an organiser's machine: the server takes them without ever seeing one."""

import io
import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction

from scoring.gold.box_opening import open_version
from scoring.gold.deliveries import check_deliveries, hand_in
from scoring.gold.versions import GoldRefused
from scoring.models import GoldVersion, SealedDelivery
from submissions.intake.sealing import generate_keypair, key_digest
from submissions.intake.tables.sealed_gold import is_sealed_gold
from tests.client.conftest import MOOD
from tests.conftest import NOW, TOY_DEFINITION
from tests.dump import database_dump
from tests.pages import browser_of, read
from tests.weeks import CUT_OFF, board, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]

SHUFFLED = b"ID,Label\nm6,bad\nm2,good\nm1,good\nm4,bad\nm5,good\nm3,bad\n"


@pytest.fixture
def gold_file(tmp_path: Path) -> Path:
    path = tmp_path / "mood-gold.csv"
    path.write_bytes(SHUFFLED)
    return path


@pytest.fixture
def sealed(run, live_server, toy, gold_file) -> Path:
    """The file that `heldout seal` made of gold labels for the task mood."""
    result = run("seal", gold_file, "--benchmark", "toy", "--task", "mood", "--server", live_server.url)
    assert result.exit_code == 0, result.output
    return Path(f"{gold_file}.sealed")


def test_a_newcomer_reads_what_was_made_where_it_is_and_what_to_do_next(run, live_server, toy, gold_file):
    result = run("seal", gold_file, "--benchmark", "toy", "--task", "mood", "--server", live_server.url)

    said = [line.strip() for line in result.stdout.splitlines()]
    content = json.loads(Path(f"{gold_file}.sealed").read_text())
    assert said[0] == "Sealed: the labels of 6 items. Nothing was sent."
    assert said[1] == f"The sealed file: {gold_file}.sealed"
    assert (
        "2. Upload the sealed file in the admin, on the page of the task mood of toy, with “Load gold" in said
    )
    assert content["commitment"] in said
    assert [line[:2] for line in said if line[:1].isdigit() and line[1:3] == ". "] == ["1.", "2.", "3."]


def load(path: Path, *more: str) -> str:
    out = io.StringIO()
    call_command("load_gold", "toy", "mood", str(path), "--sealed", *more, stdout=out, stderr=out)
    return out.getvalue()


def changed(path: Path, **content: Any) -> Path:
    path.write_text(json.dumps(json.loads(path.read_text()) | content))
    return path


def newest() -> GoldVersion:
    return GoldVersion.objects.filter(split__task__slug="mood").order_by("-number")[0]


def test_the_sealed_file_holds_the_ids_and_no_label(sealed):
    data = sealed.read_bytes()
    content = json.loads(data)
    box = b64decode(content.pop("box"))  # as text it may hold any three letters
    assert is_sealed_gold(data)
    assert content["ids"] == ["m1", "m2", "m3", "m4", "m5", "m6"]
    words = re.findall(r"\w+", json.dumps(content))  # whole words: a digest may hold "bad"
    assert not {"good", "bad"} & set(words)
    assert b'"labels"' not in box


def test_the_key_is_shown_to_be_compared(run, live_server, toy, gold_file, keypair):
    words = ("seal", gold_file, "--benchmark", "toy", "--task", "mood")
    result = run(*words, "--server", live_server.url)
    digest = key_digest(keypair.public)
    assert "for the SHA-256 of its key (`manage.py keys`). It has to be" in result.output
    assert digest in result.output
    out = io.StringIO()
    call_command("keys", stdout=out)
    assert digest in out.getvalue()


def test_what_was_sealed_elsewhere_becomes_the_version_that_is_scored(sealed, system, phase):
    told = load(sealed, "--show-class-counts", "--note", "Sealed at home.")

    version = newest()
    assert "taken" in told
    assert (version.number, version.note) == (2, "Sealed at home.")
    assert version.commitment == json.loads(sealed.read_text())["commitment"]
    assert version.class_counts == {"bad": 3, "good": 3}
    gold = open_version(version)[1]
    assert [gold.labels[code] for code in gold.codes] == ["good", "good", "bad", "bad", "good", "bad"]
    upload(system, phase)
    run_batch(CUT_OFF)
    assert board()["rows"][0]["cells"]["mood"]["value"] == 1.0


def test_a_web_process_takes_it_without_a_key_and_a_worker_looks_into_it(sealed, settings):
    key, settings.GOLD_PRIVATE_KEY_FILE = settings.GOLD_PRIVATE_KEY_FILE, ""
    assert "waits for a worker" in load(sealed)
    assert newest().number == 1
    settings.GOLD_PRIVATE_KEY_FILE = key
    (delivery,) = check_deliveries(NOW)
    assert (delivery.status, newest().number) == ("taken", 2)
    assert check_deliveries(NOW) == []


def test_the_form_of_the_admin_takes_the_sealed_file(sealed, toy, staff):
    task = toy.tasks.get(slug="mood")
    browser = browser_of(staff)
    file = SimpleUploadedFile("mood.sealed", sealed.read_bytes())
    answer = browser.post(
        f"/admin/benchmarks/task/{task.pk}/load_gold/", {"file": file, "confirmed": "yes"}, follow=True
    )
    assert "Sealed gold labels of 6 items were handed in" in read(answer).decode()
    check_deliveries(NOW)
    assert newest().number == 2
    page = read(browser.get(f"/admin/benchmarks/task/{task.pk}/change/")).decode()
    assert "Sealed files" in page


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"task": "colour"}, "sealed for toy/colour, and this is toy/mood"),
        ({"split": "dev"}, "for the split dev"),
        ({"key_fingerprint": "0" * 16}, "another key than its box"),
        ({"ids": ["m2", "m1", "m3", "m4", "m5", "m6"]}, "do not stand in public order"),
        ({"ids": ["m1", "m1"]}, "damaged"),
        ({"box": "AAAA"}, "damaged"),
        ({"format": "another"}, "does not say"),
    ],
)
def test_what_the_web_process_can_check_it_checks(sealed, content, reason):
    with pytest.raises(CommandError, match=reason):
        load(changed(sealed, **content))
    assert not SealedDelivery.objects.exists()


def test_a_plain_gold_file_is_refused_where_only_sealed_ones_are_taken(toy, gold_file):
    with pytest.raises(CommandError, match="Expected what `heldout seal` wrote"):
        load(gold_file)


def test_a_file_that_is_sealed_to_another_key_is_refused(run, toy, gold_file, live_server):
    other = generate_keypair()
    target = gold_file.with_suffix(".other")
    words = ("seal", gold_file, "--benchmark", "toy", "--task", "mood", "--output", target)
    result = run(*words, "--server", live_server.url, "--key", other.public)
    assert result.exit_code == 0, result.output
    with pytest.raises(CommandError, match="Run `heldout seal` again with the key of this server"):
        load(target)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ({"ids": ["m1", "m2", "m3", "m4", "m5", "m7"]}, "other_ids"),
        ({"commitment": "0" * 64}, "gold_damaged"),
    ],
)
def test_the_worker_refuses_in_fixed_words(sealed, content, fault, caplog):
    with pytest.raises(CommandError, match="The gold labels were not taken"):
        load(changed(sealed, **content))
    delivery = SealedDelivery.objects.get()
    assert (delivery.status, delivery.fault) == ("refused", fault)
    assert delivery.told == f"refused: {delivery.get_fault_display()}"
    assert newest().number == 1
    assert "good" not in caplog.text


def test_labels_of_another_definition_are_refused(sealed, toy, sync):
    sync(TOY_DEFINITION.replace("labels: [bad, good]", "labels: [bad, good, none]"))
    with pytest.raises(CommandError):
        load(sealed)
    assert SealedDelivery.objects.get().fault == "other_labels"


NUMBERED = b"ID,Label\n" + b"".join(b"i%d,%s\n" % (at, (b"bad", b"good")[at // 50]) for at in range(100))


def test_clues_are_told_on_the_organiser_s_machine_and_have_to_be_confirmed(run, live_server, toy, tmp_path):
    path = tmp_path / "numbered.csv"
    path.write_bytes(NUMBERED)
    words = ("seal", path, "--benchmark", "toy", "--task", "mood", "--server", live_server.url)
    refused = run(*words)
    assert refused.exit_code == 1
    assert "Who knows only the number in an item's id guesses" in refused.stderr
    assert not Path(f"{path}.sealed").exists()
    assert run(*words, "--confirm-clues").exit_code == 0
    assert "taken" in load(Path(f"{path}.sealed"))


def test_clues_that_nobody_confirmed_are_found_by_the_worker(run, live_server, toy, tmp_path):
    path = tmp_path / "numbered.csv"
    path.write_bytes(NUMBERED)
    run("seal", path, "--benchmark", "toy", "--task", "mood", "--server", live_server.url, "--confirm-clues")
    with pytest.raises(CommandError, match="not taken"):
        load(changed(Path(f"{path}.sealed"), clues=[]))
    delivery = SealedDelivery.objects.get()
    assert delivery.fault == "clues"
    assert "id_number" in delivery.found_clues
    assert "the number in an item's id" in delivery.told


def test_a_bad_gold_file_is_told_with_its_lines(run, live_server, toy, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(MOOD.replace(b"m4,bad", b"m4,unheard"))
    result = run("seal", path, "--benchmark", "toy", "--task", "mood", "--server", live_server.url)
    assert result.exit_code == 1
    assert "bad.csv" in result.stderr


def test_once_predictions_are_there_other_ids_are_refused_at_once(sealed, system, phase):
    upload(system, phase)
    file = json.loads(sealed.read_text())
    task = phase.benchmark.tasks.get(slug="mood")
    with pytest.raises(GoldRefused, match="its ids are fixed"), transaction.atomic():
        hand_in(task=task, data=json.dumps(file | {"ids": ["m1", "m2"]}).encode(), now=NOW)


def test_no_label_is_in_the_database_while_a_sealed_file_waits(sealed, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    before = database_dump().count(b"m6,bad")
    load(sealed)
    assert database_dump().count(b"m6,bad") == before == 0
