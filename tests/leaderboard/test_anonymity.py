"""Names hidden before the first release, shown once an organiser lifts that: boards, reports, pages of systems."""

import importlib
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from leaderboard.board.model.ranking import unranked
from leaderboard.models import Page, Release
from leaderboard.pages.benchmark_pages import render_release
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import NotReady, publish, publish_ready, refresh_stale
from leaderboard.publication.visibility import CannotHide, hide_names, lift_anonymity
from leaderboard.rendering.public_names import Naming, naming
from scoring.gold.versions import load_gold
from scoring.models import Batch
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import Pseudonym, System
from submissions.systems.name_texts import PublicName
from submissions.systems.services import change_system
from submissions.systems.status_transitions import withdraw
from tests.broken import answer_dev
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD, person, the_system, the_toy
from tests.games import BUILD_CLOSES
from tests.leaderboard.board.boards import ACCURACY, TASK, row
from tests.leaderboard.board.boards import board as board_of
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.published import systems_published
from tests.threads import at_once
from tests.uploads import toy_zip
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, systems_on, upload

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]


@pytest.fixture
def hidden(toy: Benchmark) -> Benchmark:
    hide_names(toy)
    toy.refresh_from_db()
    return toy


@pytest.fixture
def released(released_once: None, toy: Benchmark) -> Benchmark:
    return toy


@pytest.fixture(scope="module")
def released_once(stage: None) -> None:
    """Three systems of two teams and a baseline; two of them are equal."""
    hide_names(the_toy())
    south = create_team(name="South", founder=person("southerner"), now=NOW)
    upload(the_system(), Phase.objects.get(), mood=ONE_WRONG)
    System.objects.filter(name="Larch").update(facts={"parameters": 350_000_000})
    for name, kind, mood in (
        ("Zelkova", System.Kind.SYSTEM, HALF_WRONG),
        ("Abele", System.Kind.SYSTEM, HALF_WRONG),
        ("Majority", System.Kind.BASELINE, HALF_WRONG),
    ):
        made = System.objects.create(team=south, name=name, kind=kind, created_at=NOW, tags=["wooden"])
        upload(made, Phase.objects.get(), mood=mood)
    run_batch(CUT_OFF)


def everything(start: str = "/") -> str:
    """All published pages below an address in one text."""
    pages = Page.objects.filter(path__startswith=start).order_by("path")
    return "\n".join(f"{page.path}\n{bytes(page.body).decode()}" for page in pages)


def number_of(system: str) -> str:
    return str(Pseudonym.objects.get(system__name=system))


# What a board shows


def test_a_board_shows_numbers_and_nothing_else_about_its_systems(released):
    row = row_of(board(), number_of("Larch"))
    about = {key: row[key] for key in ("system_id", "team", "tags", "source", "rank")}
    assert about == {"system_id": None, "team": "", "tags": [], "source": "", "rank": 1}
    assert {cell["submission"] for cell in row["cells"].values()} == {None}
    assert "facts" not in row


def test_systems_of_one_rank_stand_by_their_numbers(released):
    tied = [one for one in systems_on(board()) if one != number_of("Larch")]
    assert tied == sorted([number_of("Zelkova"), number_of("Abele")])
    assert [row["rank"] for row in board()["rows"] if row["system"] in tied] == [2, 2]


@given(
    order=st.permutations(range(6)), values=st.lists(st.sampled_from([None, 0.25, 0.5, 0.75]), min_size=12)
)
def test_where_each_column_is_a_ranking_no_real_name_decides_who_stands_where(order, values):
    columns = ACCURACY, TASK

    def shown(called):
        """Who stands where, with the real names that these numbers make."""
        rows = [
            row(f"S{name}", *values[2 * at : 2 * at + 2], system_id=str(UUID(int=at)))
            for at, name in enumerate(called)
        ]
        made = replace(board_of(*unranked(rows, columns), columns=columns), by_column=True)
        names = {UUID(int=at): PublicName(f"System {at + 1}", "") for at in range(6)}
        return [one.system for one in Naming(names).of_board(made).rows]

    assert shown(order) == shown(range(6))


