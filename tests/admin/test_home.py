"""The home of one benchmark: before, during and after an event; who lands on it, and what the sidebar has."""

import datetime as dt
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from benchmarks.models import Benchmark, FactList, GivenFile, Phase, Task
from leaderboard.admin.home.page import home_of
from leaderboard.publication.removal import CannotRemove, remove_phase
from scoring.gold.versions import load_gold
from scoring.models import Batch, GoldVersion
from submissions.models import Submission
from tests.admin.conftest import PRESENT
from tests.admin.test_queries import grow
from tests.conftest import TOY_DEFINITION, TOY_GOLD
from tests.pages import text_of as page_of
from tests.people import appoint

pytestmark = pytest.mark.thorough


def text_of(answer):
    """What is read on the page, without tags."""
    return " ".join(strip_tags(page_of(answer)).split())


HOME = "/admin/benchmarks/benchmark/toy/home/"
DAY = dt.timedelta(days=1)


@pytest.fixture
def home(client, organiser, world):
    client.force_login(organiser)
    return lambda: client.get(HOME)


@pytest.mark.parametrize("address", [HOME, "/admin/benchmarks/benchmark/toy/participants/"])
def test_a_page_with_a_head_of_its_own_has_one_main_heading(home, client, address):
    assert page_of(client.get(address)).count("<h1") == 1


def sealed_week(**changes):
    """The toy's phase as a test week: on its third day of seven, closed once, results a week later."""
    opens_at = PRESENT - 2.5 * DAY
    values = {
        "title": "Test B and C",
        "opens_at": opens_at,
        "closes_at": opens_at + 7 * DAY,
        "weekday": None,
        "release_not_before": opens_at + 14 * DAY,
        "publish_automatically": True,
    }
    Phase.objects.filter(benchmark="toy").update(**values | changes)


def test_whoever_organises_one_benchmark_lands_on_its_home(client, organiser, world):
    client.force_login(organiser)
    answer = client.get("/admin/")
    assert (answer.status_code, answer["Location"]) == (302, HOME)


def test_whoever_organises_several_lands_on_a_list_with_what_waits_in_each(client, organiser, world, sync):
    bare = sync(TOY_DEFINITION.replace("id: toy", "id: bare").replace("title: Toy", "title: Bare"))
    appoint(bare, organiser)
    client.force_login(organiser)
    own = {one.title: one for one in client.get("/admin/").context["busy"]}
    assert own["Toy"].url == HOME
    assert any("waits for your word" in sentence for sentence in own["Toy"].waiting)
    assert [sentence for sentence in own["Bare"].waiting if "no gold labels yet" in sentence]


def test_a_draft_says_that_nobody_can_send_it_a_file_and_how_it_is_opened(home):
    waits = "Toy is a draft: nobody without a role in it sees it or can send a file."
    assert waits not in text_of(home())
    Benchmark.objects.update(visibility=Benchmark.Visibility.DRAFT)
    page = home()
    assert waits in text_of(page)
    assert f'href="{HOME.removesuffix("home/")}ask_to_open/"' in page.content.decode()


def test_benchmarks_in_which_nothing_waits_share_a_line(client, organiser, world, sync):
    still = sync(TOY_DEFINITION.replace("id: toy", "id: still").replace("title: Toy", "title: Still"))
    for task in Task.objects.filter(benchmark=still):
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=PRESENT)
    appoint(still, organiser)
    client.force_login(organiser)
    page = text_of(client.get("/admin/"))
    assert "Nothing waits in Still." in page


def test_during_the_event_it_says_on_which_day_it_is_and_until_when_scores_are_hidden(home):
    sealed_week()
    page = text_of(home())
    assert "Test B and C is on its third day of seven. It closes on Fri 27 Nov 2026, 15:00 UTC." in page
    assert "Scores stay hidden until Fri 4 Dec 2026, 15:00 UTC." in page


