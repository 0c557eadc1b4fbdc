"""`manage.py reproduce` makes a release again from the uploaded files and names what differs."""

import io
import zipfile
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from leaderboard.models import Release
from leaderboard.publication.services import refresh
from scoring.gold.alignment import opened_version
from scoring.gold.versions import load_gold
from scoring.models import RunReplicates, ScoringRun
from submissions.models import PredictionCodes, Predictions, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.contested import play
from tests.feelings import DEFINITION as FEELINGS
from tests.feelings import FAVOURS_SHE, load_all_gold, submit_joy
from tests.robustness import LARCH, LARCH_TENTH, load_tiny, submit
from tests.uploads import toy_zip, zip_of
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]


def reproduced(number: int = 1, benchmark: str = "toy") -> tuple[int, str]:
    """Exit status and output of the command."""
    out = io.StringIO()
    try:
        call_command("reproduce", benchmark, str(number), stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def submission(toy: Any, phase: Any, system: Any) -> Any:
    found = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return found


def put_file(submission: Any, data: bytes) -> None:
    name = submission.stored_file.name
    default_storage.delete(name)
    assert default_storage.save(name, ContentFile(data)) == name


def test_a_release_is_reproduced_bit_for_bit(submission):
    status, said = reproduced()
    assert (status, "DIFFERS" in said, "NOT MADE AGAIN" in said) == (0, False, False)
    assert "4 scores of 1 file and 3 boards made again; no differences, no failures." in said


def test_a_changed_stored_byte_is_named_with_the_scores_and_cells_that_it_changes(submission):
    put_file(submission, toy_zip())  # all right, where one was wrong
    status, said = reproduced()
    assert status == 1
    short = str(submission.pk)[:8]
    assert (
        f"submission {short} of Larch (North): the stored file {submission.stored_file.name} has changed"
        in said
    )
    assert (
        "mood/test: the canonical predictions made of the stored file are not those that were accepted"
        in said
    )
    assert "mood/test, accuracy: stored is 0.8333333333333334, recomputed 1.0." in said
    assert "board overall: Larch, mood: value is 0.8286 in the release, made again 1.0." in said
    assert "colour/test" not in said


def test_other_bytes_of_the_same_answers_are_named_and_change_no_score(submission):
    files = zipfile.ZipFile(io.BytesIO(toy_zip(mood=ONE_WRONG)))
    put_file(
        submission, zip_of({name: files.read(name) for name in files.namelist()} | {"README.md": "New."})
    )
    status, said = reproduced()
    assert status == 1
    assert said.count("DIFFERS") == 1
    assert "has changed; its SHA-256 was" in said


def test_a_file_that_is_gone_is_named(submission):
    default_storage.delete(submission.stored_file.name)
    status, said = reproduced()
    assert status == 1
    assert said.count("DIFFERS") == 1
    assert "is not there or cannot be read" in said


def test_changed_predictions_in_the_database_are_named(submission):
    one, other = Predictions.objects.order_by("pk")
    PredictionCodes.objects.filter(pk=one.pk).update(packed=bytes(other.codes.packed))
    status, said = reproduced()
    assert status == 1
    assert said.count("DIFFERS") == 1
    assert "the predictions kept in the database have changed" in said


def test_changed_resampled_scores_are_named(submission):
    found = RunReplicates.objects.filter(run__split__task__slug="mood").get()
    RunReplicates.objects.filter(pk=found.pk).update(packed=bytes(found.packed)[:-1] + b"!")
    status, said = reproduced()
    assert status == 1
    assert "mood/test: the stored resampled scores are not those that are made now." in said


def test_an_interval_is_made_again(submission, monkeypatch):
    monkeypatch.setattr("scoring.uncertainty.resampling._seed", lambda _version: bytes(32))
    status, said = reproduced()
    assert status == 1
    # Of one metric alone both draws may round to the same ends: the salt of the gold labels is new in every run.
    assert ": the stored interval is" in said
    assert "stored is" not in said.replace("interval is", "")


def test_an_earlier_release_is_made_under_its_own_gold_labels(submission, toy):
    corrected = TOY_GOLD["mood"].replace(b"m5,good", b"m5,bad")
    load_gold(task=toy.tasks.get(slug="mood"), data=corrected, file_name="g.csv", now=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    assert Release.objects.count() == 2
    assert [reproduced(1)[0], reproduced(2)[0]] == [0, 0]


def test_a_later_submission_does_not_count_in_the_earlier_release(submission, phase, system):
    upload(system, phase, at=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    assert [reproduced(1)[0], reproduced(2)[0]] == [0, 0]


def test_what_another_scorer_made_is_said_not_to_be_made_again(submission):
    ScoringRun.objects.filter(split__task__slug="mood").update(scorer_version="0.1")
    refresh(submission.phase.benchmark, archive=True)
    status, said = reproduced()
    assert status == 0
    assert "mood/test: it was scored by scorer 0.1, and this server has 1.1; use the code of then." in said
    assert "2 scores of 1 file" in said


def test_where_not_one_score_is_made_again_that_is_a_failure(submission):
    ScoringRun.objects.update(scorer_version="0.1")
    refresh(submission.phase.benchmark, archive=True)
    status, said = reproduced()
    assert status == 1
    assert "FAILED          Not one score was made again" in said
    assert "0 scores of 0 files and 3 boards made again; no differences, 1 failure." in said


def test_scores_that_another_key_pair_cannot_make_again_are_a_failure(submission, settings, tmp_path):
    key_file = tmp_path / "other.key"
    call_command("make_gold_key", str(key_file))
    settings.GOLD_PRIVATE_KEY_FILE = str(key_file)
    opened_version.cache_clear()
    status, said = reproduced()
    assert status == 1
    assert "mood/test: The gold labels were sealed to another key." in said
    assert "no differences, 3 failures." in said


def test_files_with_rows_for_the_equity_corpus_are_made_again(sync, gold_keys, system, owner):
    load_all_gold(sync(FEELINGS))
    submit_joy(system, owner, FAVOURS_SHE)
    run_batch(CUT_OFF)
    status, said = reproduced(benchmark="feelings")
    assert (status, "1 score of 1 file" in said) == (0, True)


def test_a_system_that_is_called_something_else_now_is_no_difference(submission, system):
    System.objects.filter(pk=system.pk).update(name="Spruce")
    refresh(submission.phase.benchmark)
    status, said = reproduced()
    assert status == 0
    assert "Larch is called Spruce now" in said


def test_a_release_is_made_by_the_definition_of_its_time(submission, sync):
    later = TOY_DEFINITION.replace("values: {overall: 0.75,", "values: {overall: 0.85,")
    third = "  - {id: tone, code: TON, title: Tone, summary: Kind, test_size: 2, labels: [kind, rude]}\n"
    sync(later.replace("averages:", f"{third}averages:"))
    status, said = reproduced()
    assert (status, "3 boards made again" in said) == (0, True)


def test_of_a_release_without_its_definition_that_is_said(submission, monkeypatch):
    monkeypatch.setattr("leaderboard.publication.reproduction.defined_as", lambda *_: False)
    status, said = reproduced()
    assert status == 0
    assert "from before definitions were frozen with releases" in said


def test_without_the_key_nothing_is_tried(submission, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    with pytest.raises(CommandError, match="no private key"):
        call_command("reproduce", "toy", "1")


def test_an_unknown_release_is_answered_with_those_there_are(submission):
    with pytest.raises(CommandError, match=r"toy has no release 7. Its releases: 1"):
        call_command("reproduce", "toy", "7")


def test_a_file_of_one_task_is_read_as_it_was(toy, phase, system, owner):
    data = b"ID,Label\nm1,good\nm2,good\nm3,bad\nm4,bad\nm5,good\nm6,good\n"
    submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=data, file_name="x.csv", received_at=NOW, task="mood"
        )
    )
    run_batch(CUT_OFF)
    status, said = reproduced()
    assert (status, "2 scores of 1 file" in said) == (0, True)


def test_all_sets_of_pairs_and_both_phases_are_made_again(games, system):
    play(games, system)
    assert Release.objects.count() == 2
    assert [reproduced(number, games.pk)[0] for number in (1, 2)] == [0, 0]


def test_boards_about_attacks_tracks_and_seeds_are_made_again(sync, gold_keys, system):
    tiny = load_tiny(sync)
    submit(system, tiny, LARCH)
    submit(system, tiny, LARCH_TENTH, track="tenth")
    run_batch(CUT_OFF)
    status, said = reproduced(benchmark="tiny")
    assert (status, "48 scores of 2 files" in said) == (0, True)


def test_shares_of_correct_samples_that_came_since_are_no_difference(sync, gold_keys, system):
    tiny = load_tiny(sync)
    submit(system, tiny, LARCH)
    run_batch(CUT_OFF)
    tiny.benchmark.attacks.filter(slug="typos").update(correct_share=1.0)
    status, said = reproduced(benchmark="tiny")
    assert (status, "no differences" in said) == (0, True)