def test_a_baseline_keeps_name_team_and_page(released):
    majority = System.objects.get(name="Majority")
    row = row_of(board(), "Majority")
    assert (row["team"], row["system_id"]) == ("South", str(majority.pk))
    assert f"/systems/{majority.pk}/" in systems_published()


def test_the_page_says_so_and_still_counts_teams(released):
    page = everything("/benchmarks/toy/")
    assert "Systems are anonymous: they bear numbers until the organiser lifts that." in page
    assert "3 systems of 2 teams." in " ".join(page.split())


def test_a_release_is_frozen_with_real_names(released):
    frozen = Release.objects.get().boards["overall"]
    assert set(systems_on(frozen)) == {"Larch", "Zelkova", "Abele"}


def test_a_system_that_stands_in_the_next_release_too_keeps_its_number(released, system):
    before = number_of("Larch")
    upload(system, Phase.objects.get(), at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert systems_on(board())[0] == before
    assert systems_on(board("/benchmarks/toy/releases/1.json"))[0] == before


def test_whatever_a_report_says_of_a_system_is_hidden_with_it(system):
    names = Naming({system.pk: PublicName("System 7", "")})
    said = {"system": "Larch", "system_id": str(system.pk), "team": "North", "score": 0.5}
    assert names.report({"solved": {"r1": said}, "list": [said, {"system_id": None, "n": 1}]}) == {
        "solved": {"r1": {"system": "System 7", "system_id": None, "team": "", "score": 0.5}},
        "list": [
            {"system": "System 7", "system_id": None, "team": "", "score": 0.5},
            {"system_id": None, "n": 1},
        ],
    }


def test_a_system_that_nobody_has_named_stops_the_page(released):
    with pytest.raises(KeyError):
        Naming({}).board(Release.objects.get().boards["overall"])


# Pages of systems


@pytest.fixture
def elsewhere(sync: Any, released: Benchmark, system: System) -> Benchmark:
    """Larch stands in another benchmark, where nothing is hidden."""
    other = sync(TOY_DEFINITION.replace("id: toy", "id: open").replace("title: Toy", "title: Plain"))
    for task in other.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=CUT_OFF)
    upload(system, other.phases.get(), at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    return other


def test_a_system_has_no_page_for_being_in_an_anonymous_benchmark(released, system):
    assert f"/systems/{system.pk}/" not in systems_published()


def test_the_page_of_a_team_links_to_no_page_that_is_not_there(released, system, owner):
    address = f'href="/systems/{system.pk}/"'
    assert address not in text_of(browser_of(owner).get(f"/teams/{system.team_id}/"))
    lift_anonymity(released)
    assert address in text_of(browser_of(owner).get(f"/teams/{system.team_id}/"))


def test_the_page_of_a_system_tells_of_no_benchmark_where_it_is_anonymous(elsewhere, system, owner):
    taken_back = upload(system, Phase.objects.get(benchmark="toy"), at=CUT_OFF + WEEK)
    run_batch(CUT_OFF + 2 * WEEK)
    withdraw(submission=taken_back, user=owner, now=CUT_OFF + 2 * WEEK)
    change_system(system=system, description="Made of wood.")
    refresh_stale()
    page = systems_published()[f"/systems/{system.pk}/"].decode()
    assert "Plain" in page
    assert "Made of wood." in page
    assert "/benchmarks/toy/" not in page
    assert str(taken_back.pk)[:8] not in page


def test_a_page_of_the_anonymous_benchmark_is_the_same_byte_for_byte_after_a_system_was_renamed(released):
    before = everything("/benchmarks/toy")
    change_system(system=System.objects.get(name="Larch"), name="Juniper", description="New.", tags=["new"])
    refresh_stale()
    assert everything("/benchmarks/toy") == before


def test_an_outsider_cannot_ask_the_api_whether_a_system_is_there(released, system, outsider):
    def answer_to(wanted: str) -> int:
        file = SimpleUploadedFile("upload.zip", toy_zip())
        form = {"phase": "toy/main", "system": wanted, "file": file}
        return browser_of(outsider).post("/api/v1/submissions/", form).status_code

    assert answer_to(str(system.pk)) == answer_to("00000000-0000-4000-8000-000000000000") == 404


# A team reads its own number


def test_a_team_reads_its_own_number_on_its_submission(released, system, owner):
    page = text_of(browser_of(owner).get(f"/submissions/{system.submissions.get().pk}/"))
    assert f"Others read <b>{number_of('Larch')}</b> in place of its name" in page


def test_before_its_first_cut_off_a_system_has_no_number_to_read(hidden, system, owner):
    mine = upload(system, Phase.objects.get())
    page = text_of(browser_of(owner).get(f"/submissions/{mine.pk}/"))
    assert "will read a number in place of its name" in page
    assert not Pseudonym.objects.exists()


def test_where_systems_are_named_nothing_is_said_of_numbers(toy, system, owner, phase):
    page = text_of(browser_of(owner).get(f"/submissions/{upload(system, phase).pk}/"))
    assert "in place of its name" not in page


# Hiding and lifting


def test_names_cannot_be_hidden_after_a_release(toy, system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    with pytest.raises(CannotHide, match="before the first release only"):
        hide_names(toy)
    assert not Benchmark.objects.get().is_anonymous


def test_names_cannot_be_hidden_once_breakers_may_download_predictions_under_them(games, system):
    answer_dev(system, games)
    close_due(BUILD_CLOSES)
    with pytest.raises(CannotHide, match="end of a phase in which systems are built"):
        hide_names(games)


def test_what_was_lifted_cannot_be_hidden_again(released):
    lift_anonymity(released)
    released.refresh_from_db()
    with pytest.raises(CannotHide):
        hide_names(released)


def test_lifting_names_everybody_on_every_page_of_every_release_at_the_next_sweep(released, system):
    upload(system, Phase.objects.get(), at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert lift_anonymity(released)
    assert "Larch" not in everything()

    refresh_stale()

    for path in ("/benchmarks/toy", "/benchmarks/toy/releases/1", "/benchmarks/toy/releases/2"):
        assert row_of(board(f"{path}.json"), "Larch")["system_id"] == str(system.pk)
        assert "Larch" in bytes(Page.objects.get(pk=f"{path}/").body).decode()
    assert "System 1" not in everything()
    assert "anonymous" not in everything()
    assert "Larch" in systems_published()[f"/systems/{system.pk}/"].decode()


def test_lifting_twice_asks_for_the_pages_once(released):
    assert [lift_anonymity(released), lift_anonymity(released)] == [True, False]
    assert refresh_stale() == 1
    assert refresh_stale() == 0


def test_a_release_between_lifting_and_the_sweep_leaves_the_archive_to_be_printed(released, system):
    lift_anonymity(released)
    upload(system, Phase.objects.get(), at=CUT_OFF)
    close_due(CUT_OFF + WEEK)
    score_all_due(CUT_OFF + WEEK)
    finish_batches(CUT_OFF + WEEK)
    publish_ready(CUT_OFF + WEEK)
    assert "Larch" not in everything("/benchmarks/toy/releases/1")
    refresh_stale()
    assert "Larch" in everything("/benchmarks/toy/releases/1")


@pytest.mark.parametrize("is_hidden", [True, False], ids=["lifted", "hidden"])
def test_a_release_whose_pages_were_made_before_names_changed_does_not_come_out(
    toy, system, phase, monkeypatch, is_hidden
):
    """Its pages would name whom they must not, or be the only ones that do not."""
    Benchmark.objects.update(is_anonymous=is_hidden)
    upload(system, phase)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    watch_batches(CUT_OFF)
    change = partial(lift_anonymity if is_hidden else hide_names, toy)

    def render_then_change(release: Any) -> Any:
        pages = render_release(release)
        change()
        return pages

    monkeypatch.setattr("leaderboard.publication.services.render_release", render_then_change)
    with pytest.raises(NotReady):
        publish(batch=Batch.objects.get(), now=CUT_OFF)
    monkeypatch.undo()

    assert not Release.objects.exists()
    publish(batch=Batch.objects.get(), now=CUT_OFF)
    assert ("Larch" in everything("/benchmarks/toy")) == is_hidden


@pytest.mark.django_db(transaction=True)
def test_hiding_while_a_release_comes_out_never_leaves_names_under_an_anonymous_benchmark(toy, system, phase):
    upload(system, phase)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    at_once([partial(publish_ready, CUT_OFF), partial(hide_names, toy)])
    is_hidden = Benchmark.objects.get().is_anonymous
    if is_hidden:
        publish_ready(CUT_OFF)
    assert Release.objects.count() == 1
    assert ("Larch" in everything("/benchmarks/toy")) != is_hidden


def test_naming_asks_for_removed_names_local_names_and_claims_alone_where_nothing_is_hidden(
    toy, django_assert_num_queries
):
    with django_assert_num_queries(3):
        naming(toy)


# The organiser's buttons


@pytest.fixture
def organiser(toy: Benchmark) -> User:
    user = person("organiser", is_staff=True)
    appoint(toy, user)
    return user


def press(user: User, name: str) -> Any:
    return browser_of(user).post(f"/admin/benchmarks/benchmark/toy/{name}/", {"confirmed": "yes"})


def test_an_organiser_hides_and_lifts_and_both_are_recorded(toy, organiser):
    press(organiser, "hide_names")
    assert Benchmark.objects.get().is_anonymous
    press(organiser, "lift_anonymity")
    assert not Benchmark.objects.get().is_anonymous
    said = [(entry.user, entry.get_change_message()) for entry in LogEntry.objects.order_by("pk")]
    assert said == [(organiser, "Hid the names of systems."), (organiser, "Lifted the anonymity of systems.")]


def test_looking_at_the_question_lifts_nothing(released, organiser):
    page = text_of(browser_of(organiser).get("/admin/benchmarks/benchmark/toy/lift_anonymity/?confirmed=yes"))
    assert "this cannot be undone" in page
    assert Benchmark.objects.get().is_anonymous


def test_buttons_are_offered_where_they_can_do_something(toy, organiser, system, phase):
    def offered() -> set[str]:
        page = text_of(browser_of(organiser).get("/admin/benchmarks/benchmark/toy/change/"))
        return {name for name in ("hide_names", "lift_anonymity") if f"/toy/{name}" in page}

    assert offered() == {"hide_names"}
    press(organiser, "hide_names")
    assert offered() == {"lift_anonymity"}
    press(organiser, "lift_anonymity")
    upload(system, phase)
    run_batch(CUT_OFF)
    assert offered() == set()


def test_an_organiser_who_is_too_late_is_told_so(toy, organiser, system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    answer = browser_of(organiser).post(
        "/admin/benchmarks/benchmark/toy/hide_names/", {"confirmed": "yes"}, follow=True
    )
    assert "before the first release only" in text_of(answer)


def test_the_preview_of_a_release_names_systems_and_says_that_the_public_will_read_numbers(
    hidden, organiser, system
):
    upload(system, Phase.objects.get())
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    batch = Batch.objects.get()
    page = text_of(browser_of(organiser).get(f"/admin/scoring/batch/{batch.pk}/publish/"))
    assert "Larch" in page
    assert "Public pages show numbers in place of these names." in page


def test_upgrade_has_pages_drawn_again_that_told_by_their_order(toy):
    migration = importlib.import_module("leaderboard.migrations.0019_names_of_before")
    migration.draw_again(apps, None)
    assert not Benchmark.objects.stale().filter(archive_wanted__gt=F("archive_rendered")).exists()
    Benchmark.objects.filter(pk=toy.pk).update(is_anonymous=True)
    migration.draw_again(apps, None)
    assert Benchmark.objects.stale().filter(archive_wanted__gt=F("archive_rendered")).get() == toy