def test_before_the_event_it_says_what_is_missing(db, sync, organiser):
    bare = sync(TOY_DEFINITION.replace("id: toy", "id: bare"))
    bare.phases.update(opens_at=PRESENT + 6 * DAY, closes_at=PRESENT + 9 * DAY)
    head = home_of(bare, PRESENT, frozenset()).overview
    assert (head.state, head.first) == ("before", "Two tasks have no gold labels yet.")
    assert head.rest.startswith("Main opens in 6 days, on Sun 29 Nov 2026")


def test_after_the_event_it_says_when_it_ended(home):
    sealed_week(opens_at=PRESENT - 9 * DAY, closes_at=PRESENT - 2 * DAY)
    page = text_of(home())
    assert "Test B and C was the last phase. It closed on Sat 21 Nov 2026" in page
    assert "Release 1" in page


def test_a_phase_that_is_over_and_has_changed_since_says_when_that_is_scored(home):
    sealed_week(opens_at=PRESENT - 9 * DAY, closes_at=PRESENT - 2 * DAY, next_cut_off_at=PRESENT + DAY)
    Batch.objects.update(closed_at=PRESENT - 2 * DAY)
    Submission.objects.exclude(ended_at=None).update(ended_at=PRESENT - 3 * DAY)
    assert "have changed since" not in text_of(home())

    sent = Submission.objects.filter(runs__isnull=False)[0]
    Submission.objects.filter(pk=sent.pk).update(status="disqualified", ended_at=PRESENT)
    said = (
        "Labels or submissions of Test B and C have changed since it was scored. Close it again to score it now; "
        "otherwise that happens on Tue 24 Nov 2026, 03:00 UTC."
    )
    assert said in text_of(home())

    Submission.objects.exclude(ended_at=None).update(ended_at=PRESENT - 3 * DAY)
    version = GoldVersion.objects.filter(split__runs__submission=sent)[0]
    version.pk, version.number = None, version.number + 1
    version.save(force_insert=True)
    assert said in text_of(home())


def test_a_file_that_is_to_be_given_and_is_not_loaded_waits(home):
    GivenFile.objects.filter(name="train.csv").update(given_at=PRESENT + DAY)
    assert "train.csv is given on Tue 24 Nov 2026, 03:00 UTC: load it." in text_of(home())


def test_the_picture_of_the_phases_is_drawn_without_inline_style(home):
    sealed_week()
    page = home().content.decode()
    picture = page[page.index("home-timeline") :][:6000]
    assert "style=" not in picture
    assert re.search(r'<rect x="[\d.]+%" width="[\d.]+%"', picture)
    assert "today, 23 Nov" in picture


def test_every_link_of_the_home_leads_somewhere(client, home):
    links = set(re.findall(r'href="(/admin/[^"#]*)"', home().content.decode().split('id="content-main"')[1]))
    assert len(links) > 30
    answers = {link: client.get(link.replace("&amp;", "&")).status_code for link in links}
    assert set(answers.values()) == {200}, answers


def labels(page):
    """What the links and buttons of the page are called."""
    main = page.content.decode().split('id="content-main"')[1]
    return {
        " ".join(strip_tags(found).split()) for found in re.findall(r"<a [^>]*>(.*?)</a>", main, re.DOTALL)
    }


def test_the_home_leads_to_all_that_its_benchmark_has(home):
    assert labels(home()) >= {
        "Roles (2)",
        "Invitations (1)",
        "Who sees it: public…",
        "Dates of registration…",
        "Files for participants (1)",
        "Gold versions (2)",
        "Import an edited definition…",
        "Contested labels (1)",
        "Registrations (1)",
        "Refused uploads (1)",
        "Submissions and their scores (3)",
        "Audit log",
    }
    assert any(label.startswith("What looked odd (") for label in labels(home()))
    said = text_of(home())
    assert "1 address is told what is accepted, scored and released." in said
    assert "1 written." in said


def test_the_home_of_a_new_benchmark_offers_what_it_lacks_and_links_nothing_empty(client, world, stranger):
    client.force_login(stranger)
    page = client.get(HOME.replace("toy", "other"))
    assert {"Give a file…", "Roles (1)"} <= labels(page)
    assert not [
        label for label in labels(page) if "(0)" in label or label.startswith(("Gold", "Pairs", "Refused"))
    ]
    assert "/admin/leaderboard/webhook/add/?benchmark=other" in page.content.decode()


