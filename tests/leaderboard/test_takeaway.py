"""What readers take away from a release: exports, citation, badges, model cards, the feed, a table for other sites."""

import json
from xml.etree import ElementTree as ET

import pytest
import yaml
from django.test import Client

from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from leaderboard.serving.page_server import answer
from leaderboard.serving.served_page import ServedPage
from submissions.models import System
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, person, the_system, the_toy
from tests.published import published
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

ATOM = "{http://www.w3.org/2005/Atom}"
pytestmark = pytest.mark.django_db


@pytest.fixture
def released(released_once: None, system: System) -> System:
    return system


@pytest.fixture(scope="module")
def released_once(stage: None) -> None:
    """Two releases; the system scores better in the second."""
    system, phase = the_system(), the_toy().phases.get()
    for week, mood in enumerate([HALF_WRONG, ONE_WRONG]):
        upload(system, phase, mood=mood, at=NOW + week * WEEK)
        run_batch(CUT_OFF + week * WEEK)


def page(path: str) -> str:
    return published()[path].decode()


def policy_of(client: Client, path: str) -> dict[str, str]:
    """The directives of a page's content security policy; the WSGI layer and the view send the same headers."""
    _, headers, _ = answer(ServedPage.of(Page.objects.get(pk=path)), "", "")
    response = client.get(path)
    for name in ("Content-Security-Policy", "X-Frame-Options"):
        assert dict(headers).get(name) == response.headers.get(name), name
    return dict(part.split(" ", 1) for part in response.headers["Content-Security-Policy"].split("; "))


@pytest.mark.parametrize(
    "path", ["/benchmarks/toy", "/benchmarks/toy/tasks/mood", "/benchmarks/toy/releases/1"]
)
def test_every_board_offers_its_markdown_table(released: System, path: str) -> None:
    assert f'href="{path}.md"' in page(f"{path}/")
    assert "| 1 | Larch |" in page(f"{path}.md")


def test_the_releases_show_the_entry_that_cites_the_one_in_front_and_link_the_file(released: System) -> None:
    for number in (1, 2):
        assert f"@misc{{heldout-toy-release-{number}," in page(f"/benchmarks/toy/releases/{number}.bib")
    path, file = "/benchmarks/toy/releases/", "/benchmarks/toy/releases/2.bib"
    assert f'href="{file}"' in page(path)
    assert page(file) in page(path).replace("&#x27;", "'").replace("&quot;", '"')


def test_a_system_has_a_badge_with_its_rank_and_the_markdown_that_shows_it(
    released: System, client: Client
) -> None:
    path = f"/systems/{released.pk}/badges/toy.svg"
    badge = client.get(path)
    assert badge.headers["Content-Type"].startswith("image/svg+xml")
    assert "Toy: #1, release 2" in badge.content.decode()
    shown = page(f"/systems/{released.pk}/")
    assert f'<img src="{path}"' in shown
    assert f"[![Toy](http://localhost:8000{path})](http://localhost:8000/systems/{released.pk}/)" in shown


def test_the_badge_of_a_system_that_has_left_the_board_says_so(
    toy: Benchmark, phase: Phase, system: System, client: Client
) -> None:
    sent = upload(system, phase)
    run_batch(CUT_OFF)
    withdraw(submission=sent, user=sent.submitted_by, now=CUT_OFF + WEEK / 2)
    run_batch(CUT_OFF + WEEK)

    badge = client.get(f"/systems/{system.pk}/badges/toy.svg")

    assert badge.status_code == 200
    assert "Toy: not in release 2" in badge.content.decode()


def test_a_model_card_can_take_over_every_score_of_the_board(released: System, client: Client) -> None:
    found = client.get(f"/systems/{released.pk}/model-index.yaml").content
    (model,) = yaml.safe_load(found)["model-index"]
    (row,) = [row for row in json.loads(page("/benchmarks/toy.json"))["rows"] if row["system"] == "Larch"]
    values = [result["metrics"][0]["value"] for result in model["results"]]
    assert model["name"] == "Larch"
    assert values == [cell["value"] for cell in row["cells"].values()]
    assert model["results"][0]["source"]["url"].endswith("/benchmarks/toy/releases/2/")


