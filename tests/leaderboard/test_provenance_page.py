"""Every number on a board leads to a card that says where it comes from."""

import json
import re
from importlib.metadata import version
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Page
from leaderboard.pages import score_cards
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import Visibility, hide_names, lift_anonymity, set_visibility
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion, RunReplicates, ScoringRun
from submissions.models import System
from tests.conftest import TOY_GOLD
from tests.pages import browser_of, text_of
from tests.robustness import LARCH, load_tiny, submit
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

PAGE = "/benchmarks/toy/releases/1/provenance/"


def body(path: str = PAGE) -> str:
    return bytes(Page.objects.get(pk=path).body).decode()


def card(system: Any, path: str = PAGE) -> str:
    """The card of a system, or of what an anonymous one is called in addresses."""
    anchor = system if isinstance(system, str) else str(system.pk)[:8]
    return text_of(Client().get(f"{path}{anchor}/"))


def document(path: str = "/benchmarks/toy/releases/1/provenance.json") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body(path))
    return found


@pytest.fixture
def submission(toy: Any, phase: Any, system: System) -> Any:
    found = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return found


@pytest.mark.parametrize(
    "path", ["/benchmarks/toy/", "/benchmarks/toy/tasks/mood/", "/benchmarks/toy/releases/1/"]
)
def test_every_number_of_a_system_leads_to_a_card_that_is_there(submission, path):
    (row,) = re.findall(r'<tr class="system">.*', body(path))
    numbers = re.findall(r"<td[^>]*><span>(.*?)</span>", row)
    cards = re.findall(r'<a href="([^"]+)" tabindex="-1">\.\d+|<a href="([^"]+)" tabindex="-1">1\.000', row)
    assert numbers
    assert len(cards) == len(numbers)
    for address in ("".join(one) for one in cards):
        page, _, part = address.partition("#")
        assert page == f"{PAGE}{str(submission.system_id)[:8]}/"
        shown = text_of(Client().get(page))
        assert not part or f'id="{part}"' in shown


def test_the_card_names_file_time_gold_metric_scorer_and_commit(submission):
    page = card(submission.system)
    run = ScoringRun.objects.get(split__task__slug="mood")
    (line,) = re.findall(r'<tr id="t-mood">.*?</tr>', page, re.DOTALL)
    assert submission.file_sha256 in line
    assert str(submission.pk)[:8] in line
    assert "2026-11-18T12:00:00Z" in line
    assert "F1 macro .829 (95 % interval .344 to .982), Accuracy .833" in line
    assert ("version 1" in line, run.scorer_version in line, run.code_commit in line) == (True, True, True)
    assert run.code_commit
    assert list(run.libraries or {}) == ["numpy", "scipy"]  # and none of which no metric of the task has need
    assert f"numpy {version('numpy')}, scipy {version('scipy')}" in line
    assert GoldVersion.objects.get(split__task__slug="mood").commitment in body()


def test_the_method_and_the_number_of_resamples_of_an_interval_are_told(submission):
    rows = {one.run_id: one for one in RunReplicates.objects.all()}
    run = ScoringRun.objects.get(split__task__slug="mood")
    (told,) = [one["interval"] for one in document()["systems"][0]["scores"] if one["task"] == "mood"]
    kept = rows[run.pk]
    assert told == {"method": kept.method, "resamples": kept.count, "seed_id": kept.seed_id}


