"""Pages that are out of date are rendered until they are not, each benchmark's by themselves."""

from typing import Any

import pytest

from benchmarks.models import Benchmark, Phase
from benchmarks.services import mark_stale
from leaderboard.models import Page
from leaderboard.pages.benchmark_pages import render_benchmark
from leaderboard.pages.rendered_release import print_release
from leaderboard.publication import archive, services
from leaderboard.publication.services import publish_ready, refresh_stale
from leaderboard.publication.visibility import lift_anonymity
from tests.conftest import TOY_DEFINITION
from tests.pages import all_rendered, body_of
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]


@pytest.fixture
def released(system, phase):
    """The benchmark toy with a release, nothing of it out of date."""
    upload(system, phase)
    run_batch(CUT_OFF)
    all_rendered()
    return phase.benchmark


def stale() -> list[str]:
    return list(Benchmark.objects.stale().values_list("pk", flat=True))


def _crash(*arguments: Any, **options: Any) -> Any:
    raise RuntimeError


@pytest.mark.parametrize("step", ["render_benchmark", "archive_pages", "front_pages"])
def test_what_failed_is_rendered_by_the_next_sweep(released, monkeypatch, step):
    Benchmark.objects.update(is_anonymous=True)
    lift_anonymity(released)
    old = body_of(b"old")
    Page.objects.update(stored=old)
    with monkeypatch.context() as patch:
        patch.setattr(services, step, _crash)
        assert refresh_stale() == 0
    assert stale() == ["toy"]

    assert refresh_stale() == 1

    assert stale() == []
    assert not Page.objects.filter(path__contains="/toy/", stored=old).exists()


def test_a_process_that_is_killed_while_it_renders_leaves_it_to_the_next(released, monkeypatch):
    mark_stale("toy")
    with monkeypatch.context() as patch:
        patch.setattr(services, "render_benchmark", _kill)
        with pytest.raises(SystemExit):
            refresh_stale()
    assert stale() == ["toy"]
    assert refresh_stale() == 1


def test_an_archive_that_is_broken_off_goes_on_with_the_release_that_lacks(
    released, system, phase, monkeypatch
):
    for week in (1, 2):
        upload(
            system, phase, mood=HALF_WRONG if week == 1 else ONE_WRONG, at=CUT_OFF + week * WEEK - WEEK / 2
        )
        run_batch(CUT_OFF + week * WEEK)
    all_rendered()
    released.refresh_from_db()
    rendered = []

    def _killed_at_the_third(release: Any, **options: Any) -> Any:
        rendered.append(release.number)
        return _kill() if len(rendered) == 3 else print_release(release, **options)

    Benchmark.objects.all().mark_stale(archive=True)
    monkeypatch.setattr(archive, "print_release", _killed_at_the_third)
    with pytest.raises(SystemExit):
        refresh_stale()
    assert stale() == ["toy"]

    assert (refresh_stale(), refresh_stale()) == (1, 0)
    assert rendered == [3, 2, 1, 1]


def _kill(*arguments: Any) -> Any:
    raise SystemExit


def test_one_that_cannot_be_rendered_holds_up_no_other(released, sync, monkeypatch):
    sync(TOY_DEFINITION.replace("id: toy", "id: bad"))
    mark_stale("toy")
    monkeypatch.setattr(
        services, "render_benchmark", lambda one: _crash() if one.pk == "bad" else render_benchmark(one)
    )

    assert refresh_stale() == 1
    assert stale() == ["bad"]


def test_what_changes_while_pages_are_rendered_is_rendered_afterwards(released, monkeypatch):
    def _meanwhile(one: Benchmark) -> Any:
        mark_stale("toy")
        return render_benchmark(one)

    mark_stale("toy")
    with monkeypatch.context() as patch:
        patch.setattr(services, "render_benchmark", _meanwhile)
        refresh_stale()
    assert stale() == ["toy"]
    assert (refresh_stale(), refresh_stale()) == (1, 0)


def test_what_changes_while_a_release_is_made_is_rendered_afterwards(system, phase, monkeypatch):
    upload(system, phase)

    def _meanwhile(release: Any, **known: Any) -> Any:
        mark_stale("toy")
        return print_release(release, **known)

    monkeypatch.setattr(services, "print_release", _meanwhile)
    run_batch(CUT_OFF)
    assert stale() == ["toy"]


def test_a_release_leaves_nothing_out_of_date(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    assert stale() == []


def test_a_release_is_in_the_ledger_only_with_the_page_that_says_so(system, phase, monkeypatch):
    upload(system, phase)
    run_batch(CUT_OFF)
    with monkeypatch.context() as patch:
        patch.setattr(services, "archive_pages", _crash)
        assert services.enter_in_ledger() == 0
    assert services.enter_in_ledger() == 1


def test_a_phase_that_cannot_be_closed_and_a_batch_that_cannot_be_finished_hold_up_no_other(
    system, phase, sync, monkeypatch
):
    from scoring.models import Batch
    from scoring.queue import batches
    from scoring.queue.runs import score_all_due

    upload(system, phase)
    sync(TOY_DEFINITION.replace("id: toy", "id: bad"))
    close, complete = batches._close, batches._completely_scored
    monkeypatch.setattr(batches, "_close", lambda one, *given, **more: close(_only_toy(one), *given, **more))
    assert [batch.phase for batch in batches.close_due(CUT_OFF)] == [phase]

    monkeypatch.setattr(batches, "_close", close)
    batches.close_due(CUT_OFF)
    Batch.objects.update(status=Batch.Status.SCORING)
    score_all_due(CUT_OFF)

    def _complete(batch: Batch) -> Any:
        _only_toy(batch.phase)
        return complete(batch)

    monkeypatch.setattr(batches, "_completely_scored", _complete)
    assert [batch.phase for batch in batches.finish_batches(CUT_OFF)] == [phase]
    assert len(publish_ready(CUT_OFF)) == 1


def _only_toy(phase: Phase) -> Phase:
    if phase.benchmark_id != "toy":
        raise ValueError
    return phase