def test_buttons_of_owners_stand_on_the_home_of_owners_alone(client, home, keeper):
    assert "Invite…" not in labels(home())
    client.force_login(keeper)
    assert "Invite…" in labels(client.get(HOME))


@pytest.mark.parametrize(("persona", "answer"), [("staff", 200), ("stranger", 404), ("clerk", 403)])
def test_the_home_is_its_organisers_alone(client, world, persona, answer, request):
    client.force_login(request.getfixturevalue(persona))
    assert client.get(HOME).status_code == answer


def entries(page):
    return [item["title"] for group in page.context["sidebar_navigation"] for item in group["items"]]


def test_the_sidebar_has_the_sections_and_nothing_that_this_benchmark_lacks(home):
    from benchmarks.models import Attack
    from scoring.models import PairSet

    FactList.objects.all().delete()
    Attack.objects.all().delete()
    PairSet.objects.all().delete()
    shown = entries(home())
    assert shown[:8] == [
        "Overview",
        "Timeline",
        "Data and gold",
        "Participants",
        "Results",
        "Pages and mail",
        "Take home",
        "Danger zone",
    ]
    lacking = {"Pairs", "Attacks", "Breakers' pairs", "Starter data", "Fact sheets", "Splits", "Scoring runs"}
    assert not lacking & set(shown)
    assert "Submissions" in shown


def test_operators_keep_every_list(client, staff, world):
    client.force_login(staff)
    assert {"Pairs", "Splits", "Scoring runs", "Starter data"} <= set(entries(client.get("/admin/")))


def test_it_costs_the_same_queries_however_much_there_is(home, world):
    few = queries(home)
    for number in range(20):
        grow(world, number)
    assert queries(home) <= few


def queries(home):
    with CaptureQueriesContext(connection) as captured:
        assert home().status_code == 200
    return len(captured)


def add(client, **given):
    dates = {
        "opens_at_0": "2026-12-01",
        "opens_at_1": "00:00",
        "closes_at_0": "2026-12-08",
        "closes_at_1": "00:00",
    }
    values = {
        "confirmed": "yes",
        "title": "Test B",
        "places": ["mood/test"],
        "quota": "2",
        "reason": "Agreed.",
    }
    return client.post("/admin/benchmarks/benchmark/toy/add_phase/", dates | values | given)


def test_a_phase_is_added_with_its_targets_and_deleted_again(client, organiser, world):
    client.force_login(organiser)
    Phase.objects.filter(benchmark="toy").update(closes_at=PRESENT + 2 * DAY)
    assert add(client).status_code == 302
    phase = Phase.objects.get(slug="test-b")
    assert (phase.targets, phase.quota_total) == ([{"task": "mood", "split": "test"}], 2)
    assert phase.next_cut_off_at == phase.closes_at
    dates = {"opens_at_0": "2026-12-09", "closes_at_0": "2026-12-12"}
    assert add(client, **dates).status_code == 302
    assert Phase.objects.filter(slug="test-b-2").exists()
    answer = client.post(
        "/admin/benchmarks/benchmark/toy/remove_phase/",
        {"confirmed": "yes", "phase": phase.pk, "reason": "Not needed."},
    )
    assert answer.status_code == 302
    assert not Phase.objects.filter(slug="test-b").exists()


def test_a_phase_that_would_show_what_another_hides_is_not_added(client, organiser, world):
    client.force_login(organiser)
    page = add(client)
    assert "take submissions at the same time" in text_of(page)
    assert Phase.objects.filter(benchmark="toy").count() == 1


def test_a_phase_that_something_was_sent_to_stays(world):
    with pytest.raises(CannotRemove, match="Main cannot be deleted: files sent to it: 4"):
        remove_phase(world.phase)


def test_buttons_above_a_row_wrap(client, world, staff):
    client.force_login(staff)
    page = client.get("/admin/benchmarks/benchmark/toy/change/").content.decode()
    assert re.search(r'href="[^"]*admin[^"]*\.css"', page)
