"""`heldout audit` checks a server, or a copy of one, without believing it."""

import json
from typing import Any

import pytest

from benchmarks.models import Phase
from client.errors import ClientError
from client.log.sources import Mirror
from leaderboard.models import Page, Release
from leaderboard.publication.archive import predictions_page
from leaderboard.publication.log_entries import log_pages
from leaderboard.publication.predictions import (
    CannotPublishPredictions,
    publish_predictions,
    refuse_predictions,
)
from leaderboard.publication.services import enter_in_ledger, refresh_stale
from scoring.definitions.renewal import renew_items
from scoring.gold.opening import open_gold
from scoring.log_entries import log_opening
from scoring.models import GoldVersion, OpenedGold
from submissions.uploads.signed_receipts import signed_receipt
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.pages import edit
from tests.quiz import make_quiz, new_system
from tests.scoring.test_clusters import GOLD, THREADED, load
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload
from transparency.core.entries import EntryKind
from transparency.core.signed_notes import Signer
from transparency.keys import KeyRole
from transparency.models import Checkpoint, LogEntry
from transparency.services import append, sign_log

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]
LATER = CUT_OFF + 2 * WEEK


@pytest.fixture(autouse=True)
def _in_no_time(monkeypatch):
    monkeypatch.setattr("client.log.audit._PATIENCE", 0.0)


@pytest.fixture
def submission(toy, phase, system, signers):
    found = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    enter_in_ledger()
    refresh_stale()
    sign_log(NOW)
    return found


@pytest.fixture
def opened(submission, live_server):
    """Phases are over, labels and predictions public."""
    Phase.objects.update(closes_at=CUT_OFF, next_cut_off_at=LATER + WEEK)
    for version in GoldVersion.objects.all():
        open_gold(version=version, now=LATER)
    refresh_stale()
    path = publish_predictions(Release.objects.get(), LATER)
    sign_log(LATER)
    return path


def test_a_server_that_changed_nothing_passes(run, live_server, submission):
    result = run("audit", live_server.url)
    assert result.exit_code == 0, result.output
    assert "1 releases" in result.stdout
    assert "Nothing was changed in silence." in result.stdout


def test_renewed_items_that_do_not_fit_the_labels_beside_them_are_told(
    run, live_server, sync, gold_keys, signers
):
    phase = make_quiz(sync, "open")
    renewed = "ID,Label\n" + "".join(f"q{at},{'yes' if at % 3 else 'no'}\n" for at in range(500, 2500))
    task = phase.benchmark.tasks.get()
    renew_items(task=task, data=renewed.encode(), file_name="new.csv", now=NOW, confirm_clues=True)
    sign_log(NOW)
    result = run("audit", live_server.url)
    assert result.exit_code == 0, result.output

    facts = LogEntry.objects.get(kind="renewal").facts
    for wrong in ({"former": facts["ids"]}, {"retired": 1}, {"version": 5}):
        append(kind=EntryKind.RENEWAL, benchmark="quiz", facts=_own(facts) | wrong)
    sign_log(NOW)
    result = run("audit", live_server.url)

    assert result.exit_code == 1
    told = " ".join(result.output.split())
    for sentence in (
        "are of other items than",
        "the numbers of items are others",
        "the log has no gold labels",
    ):
        assert sentence in told


def _own(facts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if key not in ("kind", "benchmark", "at")}


@pytest.mark.parametrize(
    "path", ["/benchmarks/toy/releases/1/", "/benchmarks/toy/releases/1.csv", "/benchmarks/toy.json", "/"]
)
def test_a_page_that_was_edited_is_told(run, live_server, submission, path):
    edit(path, b"Larch leads with .999")
    result = run("audit", live_server.url)
    assert (result.exit_code, f"{path} is not what entered the log" in result.stderr) == (1, True)


def test_a_page_that_is_gone_is_told(run, live_server, submission):
    Page.objects.filter(pk="/benchmarks/toy/releases/1.tex").delete()
    result = run("audit", live_server.url)
    assert (result.exit_code, "releases/1.tex is not there" in result.stderr) == (1, True)