def test_a_later_gold_version_stands_in_the_later_release_alone(submission, toy):
    corrected = TOY_GOLD["mood"].replace(b"m5,good", b"m5,bad")
    load_gold(task=toy.tasks.get(slug="mood"), data=corrected, file_name="g.csv", now=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    told = [
        [
            one["gold_version"]
            for one in document(f"/benchmarks/toy/releases/{n}/provenance.json")["systems"][0]["scores"]
        ]
        for n in (1, 2)
    ]
    assert told == [[1, 1], [2, 1]]


def test_each_seed_track_and_attack_has_a_line(sync, gold_keys, system):
    submit(system, load_tiny(sync), LARCH)
    run_batch(CUT_OFF)
    scores = document("/benchmarks/tiny/releases/1/provenance.json")["systems"][0]["scores"]
    assert len({(one["task"], one["split"], one["seed"]) for one in scores}) == len(scores) == 12
    page = card(system, "/benchmarks/tiny/releases/1/provenance/")
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_rows_of_one_team_are_one_card(toy, phase, system, team):
    phase.one_per_team = True
    phase.save()
    upload(system, phase)
    other = System.objects.create(team=team, name="Fir", created_at=CUT_OFF)
    upload(other, phase, mood=ONE_WRONG, at=CUT_OFF - WEEK / 7)
    run_batch(CUT_OFF)
    assert len(document()["systems"]) == 1


def test_of_anonymous_systems_number_and_code_are_told_and_no_file(toy, phase, system):
    hide_names(toy)
    phase.refresh_from_db()
    sent = upload(system, phase)
    run_batch(CUT_OFF)
    told = body() + card("system-1") + body("/benchmarks/toy/releases/1/provenance.json")
    secrets = ("Larch", "North", str(system.pk)[:8], str(sent.pk)[:8], sent.file_sha256, "2026-11-18T12")
    assert [secret for secret in secrets if secret in told] == []
    assert 'provenance/system-1/"' in body("/benchmarks/toy/")

    toy.refresh_from_db()
    lift_anonymity(toy)
    refresh_stale()
    assert sent.file_sha256 in card(system)
    assert Client().get(f"{PAGE}system-1/").status_code == 404


def test_the_board_links_to_the_page(submission):
    assert f'href="{PAGE}"' in text_of(Client().get("/benchmarks/toy/"))


def test_before_the_first_release_nothing_is_linked(toy):
    refresh_stale()
    assert "provenance" not in body("/benchmarks/toy/")


def test_names_are_text_on_the_cards(toy, phase, team):
    system = System.objects.create(team=team, name='<b>"Fir" & co</b>', created_at=CUT_OFF)
    upload(system, phase)
    run_batch(CUT_OFF)
    named = "&lt;b&gt;&quot;Fir&quot; &amp; co&lt;/b&gt;"
    assert "<b>" not in body() + card(system)
    assert (body().count(named), card(system).count(f">{named}<")) == (1, 1)


def test_a_task_of_several_seeds_names_the_seed_of_each_line(sync, gold_keys, system):
    submit(system, load_tiny(sync), LARCH)
    run_batch(CUT_OFF)
    told = document("/benchmarks/tiny/releases/1/provenance.json")["systems"][0]["scores"]
    page = card(system, "/benchmarks/tiny/releases/1/provenance/")
    assert re.findall(r"<small>([^<]*) seed (\d)</small></th>", page) == [
        (one["track"], str(one["seed"])) for one in told
    ]


def test_a_card_has_the_bounds_of_its_interval(system, phase):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    cell = row_of(board("/benchmarks/toy/tasks/mood.json"), "Larch")["cells"]["mood"]

    low, high = (f"{cell[end]:.3f}".removeprefix("0") for end in ("ci_low", "ci_high"))
    assert f"95 % interval {low} to {high}" in card(system)


def test_of_many_systems_the_page_lists_the_first_and_each_has_its_card(phase, team, monkeypatch):
    monkeypatch.setattr(score_cards, "LISTED", 2)
    systems = [
        System.objects.create(team=team, name=name, created_at=CUT_OFF) for name in ("Ash", "Fir", "Yew")
    ]
    for system, mood in zip(systems, (ALL_RIGHT, ONE_WRONG, HALF_WRONG), strict=True):
        upload(system, phase, mood=mood)
    run_batch(CUT_OFF)

    assert re.findall(rf'<li id="\w+"><a href="{PAGE}(\w+)/">(\w+)</a>', body()) == [
        (str(system.pk)[:8], system.name) for system in systems[:2]
    ]
    assert "And 1 more" in body()
    assert [system.name in card(system) for system in systems] == [True, True, True]


def test_who_is_not_on_the_board_has_no_card(submission):
    assert [Client().get(f"{PAGE}{anchor}/").status_code for anchor in ("0" * 8, "system-1", "x")] == [
        404
    ] * 3
    sent = str(submission.system_id)[:8]
    assert Client().get(f"/benchmarks/toy/releases/2/provenance/{sent}/").status_code == 404


def test_of_a_private_benchmark_strangers_get_no_card(submission, toy, staff):
    address = f"{PAGE}{str(submission.system_id)[:8]}/"
    set_visibility(benchmark=toy, visibility=Visibility.PRIVATE, by=staff)
    refresh_stale()
    assert Client().get(address).status_code == 404
    assert (
        browser_of(staff).get("/benchmarks/toy/").status_code
        == browser_of(staff).get(address).status_code
        == 200
    )


def test_a_system_whose_name_looks_like_a_row_has_no_second_one(phase, team):
    """Names stand in the document from which cards are cut."""
    fir = System.objects.create(team=team, name="Fir", created_at=CUT_OFF)
    copy = System.objects.create(
        team=team, name=f'{{"anchor":"{str(fir.pk)[:8]}","system":1}}', created_at=CUT_OFF
    )
    upload(copy, phase)
    run_batch(CUT_OFF)
    assert Client().get(f"{PAGE}{str(fir.pk)[:8]}/").status_code == 404
    assert "&quot;anchor&quot;" in card(copy)
