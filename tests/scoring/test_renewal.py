"""New items between two phases: what stays is displayed, what is new ranks exactly, and old releases stay."""

import datetime as dt

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, transaction

from accounts.models import AuditEntry
from benchmarks.models import ItemRenewal, Phase
from catalogue.disclosure.rule import DISPLAYED, REMAINDER
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.definitions.renewal import RenewalRefused, renew_items
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import items_of_part
from scoring.gold.rankings import rankings_before
from scoring.models import GoldVersion
from submissions.services import PredictionUpload, submit_predictions
from tests.leaderboard.test_ranked_again import SECOND_END, follow
from tests.pages import text_of
from tests.quiz import end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, board, run_batch
from transparency.models import LogEntry

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
TASK = "/benchmarks/quiz/tasks/quiz.json"
KEPT = range(1000, 2000)
FRESH = range(2000, 3000)
RENEWED = "ID,Label\n" + "".join(f"q{at},{'yes' if at % 2 else 'no'}\n" for at in (*KEPT, *FRESH))


@pytest.fixture
def running(sync, gold_keys) -> Phase:
    phase = make_quiz(sync, "open")
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - HOUR)
    return phase


@pytest.fixture
def first(running) -> Phase:
    """Closed and released."""
    end_now(CUT_OFF)
    run_batch(CUT_OFF)
    running.refresh_from_db()
    return running


def renew(phase: Phase, text: str = RENEWED) -> None:
    renew_items(
        task=phase.benchmark.tasks.get(),
        data=text.encode(),
        file_name="new.csv",
        now=CUT_OFF + HOUR,
        confirm_clues=True,
    )


@pytest.fixture
def second(first) -> Phase:
    """On renewed items, closed and released."""
    renew(first)
    phase = follow(first)
    system = new_system("Alder")
    user = system.team.members.get()
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=user,
            data=RENEWED.encode(),
            file_name="quiz.csv",
            received_at=SECOND_END - HOUR,
        )
    )
    run_batch(SECOND_END)
    return phase


def ids_of(part: str) -> set[str]:
    version = GoldVersion.objects.latest("number")
    items, (_salt, gold) = items_of_part(part, version.pk), opened_version(version.pk)
    assert items is not None
    return {item for item, is_in in zip(gold.ids, items, strict=True) if is_in}


def test_anchors_are_displayed_and_what_is_kept_back_is_new(first):
    renew(first)

    fresh = {f"q{at}" for at in FRESH}
    assert {f"q{at}" for at in KEPT} <= ids_of(DISPLAYED)
    assert ids_of(REMAINDER) < fresh
    assert len(ids_of(REMAINDER)) == pytest.approx(500, abs=75)


def test_the_next_phase_ranks_exactly_again(second, client):
    assert board(TASK)["part"] == REMAINDER
    assert board(TASK)["rows"][0]["cells"]["quiz"]["value"] == 1.0
    assert rankings_before(second, second.benchmark.tasks.get().splits.get()) == 0
    assert "These items rank for the first time: exactly." in text_of(client.get("/benchmarks/quiz/"))


def test_releases_from_before_are_made_again_bit_for_bit(second):
    for release in Release.objects.order_by("number"):
        result, _boards = reproduce(release)
        assert (result.differences, result.failed, result.left_out) == ([], [], [])
        assert result.score_count


def test_lines_of_history_break_at_the_renewal(second, client):
    page = text_of(client.get("/benchmarks/quiz/analysis/"))
    assert "Another measure since release 2 (quiz: gold labels 1 → 2)" in page


def test_a_phase_that_runs_with_submissions_is_not_cut_off_from_its_items(running):
    with pytest.raises(RenewalRefused, match="Main is running and has accepted submissions for these items"):
        renew(running)


def test_a_file_without_a_new_id_renews_nothing(first):
    text = "".join(f"q{at},yes\n" for at in KEPT)
    with pytest.raises(RenewalRefused, match="has no id that is new: all 1,000 stand in the set already"):
        renew(first, f"ID,Label\n{text}")


def test_items_that_were_retired_do_not_come_back_as_new_ones(first):
    renew(first)
    with pytest.raises(RenewalRefused, match="were retired before, and something is known of them"):
        renew(first, "ID,Label\nq1,yes\nq3000,no\nq2001,yes\n")


def test_the_command_says_what_it_would_do_and_does_it_on_a_word(first, tmp_path, capsys):
    file = tmp_path / "new.csv"
    file.write_text(RENEWED)
    call_command("renew_items", "quiz", "quiz", file, "--confirm-clues")

    assert "1,000 items stay as anchors, 1,000 are retired, and 1,000 are new." in capsys.readouterr().out
    assert GoldVersion.objects.count() == 1

    call_command("renew_items", "quiz", "quiz", file, "--confirm-clues", "--yes")
    assert GoldVersion.objects.count() == 2
    assert AuditEntry.objects.filter(kind="renew items", what__contains="1,000 are new").exists()


def test_the_command_says_why_it_refuses(running, tmp_path):
    file = tmp_path / "new.csv"
    file.write_text(RENEWED)
    with pytest.raises(CommandError, match="is running and has accepted submissions"):
        call_command("renew_items", "quiz", "quiz", file, "--yes")


def test_a_third_phase_on_the_renewed_items_carries_noise(second):
    third = follow(second, "third", SECOND_END + WEEK)
    assert rankings_before(third, third.benchmark.tasks.get().splits.get()) == 1


def test_a_renewal_is_never_changed_or_removed(second):
    for change in (ItemRenewal.objects.all().delete, lambda: ItemRenewal.objects.update(new_count=0)):
        with (
            pytest.raises(Error, match="append-only"),
            transaction.atomic(),
        ):
            change()


def test_the_log_names_both_sets_of_items_before_the_labels_of_the_new_one(second):
    kinds = list(LogEntry.objects.order_by("index").values_list("kind", flat=True))
    (entry,) = LogEntry.objects.filter(kind="renewal")
    renewal = ItemRenewal.objects.get()

    assert entry.facts["former"] == renewal.former_sha256 != entry.facts["ids"] == renewal.split.ids_sha256
    assert (entry.facts["retired"], entry.facts["anchors"], entry.facts["new"]) == (1000, 1000, 1000)
    assert kinds.index("renewal") == [at for at, kind in enumerate(kinds) if kind == "gold"][1] - 1