def test_a_history_that_was_rewritten_is_told(run, live_server, submission, signers, tmp_path):
    kept = tmp_path / "kept"
    kept.write_text(signers[KeyRole.LOG].sign(f"{signers[KeyRole.LOG].name}\n3\n{'A' * 43}=\n"))
    result = run("audit", live_server.url, "--since", kept)
    assert (result.exit_code, "The history was rewritten" in result.stderr) == (1, True)
    kept.write_text(signers[KeyRole.LOG].sign(f"{signers[KeyRole.LOG].name}\n999\n{'A' * 43}=\n"))
    assert "The log has lost entries" in run("audit", live_server.url, "--since", kept).stderr


def test_a_history_that_went_on_passes(run, live_server, submission, phase, system, tmp_path):
    kept = tmp_path / "kept"
    kept.write_text(Checkpoint.objects.order_by("size")[0].note)
    upload(system, phase, at=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    sign_log(NOW)
    result = run("audit", live_server.url, "--since", kept)
    assert (result.exit_code, "2 releases" in result.stdout) == (0, True), result.output


def test_a_key_that_is_another_one_is_told(run, live_server, submission, signers):
    other = Signer.generate(signers[KeyRole.LOG].name).verifier
    assert run("audit", live_server.url, "--key", str(signers[KeyRole.LOG].verifier)).exit_code == 0
    result = run("audit", live_server.url, "--key", str(other))
    assert (result.exit_code, "no signature of the key" in result.stderr) == (1, True)


def test_a_copy_is_checked_without_the_server(run, live_server, submission, tmp_path, monkeypatch):
    folder = tmp_path / "copy"
    assert run("audit", live_server.url, "--save", folder).exit_code == 0
    monkeypatch.setattr("httpx.Client.get", lambda *_, **__: 1 / 0)
    result = run("audit", folder)
    assert result.exit_code == 0, result.output
    board = folder / "benchmarks" / "toy" / "releases" / "1.json"
    board.write_bytes(board.read_bytes().replace(b"Larch", b"Birch"))
    assert "releases/1.json is not what entered the log" in run("audit", folder).stderr
    entries = folder / "log" / "entries"
    entries.write_text(entries.read_text().replace("main", "mean"))
    result = run("audit", folder)
    assert (result.exit_code, "not those that the checkpoint was signed for" in result.stderr) == (1, True)


@pytest.mark.parametrize("path", ["/../evil", "/a/../../evil", "//evil", "/c:evil", "/a\\..\\evil"])
def test_a_copy_leads_out_of_its_folder_nowhere(tmp_path, path):
    with pytest.raises(ClientError, match="no file is read or written"):
        Mirror(tmp_path / "copy").store(path, b"")


def test_a_receipt_stands_in_the_log(run, live_server, submission, phase, system, tmp_path):
    file = tmp_path / "receipt.txt"
    file.write_text(str(signed_receipt(submission)))
    assert run("audit", live_server.url, "--receipt", file).exit_code == 0
    waiting = upload(system, phase, at=CUT_OFF + WEEK / 7)
    file.write_text(str(signed_receipt(waiting)))
    result = run("audit", live_server.url, "--receipt", file)
    assert (result.exit_code, "the closing of no batch names it (yet)" in result.stderr) == (1, True)


def test_opened_labels_are_held_against_their_commitment(run, live_server, opened):
    result = run("audit", live_server.url)
    assert (result.exit_code, "2 opened commitments" in result.stdout) == (0, True), result.output
    path = "/benchmarks/toy/gold/mood/test/1.csv"
    edit(path, bytes(Page.objects.get(pk=path).body).replace(b"m5,good", b"m5,bad"))
    result = run("audit", live_server.url)
    assert "gold labels 1 of toy, mood/test: the public labels are NOT those" in result.stderr


def test_opened_groups_of_items_are_held_against_their_commitment(
    run, live_server, sync, gold_keys, system, signers
):
    toy = sync(
        THREADED.replace("cluster_column: Thread", "cluster_column: Thread, group_columns: [Kind]").replace(
            "[ID, Thread, Label]", "[ID, Thread, Kind, Label]"
        )
    )
    kinds = ["a", "b", "", "a", "b", "a"]
    header, *rows = GOLD.decode().splitlines()
    cells = [
        f"{row.rpartition(',')[0]},{kind},{row.rpartition(',')[2]}"
        for row, kind in zip(rows, kinds, strict=True)
    ]
    text = "\n".join([header.replace("Thread", "Thread,Kind"), *cells])
    load(toy.tasks.get(slug="mood"), text.encode())
    load(toy.tasks.get(slug="colour"), TOY_GOLD["colour"])
    version = GoldVersion.objects.get(split__task__slug="mood")
    open_gold(version=version, now=LATER)
    refresh_stale()
    sign_log(LATER)
    result = run("audit", live_server.url)
    assert (result.exit_code, "1 opened commitments" in result.stdout) == (0, True), result.output
    others = [([0, 0, 1, 1, 1, 1], {"Kind": kinds}), ([0, 0, 0, 1, 1, 1], {"Kind": kinds[::-1]})]
    for clusters, groups in others:
        log_opening(OpenedGold.objects.get(), clusters, groups)
    sign_log(LATER)
    assert run("audit", live_server.url).stderr.count("the groups of items are NOT those") == len(others)


def test_published_predictions_are_scored_again(run, live_server, opened):
    assert opened == "/benchmarks/toy/releases/1/predictions.zip"
    result = run("audit", live_server.url)
    assert (result.exit_code, "4 scores made again" in result.stdout) == (0, True), result.output


@pytest.mark.parametrize(
    ("definition", "moods", "count"),
    [
        pytest.param(
            TOY_DEFINITION.replace("label_column: Label}", "label_column: Label, empty_labels: unscored}"),
            TOY_GOLD["mood"].replace(b"m5,good", b"m5,"),
            4,
            id="an item that is not scored",
        ),
        pytest.param(
            THREADED.replace(
                "cluster_column: Thread},",
                "cluster_column: Thread}, metrics: [{name: f1_macro, title: F1 macro}, "
                '{name: "all_right[Thread]", title: Threads}],',
            ),
            GOLD,
            4,
            id="threads of which all is right",
        ),
    ],
)
def test_scores_are_made_again_from_what_the_labels_and_the_log_say_of_items(
    run, live_server, sync, gold_keys, signers, definition, moods, count
):
    toy = sync(definition)
    load(toy.tasks.get(slug="mood"), moods)
    load(toy.tasks.get(slug="colour"), TOY_GOLD["colour"])
    upload(new_system("Larch"), toy.phases.get(), mood=ONE_WRONG)
    run_batch(CUT_OFF)
    Phase.objects.update(closes_at=CUT_OFF, next_cut_off_at=LATER + WEEK)
    for version in GoldVersion.objects.all():
        open_gold(version=version, now=LATER)
    refresh_stale()
    publish_predictions(Release.objects.get(), LATER)
    sign_log(LATER)
    result = run("audit", live_server.url)

    told = f"{count} scores made again"
    assert (result.exit_code, told in result.stdout) == (0, True), result.output


def test_a_board_with_another_number_is_told_even_if_it_entered_the_log(run, live_server, opened):
    """What the organiser writes into board and log is not what the predictions are worth."""
    from leaderboard.rendering.rendered_page import RenderedPage

    path = "/benchmarks/toy/releases/1/tasks/mood.json"
    board = json.loads(bytes(Page.objects.get(pk=path).body))
    row = next(row for row in board["rows"] if row["system"] == "Larch")
    row["cells"]["accuracy"]["value"] = 0.99
    body = json.dumps(board).encode()
    edit(path, body)
    log_pages("toy", [RenderedPage(path, "application/json", body)], reason="a correction", release=1)
    sign_log(LATER)
    result = run("audit", live_server.url)
    assert result.exit_code == 1
    assert "Larch, mood/test: the board shows accuracy 0.99, and it is 0.8333" in result.stderr


def test_predictions_stay_hidden_while_a_phase_is_open_or_labels_are_sealed(submission):
    release = Release.objects.get()
    with pytest.raises(CannotPublishPredictions, match="A phase is open"):
        publish_predictions(release, CUT_OFF)
    Phase.objects.update(closes_at=CUT_OFF, next_cut_off_at=LATER + WEEK)
    with pytest.raises(CannotPublishPredictions, match="2 of the gold versions"):
        refuse_predictions(release, LATER)
    assert not Page.objects.filter(pk__endswith="predictions.zip").exists()


def test_the_same_predictions_are_the_same_bytes(opened):
    release = Release.objects.get()
    assert predictions_page(release).body == bytes(Page.objects.get(pk=opened).body)


def test_a_server_without_a_log_is_told(run, live_server, toy):
    result = run("audit", live_server.url)
    assert (result.exit_code, "says no key for its log" in result.stderr) == (2, True)
