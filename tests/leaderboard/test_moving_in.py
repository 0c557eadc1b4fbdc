"""An existing leaderboard moves in: its rows are taken over with their dates, and claimed by their teams."""

import datetime as dt
import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from benchmarks.models import Benchmark
from leaderboard.models import Page, Release
from leaderboard.publication.reproduction import reproduce
from leaderboard.publication.services import refresh_stale
from scoring.definitions.published_rows import load_published_rows
from submissions.claims.services import CannotClaim, accept_claim, claim_row, refuse_claim
from submissions.participants import RowClaim
from submissions.systems.board_names import take_team_name_off
from submissions.systems.team_merges import merge_teams
from tests.conftest import NOW, person
from tests.feelings import team_of
from tests.people import appoint
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, board, row_of, run_batch, upload

pytestmark = pytest.mark.thorough

FIRST = dt.date(2023, 1, 9)


def table(rows=60, **changed):
    """A made-up leaderboard of two years: a row every twelve days, of ten teams, a little better from time to time."""
    lines = ["system,team,date,mood,colour,paper"]
    for number in range(rows):
        day = FIRST + dt.timedelta(days=12 * number)
        mood = changed.get(f"mood{number}", f"{0.4 + number * 0.005 - number % 3 * 0.02:.3f}")
        colour = "" if number % 4 else f"{0.3 + number * 0.004:.3f}"
        paper = f"https://example.org/{number}" if number % 5 == 0 else ""
        lines.append(f"System {number},Team {number % 10},{day},{mood},{colour},{paper}")
    return "\n".join(lines).encode()


def move(tmp_path, data, *options):
    path, out = tmp_path / "old.csv", StringIO()
    path.write_bytes(data)
    call_command("move_in", "toy", path, *options, stdout=out)
    return out.getvalue()


def moved(benchmark="toy"):
    return Benchmark.objects.get(pk=benchmark).spec.moved_in


def test_sixty_rows_of_two_years_stand_on_boards_as_reported_rows_and_in_the_history_by_date(
    client, system, phase, tmp_path
):
    assert "60 rows of 10 teams from 2023-01-09 to 2024-12-17, with 75 scores." in move(tmp_path, table())
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)

    published = board("/benchmarks/toy/tasks/mood.json")
    reported = [row for row in published["rows"] if "moved" in row]
    assert len(reported) == 60
    assert {row["kind"] for row in reported} == {"reported"}
    assert {row["rank"] for row in reported} == {None}
    assert all("ahead_of" not in row and row["cells"]["mood"]["ci_low"] is None for row in reported)
    assert row_of(published, "System 5")["team"] == "Team 5"
    assert row_of(published, "System 5")["moved"] == {
        "date": "2023-03-10",
        "paper_url": "https://example.org/5",
    }
    page = client.get("/benchmarks/toy/tasks/mood/?published=1&rows=all").content.decode()
    assert "Team 5; earlier leaderboard, 2023-03-10" in page
    assert "1 system of 1 team" in " ".join(page.split())


def test_history_goes_by_days_and_has_the_best_of_the_earlier_leaderboard_before_the_first_release(
    toy, phase, tmp_path
):
    head = "system,team,date,overall\n"
    rows = "Ash,A,2023-01-09,0.50\nElm,B,2023-05-01,0.45\nOak,C,2024-02-01,0.71\nFir,A,2024-12-17,0.70\n"
    move(tmp_path, f"{head}{rows}".encode())
    refresh_stale()
    analysis = bytes(Page.objects.get(pk="/benchmarks/toy/analysis/").body).decode()
    assert "The best reported score rose from .500 on 2023-01-09 to .710 on 2024-02-01" in analysis
    assert "Best reported: .500 at 2023-01-09, .710 at 2024-02-01" in analysis
    data = json.loads(bytes(Page.objects.get(pk="/benchmarks/toy-history.json").body))
    assert data["releases"] == []
    assert [(step["date"], step["team"]) for step in data["reported"]] == [
        ("2024-02-01", "C"),
        ("2023-01-09", "A"),
    ]


