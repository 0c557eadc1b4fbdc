"""What each phase takes where teams break each other's systems: what belongs elsewhere is told where."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from submissions.exceptions import PhaseClosed, PhaseNotReady, UploadRefused, WrongPhase
from submissions.forms import SubmitForm, open_break_phases, open_phases
from submissions.services import PredictionUpload, submit_predictions
from submissions.uploads.expected_splits import split_targets
from tests.games import IN_BREAK, IN_BUILD, IN_SCORE
from tests.phases import NORTH_GOLD, TONE_GOLD, answer, build, fresh, hand_in, labels_file, make_set

pytestmark = pytest.mark.django_db

DEV_FILE = {"tone_dev.csv": labels_file(TONE_GOLD)}
SET_FILE = {"tone_north.csv": labels_file(NORTH_GOLD)}


def asked(games: Any, kind: str) -> set[tuple[str, str]]:
    return {(one.task.id, one.split) for one in split_targets(fresh(games, kind))}


def messages(refused: pytest.ExceptionInfo[UploadRefused]) -> str:
    return " ".join(problem.message for problem in refused.value.result.problems)


def test_build_phase_asks_for_the_development_data_alone(games):
    make_set(games)
    assert asked(games, "build") == {("tone", "dev"), ("who", "dev")}


def test_score_phase_asks_for_every_set_and_for_no_development_data(games):
    make_set(games)
    make_set(games, "South", withdrawn=True)
    assert asked(games, "score") == {("tone", "north"), ("tone", "south")}


def test_phase_of_no_kind_asks_for_everything(games):
    make_set(games)
    phase = fresh(games, "score")
    phase.kind = "predictions"
    assert {(one.task.id, one.split) for one in split_targets(phase)} == {
        ("tone", "dev"), ("tone", "north"), ("who", "dev"),
    }  # fmt: skip


def test_score_phase_without_sets_says_that_they_are_being_made(games, system):
    with pytest.raises(
        PhaseNotReady, match=r"handed in until Wed 16 Dec 2026, 12:00 UTC.*come back in an hour"
    ):
        hand_in(system, fresh(games, "score"), SET_FILE, IN_SCORE)


def test_break_phase_says_that_pairs_are_handed_in_and_where(games, system):
    with pytest.raises(
        WrongPhase, match=r"takes minimal pairs.*/benchmarks/games/pairs/.*in the phase Score, from"
    ):
        hand_in(system, fresh(games, "break"), DEV_FILE, IN_BREAK)


def test_closed_phase_names_the_one_that_is_open_and_what_it_takes(games, system):
    with pytest.raises(PhaseClosed, match="Open now is the phase Break, which takes minimal pairs"):
        hand_in(system, fresh(games, "build"), DEV_FILE, IN_BREAK)


def test_set_in_the_build_phase_is_told_where_it_belongs(games, system):
    make_set(games)
    with pytest.raises(UploadRefused) as refused:
        hand_in(system, fresh(games, "build"), DEV_FILE | SET_FILE, IN_BUILD)
    assert "Predictions for the split north of tone belong to the phase Score" in messages(refused)


def test_development_data_in_the_score_phase_are_told_where_they_belong(games, system):
    make_set(games)
    with pytest.raises(UploadRefused) as refused:
        hand_in(system, fresh(games, "score"), DEV_FILE | SET_FILE, IN_SCORE)
    assert "belong to the phase Build; this one takes predictions for the pairs of all" in messages(refused)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("tone_dev.csv", {}), ("x.csv", {"task": "tone", "split": "dev"}), ("tone_dev.csv", {"task": "tone"})],
)
def test_single_file_of_development_data_is_told_so_however_it_is_named(games, owner, system, name, chosen):
    make_set(games)
    with pytest.raises(UploadRefused) as refused:
        submit_predictions(
            PredictionUpload(
                system=system,
                phase=fresh(games, "score"),
                user=owner,
                data=labels_file(TONE_GOLD),
                file_name=name,
                received_at=IN_SCORE,
                **chosen,
            )
        )
    assert "belong to the phase Build" in messages(refused)


def test_file_of_no_name_is_told_the_name_of_a_set(games, owner, system):
    make_set(games)
    make_set(games, "South")
    with pytest.raises(UploadRefused, match="problem") as refused:
        submit_predictions(
            PredictionUpload(
                system=system,
                phase=fresh(games, "score"),
                user=owner,
                data=labels_file(NORTH_GOLD),
                file_name="x.csv",
                received_at=IN_SCORE,
            )
        )
    assert refused.value.result.problems[0].expected == "tone_north.csv"


def test_what_a_phase_asks_for_is_taken(games, system):
    make_set(games)
    assert build(system, games).predictions.get().split.slug == "dev"
    assert answer(system, games).predictions.get().split.slug == "north"


def test_set_that_was_withdrawn_is_still_taken(games, system):
    make_set(games, withdrawn=True)
    assert answer(system, games).predictions.count() == 1


# What the page offers


def test_break_phase_is_offered_for_pairs_and_not_for_predictions(games, owner):
    assert [str(one) for one in open_phases(IN_BREAK, owner)] == []
    assert [str(one) for one in open_break_phases(IN_BREAK, owner)] == ["games/break"]
    assert [str(one) for one in open_phases(IN_SCORE, owner)] == ["games/score"]


def test_form_offers_the_splits_of_the_open_phase(games, owner):
    make_set(games)
    form = SubmitForm(owner, [fresh(games, "score")])
    assert [key for key, _ in form.fields["split"].widget.choices] == ["", "north"]
    assert "split" not in SubmitForm(owner, [fresh(games, "build")]).fields


def test_form_says_what_the_phase_takes(games, owner):
    form = SubmitForm(owner, [fresh(games, "build")])
    assert form.fields["phase"].widget.choices == [
        ("games/build", "Games: Build (predictions for the development data)")
    ]


@pytest.fixture
def in_break(games: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: IN_BREAK)
    return games


def test_page_leads_to_where_pairs_are_handed_in(in_break, owner, system, client):
    client.force_login(owner)
    page = client.get("/submit/").content.decode()
    assert '<a href="/benchmarks/games/pairs/">pairs that break systems</a>' in page


def test_upload_to_the_break_phase_leads_to_the_pairs(in_break, owner, system, client):
    client.force_login(owner)
    form = {
        "phase": "games/break",
        "system": str(system.pk),
        "file": SimpleUploadedFile("tone_dev.csv", b"x"),
    }
    answered = client.post("/submit/", form)
    assert answered.status_code == 403
    assert '<a href="/benchmarks/games/pairs/">Hand in pairs</a>' in answered.content.decode()