def test_the_feed_has_an_entry_per_release_and_every_board_leads_to_it(released: System) -> None:
    feed = ET.fromstring(page("/benchmarks/toy/feed.atom"))  # noqa: S314  # our own XML
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == ["Toy, release 2", "Toy, release 1"]
    for path in ("/", "/tasks/mood/", "/releases/", "/releases/1/"):
        head = page(f"/benchmarks/toy{path}").partition("</head>")[0]
        assert 'type="application/atom+xml"' in head, path
        assert 'href="/benchmarks/toy/feed.atom"' in head, path


def test_before_the_first_release_there_is_nothing_to_take_away(toy: Benchmark) -> None:
    refresh_stale()
    shown = page("/benchmarks/toy/")
    assert not Page.objects.filter(path__endswith="feed.atom").exists()
    assert not any(name in shown for name in ("feed.atom", ".bib", ".md", "/embed/"))


def test_the_best_score_by_release_is_drawn_in_the_analysis_with_its_data_beside_it(released: System) -> None:
    for base, numbers in (("/benchmarks/toy", [2, 1]), ("/benchmarks/toy/releases/2", [2, 1])):
        shown = page(f"{base}/analysis/")
        assert shown.index('id="chart-history-title"') < shown.index("Best system:")
        assert f'href="{base}-history.json"' in shown
        assert page(f"{base}-history.svg") in shown
        data = json.loads(page(f"{base}-history.json"))
        assert [one["release"] for one in data["releases"]] == numbers
    assert "chart-history" not in page("/benchmarks/toy/releases/1/analysis/")


def test_a_release_says_in_words_what_changed_since_the_last(released: System) -> None:
    assert "What changed since" not in page("/benchmarks/toy/releases/1/")
    changed = (
        page("/benchmarks/toy/releases/2/").partition("What changed since")[2].partition("</section>")[0]
    )
    assert "release 1</a>" in changed
    assert "stays at rank 1 and scores" in changed
    assert "better" in changed


def test_the_current_board_says_what_changed_and_leads_to_the_rows(released: System) -> None:
    assert 'id="changes"' in page("/benchmarks/toy/")
    assert 'href="/benchmarks/toy/releases/2/#change-log"' in page("/benchmarks/toy/")
    assert "#changes" not in page("/benchmarks/toy/releases/2/")


def test_a_release_tells_its_changes_once_and_above_the_board_that_it_repeats(released: System) -> None:
    shown = page("/benchmarks/toy/releases/2/")
    told = shown[shown.index('<section id="changes">') : shown.index("<!--board 2-->")]
    assert (shown.count("What changed since"), shown.count("Row by row")) == (1, 1)
    assert 'id="change-log"' in told.partition("<details>")[2].partition("</details>")[0]
    assert "stays at rank 1 and scores" in told.partition("<details>")[0]


def test_only_the_table_for_other_sites_may_be_framed(released: System, client: Client) -> None:
    embedded = "/benchmarks/toy/embed/"
    assert policy_of(client, embedded)["frame-ancestors"] == "*"
    assert "X-Frame-Options" not in client.get(embedded).headers
    others = Page.objects.exclude(pk=embedded).values_list("pk", flat=True)
    for path in others:
        assert policy_of(client, path)["frame-ancestors"] == "'none'", path
        assert client.get(path).headers["X-Frame-Options"] == "DENY", path
    for path in ("/submit/", "/accounts/login/", "/benchmarks/nobody/embed/", "/handbook/api/addresses/"):
        assert "'none'" in client.get(path).headers["Content-Security-Policy"], path
    assert others


def test_the_table_for_other_sites_has_the_first_ten_and_leads_back(phase: Phase) -> None:
    for at in range(12):
        team = create_team(name=f"Team {at}", founder=person(f"founder{at}"), now=NOW)
        upload(System.objects.create(team=team, name=f"System {at}", created_at=NOW), phase)
    run_batch(CUT_OFF)

    shown = page("/benchmarks/toy/embed/")
    assert shown.count('<th scope="row">') == 10
    assert "And 2 more." in shown
    assert '<a href="/benchmarks/toy/releases/1/" target="_blank" rel="noopener">' in " ".join(shown.split())
    assert "<script" not in shown