def test_history_has_releases_and_earlier_rows_on_one_axis_of_days(system, phase, tmp_path):
    move(tmp_path, b"system,team,date,overall\nAsh,A,2023-01-09,0.50\n")
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    upload(system, phase, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    analysis = bytes(Page.objects.get(pk="/benchmarks/toy/analysis/").body).decode()
    assert "Best system: .914 at 2026-11-23, 1.000 at 2026-11-30" in analysis
    assert "Best reported: .500 at 2023-01-09" in analysis
    assert "it was not scored here" in analysis


def test_the_same_file_again_changes_nothing_and_a_corrected_one_shows_the_difference_first(toy, tmp_path):
    move(tmp_path, table())
    before = Benchmark.objects.values_list("pages_wanted", flat=True).get(pk="toy")
    assert "Nothing was changed." in move(tmp_path, table())
    assert Benchmark.objects.values_list("pages_wanted", flat=True).get(pk="toy") == before

    corrected = table(59, mood7="0.444")
    told = move(tmp_path, corrected, "--check")
    assert "System 7 (Team 7, 2023-04-03): mood 0.415 becomes 0.444." in told
    assert "System 59 (Team 9, 2024-12-17) is taken away." in told
    assert len(told.splitlines()) == 4
    assert len(moved()) == 60
    move(tmp_path, corrected)
    assert len(moved()) == 59


def test_with_any_fault_nothing_is_written_and_every_fault_is_told(toy, tmp_path):
    wrong = table(mood3="41", mood50="n/a")
    for options in ((), ("--check",)):
        with pytest.raises(CommandError) as refused:
            move(tmp_path, wrong, *options)
        assert "old.csv, line 5, column mood: “41” is not on the scale" in str(refused.value)
        assert "old.csv, line 52, column mood: “n/a” is no number" in str(refused.value)
    assert moved() == ()


def test_rows_of_a_paper_and_rows_that_moved_in_are_replaced_apart(toy, tmp_path):
    move(tmp_path, table(2))
    paper = b"system,source,date,kind,column,value,rank\nAlder,Supplement,,,mood,0.61,\n"
    load_published_rows(benchmark=Benchmark.objects.get(pk="toy"), data=paper, file_name="paper.csv")
    assert len(moved()) == 2
    move(tmp_path, table(1))
    systems = [row.system for row in Benchmark.objects.get(pk="toy").spec.reported]
    assert systems == ["Human", "Alder", "System 0"]


def test_a_release_with_moved_rows_is_made_again(system, phase, tmp_path):
    move(tmp_path, table())
    upload(system, phase)
    run_batch(CUT_OFF)
    found = reproduce(Release.objects.get())[0].differences
    assert not [line for line in found if line.startswith("board")], found


@pytest.fixture
def organiser(client, toy):
    user = person("organiser", is_staff=True)
    appoint(toy, user)
    client.force_login(user)
    return user


def press(client, **fields):
    address = reverse("admin:benchmarks_benchmark_move_in", args=["toy"])
    return client.post(address, fields | {"confirmed": "yes"}, follow=True)


def test_in_the_admin_the_difference_is_shown_and_nothing_written_before_it_was_seen(client, organiser):
    asked = press(client, file=SimpleUploadedFile("old.csv", table()), source="Old board")
    assert "System 59 (Team 9, 2024-12-17) is new: mood 0.655." in asked.content.decode()
    assert moved() == ()
    hidden = {
        name: asked.context["question"].form.initial.get(name, "") for name in ("text", "source", "seen")
    }

    assert "Move this table in" in press(client, **hidden | {"seen": "0" * 64}).content.decode()
    assert moved() == ()
    sent = hidden | {"text": hidden["text"].replace("\n", "\r\n")}  # as browsers send it
    assert "Moved in: 60 rows" in press(client, **sent).content.decode()
    assert {row.source for row in moved()} == {"Old board"}
    again = press(client, file=SimpleUploadedFile("old.csv", table()), source="Old board")
    assert "Nothing was changed" in again.content.decode()


def test_in_the_admin_every_fault_has_line_and_column(client, organiser):
    page = press(client, file=SimpleUploadedFile("old.csv", table(mood3="41"))).content.decode()
    assert "old.csv, line 5, column mood: “41” is not on the scale" in page
    assert "Choose the file." in press(client).content.decode()


def test_the_home_leads_to_moving_in(client, organiser):
    page = client.get("/admin/benchmarks/benchmark/toy/home/", follow=True).content.decode()
    assert "Move another leaderboard in" in page


# Claims


def claim(toy, system, *, at=5, user=None, with_system=True):
    toy = Benchmark.objects.get(pk=toy.pk)
    return claim_row(
        benchmark=toy,
        row=toy.spec.moved_in[at],
        team=system.team,
        system=system if with_system else None,
        note="Our paper names us.",
        user=user or system.team.members.first(),
        now=NOW,
    )


def test_a_team_claims_a_row_and_it_names_the_team_and_its_system_once_accepted(
    client, organiser, system, phase, tmp_path, mailoutbox
):
    move(tmp_path, table())
    upload(system, phase)
    run_batch(CUT_OFF)
    owner = system.team.members.first()
    client.force_login(owner)
    assert "Is one of them yours?" in client.get("/benchmarks/toy/").content.decode()
    assert "System 5, Team 5, 2023-03-10" in client.get("/benchmarks/toy/claims/").content.decode()
    sent = {"row": "5", "team": system.team.pk, "system": system.pk, "note": "Our paper."}
    answer = client.post("/benchmarks/toy/claims/", sent, follow=True).content.decode()
    assert "waits for an organiser" in answer
    assert [(mail.to, "claims a row" in mail.subject) for mail in mailoutbox] == [([organiser.email], True)]

    client.force_login(organiser)
    (asked,) = RowClaim.objects.all()
    page = f"/admin/submissions/rowclaim/{asked.pk}/"
    assert "1 row" in client.get("/admin/benchmarks/benchmark/toy/home/", follow=True).content.decode()
    client.post(f"{page}accept/", {"confirmed": "yes", "reason": ""})
    refresh_stale()
    row = row_of(board("/benchmarks/toy/tasks/mood.json"), "System 5")
    assert row["kind"] == "reported"
    assert row["rank"] is None
    assert row["moved"]["claimed_by"] == system.team.name
    html = client.get("/benchmarks/toy/tasks/mood/?published=1&rows=all").content.decode()
    assert f'claimed by <a href="/systems/{system.pk}/">{system.team.name}</a>' in html


def test_a_claim_that_is_refused_shows_its_reason_and_changes_no_row(
    client, organiser, system, phase, tmp_path
):
    move(tmp_path, table())
    asked = claim(phase.benchmark, system)
    page = f"/admin/submissions/rowclaim/{asked.pk}/refuse/"
    client.post(page, {"confirmed": "yes", "reason": "The paper names others."})
    client.force_login(asked.asked_by)
    assert "refused: The paper names others." in client.get("/benchmarks/toy/claims/").content.decode()
    refresh_stale()
    assert b"claimed by" not in bytes(Page.objects.get(pk="/benchmarks/toy/tasks/mood/").body)
    with pytest.raises(CannotClaim, match=r"The paper names others\."):
        claim(phase.benchmark, system)


def test_a_row_belongs_to_one_team_and_a_corrected_table_keeps_the_claim(
    toy, organiser, system, phase, tmp_path
):
    move(tmp_path, table())
    asked = claim(toy, system)
    accept_claim(row_claim=asked, user=organiser, now=NOW)
    with pytest.raises(CannotClaim, match="claimed already"):
        claim(toy, system)
    move(tmp_path, table(mood5="0.5"))
    refresh_stale()
    assert b"claimed by" in bytes(Page.objects.get(pk="/benchmarks/toy/tasks/mood/").body)
    refuse_claim(row_claim=asked, reason="A mistake.", user=organiser, now=NOW)
    refresh_stale()
    assert b"claimed by" not in bytes(Page.objects.get(pk="/benchmarks/toy/tasks/mood/").body)


def test_nobody_claims_for_a_team_of_others_and_strangers_sign_in_first(client, toy, system, tmp_path):
    assert client.get("/benchmarks/toy/claims/").status_code == 302
    stranger = person("stranger")
    client.force_login(stranger)
    assert client.get("/benchmarks/toy/claims/").status_code == 404  # nothing was moved in
    move(tmp_path, table())
    sent = {"row": "5", "team": system.team.pk, "system": "", "note": ""}
    client.post("/benchmarks/toy/claims/", sent)
    assert not RowClaim.objects.exists()


def test_claims_go_over_when_teams_are_merged(toy, system, organiser, tmp_path):
    move(tmp_path, table())
    asked = claim(toy, system)
    other = type(system.team).objects.create(name="Grove", founder=organiser, created_at=NOW)
    merge_teams(team=system.team, into=other, now=NOW)
    asked.refresh_from_db()
    assert asked.team == other


def told_on_the_board():
    refresh_stale()
    return row_of(board("/benchmarks/toy/tasks/mood.json"), "System 5")["moved"]["claimed_by"]


def test_a_row_that_both_teams_claim_is_the_joint_teams_by_what_was_decided_about_either(
    toy, phase, system, organiser, tmp_path
):
    move(tmp_path, table())
    upload(system, phase)
    run_batch(CUT_OFF)
    other, own = team_of(organiser, "Grove", "Birch")
    accepted, waiting = claim(toy, system), claim(toy, own)
    accept_claim(row_claim=accepted, user=organiser, now=NOW)
    assert told_on_the_board() == "North"
    merge_teams(team=system.team, into=other, now=NOW)
    assert list(RowClaim.objects.values_list("pk", "team")) == [(accepted.pk, other.pk)]
    assert told_on_the_board() == "Grove"
    assert not RowClaim.objects.filter(pk=waiting.pk).exists()


def test_what_stands_in_place_of_a_teams_name_stands_on_rows_that_it_claims_too(
    toy, phase, system, organiser, tmp_path
):
    move(tmp_path, table())
    upload(system, phase)
    run_batch(CUT_OFF)
    accept_claim(row_claim=claim(toy, system), user=organiser, now=NOW)
    called = take_team_name_off(
        benchmark=toy, team=system.team, reason="offensive", by=organiser, now=CUT_OFF
    )
    assert told_on_the_board() == called
