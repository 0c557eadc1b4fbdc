"""An event in files is played as it would happen, and what comes out otherwise than expected is named."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from accounts.models import Team
from benchmarks.models import GivenFile
from demo.rehearsal.comparison import as_document, differences
from demo.rehearsal.event import FolderRefused, read_event
from demo.rehearsal.play import play
from leaderboard.models import Release
from tests.conftest import CASES
from tests.rehearsal.offenseval import write_offenseval
from tests.rehearsal.small_event import UPLOADS, write_event

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path):
    write_event(tmp_path)
    return tmp_path


def played(folder):
    return play(read_event(folder))


def act(folder, *acts):
    (folder / "acts.json").write_text(json.dumps(acts), "utf-8")


@pytest.mark.django_db
def test_an_event_with_windows_of_its_own_for_each_subtask_comes_out_as_expected(folder, gold_keys):
    event = read_event(folder)

    result = play(event)

    assert list(differences(result, event.expected)) == []
    codes = {number: outcome.code for number, outcome in result.outcomes.items()}
    assert codes == {number: code for number, *_, code in UPLOADS}
    assert len(event.expected["boards"]) == 4 == len(result.boards)


@pytest.mark.django_db
def test_a_refused_file_costs_nothing_and_names_the_phase_it_belongs_to(folder, gold_keys):
    outcomes = played(folder).outcomes

    assert outcomes[6].message == (
        "Predictions for the split test of a belong to the phase Evaluation, subtask A; "
        "this one takes predictions for the split dev of a, b."
    )
    assert (outcomes[6].line, outcomes[6].column) == (1, "id")
    assert "Open now is the phase Evaluation, subtask A, which takes" in outcomes[9].message
    assert "The next slot opens with the next day" in outcomes[3].message
    assert "All 2 submissions in this phase for a/test are used up" in outcomes[13].message
    assert "No further slot opens in this phase." in outcomes[13].message


@pytest.mark.django_db
def test_a_release_does_not_come_out_before_its_date(folder, gold_keys):
    timeline = {one.sentence: one.at.isoformat() for one in played(folder).timeline}

    assert timeline["release 1, of development"] == "2026-01-10T00:00:00+00:00"
    assert timeline["release 2, of evaluation-a"] == "2026-01-14T12:00:00+00:00"


@pytest.mark.django_db
def test_boards_of_a_phase_show_what_it_is_about_and_nothing_else(folder, gold_keys):
    played(folder)

    first, second, third = Release.objects.order_by("number")
    assert [column["key"] for column in first.boards["overall"]["columns"]] == ["a@dev", "b@dev"]
    assert [column["key"] for column in second.boards["overall"]["columns"]] == ["a"]
    assert set(third.boards) == {"overall", "b"}


@pytest.mark.django_db
def test_what_comes_out_otherwise_is_named(folder, gold_keys):
    event = read_event(folder)
    result = play(event)
    wanted = json.loads(json.dumps(event.expected))
    wanted["uploads"][0]["f1_macro"] += 1e-6
    wanted["uploads"][1]["outcome"] = "refused"
    wanted["boards"]["evaluation-a/a"][0]["upload"] = 11
    wanted["quota_left_at_the_close"]["Fir in evaluation-a"] = 1

    found = "\n".join(differences(result, wanted))

    assert "upload 1: expected f1_macro" in found
    assert "upload 2: expected refused, found accepted" in found
    assert "board evaluation-a/a: Fir: expected upload 11, found 12" in found
    assert "quota left of Fir in evaluation-a: expected 1, found 0" in found
    assert len(found.splitlines()) == 4


@pytest.mark.django_db
def test_what_came_out_can_be_expected_the_next_time(folder, gold_keys):
    event = read_event(folder)
    result = play(event)

    document = json.loads(json.dumps(as_document(result)))

    assert list(differences(result, document)) == []
    assert len(document["timeline"]) > len(UPLOADS)


@pytest.mark.django_db
def test_organisers_extend_disqualify_and_correct(folder, gold_keys):
    gold = (folder / "gold" / "test" / "b.csv").read_text("utf-8").splitlines()
    turned = [line.replace("TIN", "?").replace("UNT", "TIN").replace("?", "UNT") for line in gold]
    (folder / "corrected.csv").write_text("\n".join(turned) + "\n", "utf-8")
    act(
        folder,
        {
            "at": "2026-01-12T12:00:00Z",
            "act": "extend",
            "phase": "evaluation-a",
            "closes": "2026-01-14T00:00:00Z",
        },
        {"at": "2026-01-12T13:00:00Z", "act": "disqualify", "upload": 12, "reason": "A copy."},
        {"at": "2026-01-17T13:00:00Z", "act": "correct_gold", "task": "b", "file": "corrected.csv"},
    )

    result = played(folder)

    assert result.outcomes[15].is_accepted  # within the new end
    assert [row.upload for row in result.boards["evaluation-a/a"]] == [15, 11]
    first, second = result.boards["evaluation-b/b"]
    assert [first.upload, second.upload] == [17, 16]  # who was right before is wrong now
    assert any("closes on 2026-01-14 00:00 UTC" in one.sentence for one in result.timeline)


@pytest.mark.django_db
def test_a_team_that_becomes_part_of_another_brings_what_it_has_used(folder, gold_keys):
    act(folder, {"at": "2026-01-15T12:00:00Z", "act": "merge", "team": "Fir", "into": "Larch"})

    result = played(folder)

    assert result.outcomes[17].is_accepted
    assert [(row.team, row.upload) for row in result.boards["evaluation-b/b"]] == [("Larch", 17)]
    assert result.quota_left["Larch in evaluation-b"] == 0


@pytest.mark.django_db
def test_who_is_in_two_teams_shares_their_quota_and_a_withdrawn_file_gives_its_slot_back(folder, gold_keys):
    (folder / "teams.json").write_text(json.dumps({"Larch": ["ann", "bo"], "Fir": ["cy", "bo"]}), "utf-8")
    act(
        folder,
        {"at": "2026-01-11T02:30:00Z", "act": "withdraw", "upload": 11},
        {"at": "2026-01-15T12:00:00Z", "act": "merge", "team": "Fir", "into": "Larch"},
        {"at": "2026-01-16T12:00:00Z", "act": "close", "phase": "evaluation-b"},
    )

    result = played(folder)

    assert result.outcomes[13].is_accepted  # the slot of 11
    assert result.outcomes[14].code == "quota_used_up"  # Fir used both, and bo is of Larch too
    assert result.outcomes[17].is_accepted
    assert [(row.team, row.upload) for row in result.boards["evaluation-b/b"]] == [("Larch", 17)]
    closed = next(one for one in result.timeline if one.sentence == "evaluation-b is closed by hand")
    assert closed.at.isoformat() == "2026-01-16T12:00:00+00:00"


@pytest.mark.django_db
def test_a_score_that_is_expected_and_was_not_measured_is_named(folder, gold_keys):
    event = read_event(folder)
    wanted = {"uploads": [{"number": 1, "outcome": "scored", "rmse": 0.5}]}

    assert list(differences(play(event), wanted)) == ["upload 1: expected rmse 0.5; measured is f1_macro"]


@pytest.mark.django_db
def test_an_act_that_cannot_be_done_is_named(folder, gold_keys):
    act(folder, {"at": "2026-01-12T12:00:00Z", "act": "dance"})

    with pytest.raises(
        FolderRefused, match="'dance' cannot be rehearsed; expected choose, close, correct_gold, disqualify"
    ):
        played(folder)


def test_every_mistake_of_a_folder_is_named(folder):
    (folder / "gold" / "test" / "b.csv").unlink()
    uploads = json.loads((folder / "uploads.json").read_text("utf-8"))
    uploads[0] |= {"file": "uploads/none.csv", "task": "c"}
    uploads[1]["sent_at"] = "2026-01-02 10:00"
    (folder / "uploads.json").write_text(json.dumps(uploads), "utf-8")

    with pytest.raises(FolderRefused) as caught:
        read_event(folder)

    assert caught.value.mistakes == (
        "gold/test: no gold file for b; looked for b.csv",
        "uploads.json[0].file: there is no file 'uploads/none.csv'",
        "uploads.json[0].task: no task is called 'c'; there is a, b",
        "uploads.json[1].sent_at: expected an instant with its zone such as 2026-01-10T00:00:00Z, "
        "found '2026-01-02 10:00'",
    )


@pytest.mark.sqlite
def test_the_command_plays_in_a_database_of_its_own(folder, tmp_path, settings):
    out, site = tmp_path / "out.json", tmp_path / "site"
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("HELDOUT_", "DJANGO_"))
    }
    environment |= {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(settings.DATA_DIR)}
    command = [sys.executable, str(ROOT / "manage.py"), "rehearse", str(folder)]
    command += ["--json", str(out), "--site", str(site)]

    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.rstrip().endswith("All of expected.json came out.")
    assert json.loads(out.read_text("utf-8"))["boards"].keys() >= {"evaluation-a/a", "evaluation-b/b"}
    assert "A small event" in (site / "benchmarks" / "event" / "index.html").read_text("utf-8")


@pytest.mark.django_db
@pytest.mark.published
@pytest.mark.skipif(not CASES.is_dir(), reason="The published cases are no part of the project.")
def test_the_event_in_the_shape_of_offenseval_comes_out_as_expected(tmp_path, gold_keys):
    write_offenseval(CASES / "event_offenseval", tmp_path)
    event = read_event(tmp_path)

    result = play(event)

    assert list(differences(result, event.expected)) == []
    assert len(event.expected["uploads"]) == 40 == len(result.outcomes)


@pytest.mark.django_db
def test_a_removed_name_is_replaced_on_boards_and_the_event_comes_out_as_before(folder, gold_keys):
    event = read_event(folder)
    team = event.uploads[0].team
    act(folder, {"at": "2026-01-14T13:00:00Z", "act": "remove", "team": team, "reason": "offensive"})

    result = played(folder)

    assert list(differences(result, event.expected)) == []
    assert not Team.objects.filter(name=team).exists()
    assert any("is called 'Name removed on 2026-01-14: offensive" in one.sentence for one in result.timeline)


@pytest.mark.django_db
def test_files_of_the_folder_are_given_when_their_phase_says(folder, gold_keys):
    path = folder / "benchmark.yaml"
    given = "    given: [{files: [test-a.tsv], from: 2026-01-10T00:00Z}]\n"
    path.write_text(
        path.read_text("utf-8").replace("    one_per_team: true\n", f"    one_per_team: true\n{given}", 1)
    )
    with pytest.raises(FolderRefused, match=r"given: there is no file test-a\.tsv"):
        read_event(folder)
    (folder / "given").mkdir()
    (folder / "given" / "test-a.tsv").write_text("id\ttext\n")

    timeline = {one.sentence: one.at.isoformat() for one in played(folder).timeline}

    assert timeline["test-a.tsv is given"] == "2026-01-10T00:00:00+00:00"
    newest = GivenFile.objects.get().newest
    assert newest is not None
    assert newest.size == len("id\ttext\n")
