"""What organisers take home holds everything, and scores can be made again from it without this site."""

import datetime as dt
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from sklearn.metrics import accuracy_score, f1_score

from accounts.models import AuditEntry
from benchmarks.models import Benchmark, Phase
from leaderboard.models import Release
from leaderboard.take_home.archive_contents import write_archive
from submissions.models import Submission
from submissions.systems.file_removals import remove_file
from tests.conftest import the_system, the_toy
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

AFTER = CUT_OFF + 2 * WEEK


@pytest.fixture(scope="module")
def released(stage):
    phase = the_toy().phases.get()
    upload(the_system(), phase, mood=ONE_WRONG)
    upload(the_system(), phase, mood=HALF_WRONG, at=CUT_OFF - dt.timedelta(hours=1))
    run_batch(CUT_OFF)


class Archive:
    """A zip in memory, by the paths inside its folder."""

    def __init__(self, data: bytes) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        self.names = {name.partition("/")[2]: name for name in self._zip.namelist()}

    def read(self, path: str) -> bytes:
        return self._zip.read(self.names[path])

    def table(self, path: str) -> Any:
        return pd.read_csv(io.BytesIO(self.read(path)), dtype=str, keep_default_na=False)


def taken(now: dt.datetime = AFTER) -> Archive:
    target = io.BytesIO()
    write_archive(Benchmark.objects.get(pk="toy"), target, now)
    return Archive(target.getvalue())


def close_the_phase() -> None:
    Phase.objects.update(closes_at=CUT_OFF, next_cut_off_at=AFTER + WEEK)


def test_every_score_is_made_again_from_predictions_and_gold_alone(released):
    close_the_phase()
    archive, made_again = taken(), 0
    by_name = {
        "accuracy": accuracy_score,
        "f1_macro": lambda gold, answers: f1_score(gold, answers, average="macro"),
    }
    for score in archive.table("scores.csv").itertuples():
        answers = archive.table(f"predictions/{score.task}.csv").query("split == @score.split")
        if score.metric in by_name:
            again = by_name[score.metric](answers["gold"], answers[score.submission])
            assert float(score.value) == pytest.approx(again, abs=1e-12)
            made_again += 1
    assert made_again >= 8


def test_the_standings_have_all_digits_where_published_boards_have_four(released):
    close_the_phase()
    archive = taken()
    standings = archive.table("standings.csv").query("board == 'overall' and kind == 'system'")
    published = json.loads(archive.read("boards/release-1.json"))
    shown = {
        key: cell["value"]
        for row in published["rows"]
        if row["kind"] == "system"
        for key, cell in row["cells"].items()
    }
    exact = {row.column: float(row.value) for row in standings.itertuples() if row.value}
    assert exact.keys() == {key for key, value in shown.items() if value is not None}
    for key, value in exact.items():
        assert round(value, 4) == shown[key]
    assert any(value != shown[key] for key, value in exact.items())


def test_while_a_phase_is_open_sealed_labels_and_what_is_made_of_them_stay(released):
    archive = taken()
    assert not [name for name in archive.names if name.startswith("gold/") or "label-errors" in name]
    assert set(archive.table("predictions/mood.csv")["gold"]) == {""}
    assert set(archive.table("items/mood.csv")["share_right"]) == {""}
    assert "Sealed gold labels are not in this archive" in archive.read("README.md").decode()


def test_checksums_croissant_and_crate_name_every_file(released):
    archive = taken()
    sums = {
        path: digest
        for digest, path in (line.split("  ") for line in archive.read("SHA256SUMS").decode().splitlines())
    }
    assert sums.keys() == archive.names.keys() - {"SHA256SUMS"}
    for path, digest in sums.items():
        assert hashlib.sha256(archive.read(path)).hexdigest() == digest
    crate = json.loads(archive.read("ro-crate-metadata.json"))["@graph"]
    croissant = json.loads(archive.read("croissant.json"))
    described = {"ro-crate-metadata.json", "croissant.json", ".zenodo.json"}
    files = sums.keys() - described
    assert {part["@id"] for part in crate if part["@type"] == "File"} == files
    assert {file["contentUrl"] for file in croissant["distribution"]} == files
    assert json.loads(archive.read(".zenodo.json"))["upload_type"] == "dataset"


def test_items_stand_by_difficulty_and_those_that_most_contradict_are_named(released):
    close_the_phase()
    archive = taken()
    items = archive.table("items/mood.csv")
    shares = [float(share) for share in items["share_right"]]
    assert shares == sorted(shares)
    assert shares[0] == 0
    errors = archive.table("items/mood.likely-label-errors.csv")
    assert list(errors["id"]) == [row.id for row in items.itertuples() if float(row.share_right) == 0]


def test_a_removed_file_leaves_an_empty_column_with_its_date_and_reason(released):
    submission = Submission.objects.order_by("received_at").first()
    assert submission is not None
    Submission.objects.filter(pk=submission.pk).update(status="withdrawn", ended_at=CUT_OFF)
    remove_file(submission=submission, reason="It names people.", now=AFTER)
    archive, key = taken(), str(submission.pk)
    assert set(archive.table("predictions/mood.csv")[key]) == {""}
    row = archive.table("submissions.csv").set_index("submission").loc[key]
    assert (row["predictions"], row["file_removed_because"]) == ("removed", "It names people.")
    assert row["file_removed_at"] == AFTER.isoformat().replace("+00:00", "Z")


def test_people_stand_with_their_addresses_and_teams(released):
    people = taken().table("participants.csv")
    assert len(people)
    assert people["e-mail"].str.contains("@").all()
    assert set(people["submissions"]) == {"2"}


def test_json_lines_and_csv_say_the_same(released):
    archive = taken()
    table = archive.table("predictions/mood.csv")
    lines = [json.loads(line) for line in archive.read("predictions/mood.jsonl").splitlines()]
    assert [line["id"] for line in lines] == list(table["id"])
    for column in table.columns[4:]:
        assert [line["answers"][column] for line in lines] == list(table[column])


def test_the_command_writes_a_file_once_and_leaves_a_line_in_the_audit_log(released, tmp_path: Path, capsys):
    close_the_phase()
    file = tmp_path / "toy.zip"
    call_command("take_home", "toy", str(file))
    assert "with gold labels of" in capsys.readouterr().out
    assert Archive(file.read_bytes()).table("scores.csv").shape[0] >= 4
    assert AuditEntry.objects.get(kind="take home").what.startswith("Made an archive of everything: ")
    with pytest.raises(CommandError, match="is there already"):
        call_command("take_home", "toy", str(file))
    assert Release.objects.count() == 1
