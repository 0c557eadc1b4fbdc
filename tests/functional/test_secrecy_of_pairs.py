"""Before the close, nothing tells which labels breakers have given their pairs: not in any page, file or API answer."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import time_machine
from django.db import transaction

from accounts.models import User
from accounts.services import create_team
from benchmarks.models import Benchmark
from breaking.contests.campaign_units import ask_about_labels
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest, PairFile
from breaking.pairs.minimality import ask_about_minimality
from labelling.models import Campaign
from labelling.outcomes.settling import settle_due
from labelling.work import drafts
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.places import take_units
from leaderboard.publication.services import publish_ready, refresh_stale
from scoring.gold.alignment import opened_version
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from scoring.uncertainty import resampling
from submissions.models import Submission, System
from tests.breakers import HEAD, hand_in, load_starters
from tests.broken import answer, answer_dev, run
from tests.conftest import NOW, person
from tests.crowds import hired, say
from tests.functional.test_secrecy import Responses, differences, unpacked
from tests.functional.test_secrecy import without_chance as without_long_ids
from tests.games import AFTERWARDS, BREAK_CLOSES, BUILD_CLOSES, IN_BREAK, IN_SCORE, make_games
from tests.pages import browser_of, read
from tests.published import published
from tests.routes import routes

pytestmark = [pytest.mark.redteam, pytest.mark.sqlite, pytest.mark.django_db]

# The same sentences and as many labels of each kind; only which sentence has which label differs.
PAIRS = (
    HEAD + b"11_b,11,I loathe this old song.,{},a verb\n13_b,13,What an unkind thing to say!,{},a prefix\n"
)
ONE = PAIRS.replace(b"{}", b"-1", 1).replace(b"{}", b"1")
OTHER = PAIRS.replace(b"{}", b"1", 1).replace(b"{}", b"-1")
# Both pairs break it in the one world, none in the other.
ANSWERS = {"tone_breakers.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"}}
HOUR = dt.timedelta(hours=1)


class Story:
    """The games until everything is public, one step after the other, with the same labels in every world but these."""

    def __init__(self, games: Benchmark, labels: bytes) -> None:
        self.games, self._labels = games, labels

    def hand_in(self) -> None:
        """A file of pairs, and one more that replaces it."""
        team = User.objects.get(email="breaker@example.org").teams.get()
        hand_in(self.games, team, self._labels.replace(b"a verb", b"a rare verb"))
        hand_in(self.games, team, self._labels, at=IN_BREAK + HOUR)

    def close(self) -> None:
        """The break phase is over, and the pairs are a set."""
        run(BREAK_CLOSES)
        do_what_is_due(BREAK_CLOSES)
        self.games.refresh_from_db()

    def ask(self) -> None:
        """People have said which labels the items have, and whether the changes are minimal; nothing is taken of it."""
        file = PairFile.objects.accepted().get(team__isnull=False)
        told: dict[str, Any] = {
            "pair_files": [file],
            "user": User.objects.get(email="staff@example.org"),
            "now": IN_SCORE,
        }
        for campaign, says in (
            (ask_about_labels(**told), "1"),
            (ask_about_minimality(**told, definition="Only that."), "yes"),
        ):
            open_campaign(campaign=campaign, now=IN_SCORE)
            for worker in hired(campaign, 5):
                while page := take_units(worker=worker, now=IN_SCORE):
                    for assignment in page:
                        say(assignment, says, IN_SCORE)
            close_campaign(campaign=campaign, now=IN_SCORE)
        settle_due(IN_SCORE)
        do_what_is_due(IN_SCORE)

    def score(self) -> None:
        """The set is answered and the answers are scored; nothing of it is published."""
        answer(System.objects.get(name="Larch"), self.games, ANSWERS)
        close_due(AFTERWARDS)
        score_all_due(AFTERWARDS)
        finish_batches(AFTERWARDS)

    def publish(self) -> None:
        """The release is out, and gold labels are public."""
        publish_ready(AFTERWARDS)
        for _ in range(2):
            do_what_is_due(AFTERWARDS)
        assert (
            Contest.objects.get().votes.count() == 5
        )  # what people say differs from one label in either world

    STEPS = (
        (hand_in, IN_BREAK + 2 * HOUR),
        (close, IN_SCORE),
        (ask, IN_SCORE),
        (score, AFTERWARDS),
        (publish, AFTERWARDS),
    )


def without_chance(body: bytes) -> bytes:
    """Also without the beginnings of ids by which people speak of submissions."""
    begun = rb"(?:(?<=submission )(?:<code>)?|(?<=data-submission=\")|(?<=<td><code>))[0-9a-f]{8}\b"
    return re.sub(begun, b"#", without_long_ids(body))


@pytest.fixture
def people(owner: User, staff: User, system: System) -> dict[str, User]:
    breaker = person("breaker")
    create_team(name="Breakers", founder=breaker, now=NOW)
    return {"builder": owner, "breaker": breaker, "staff": staff}


@pytest.fixture
def read_world(people, system, sync, gold_keys, monkeypatch):
    """Play the story with these labels, read everything as everyone after each step, and undo it."""
    # Resamples are drawn by lot, and differ by chance between two worlds whose labels are the same.
    monkeypatch.setattr(resampling, "_seed", lambda _gold_version: b"the same")
    # So is the order in which people are asked.
    monkeypatch.setattr(drafts, "_SEEDS", 1)

    def _read(labels: bytes) -> dict[str, Responses]:
        opened_version.cache_clear()  # the second world's rows have the numbers of the first one's
        found = {}
        with transaction.atomic():
            with time_machine.travel(NOW, tick=False):
                story = Story(make_games(sync), labels)
                load_starters(story.games)
                answer_dev(system, story.games)
                run(BUILD_CLOSES)
            for step, instant in Story.STEPS:
                with time_machine.travel(instant, tick=False):
                    step(story)
                    refresh_stale()
                    found[step.__name__] = dict(crawl(people if step is not Story.publish else {}))
            transaction.set_rollback(True)
        return found

    return _read


def crawl(people: Mapping[str, User]) -> Iterator[tuple[tuple[str, str], tuple[int, bytes]]]:
    """Every published page, and every other address as those get it who may see most there: organisers in the admin."""
    for path, body in published().items():
        yield ("page", without_chance(path.encode()).decode()), (200, without_chance(body))
    addresses = list(_addresses())
    for name, user in people.items():
        browser = browser_of(user)
        browser.raise_request_exception = False
        for route, path in (one for one in addresses if one[0].startswith("admin") == (name == "staff")):
            answered = browser.get(path)
            yield (name, route), (answered.status_code, without_chance(unpacked(read(answered))))


def _addresses() -> Iterator[tuple[str, str]]:
    """Routes with these names filled in, and the paths that come of them."""
    sets = BreakerSet.objects.select_related("split")
    known: dict[str, Any] = {
        "benchmark": "games",
        "task": "tone",
        "split": next((one.split.slug for one in sets), "none"),
        "number": 1,
        "ending": "csv",
        "system": System.objects.earliest("created_at").pk,
        "submission": Submission.objects.earliest("received_at").pk,
        "pair_file": PairFile.objects.order_by("-received_at").values_list("pk", flat=True)[0],
        "pk": Submission.objects.earliest("received_at").pk,
        "object_id": 1,
        "app_label": "breaking",
        "content_type_id": 1,
    }
    for route in routes():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(known.get(found[1], "none")), route)
        yield route, f"/{path}"
    for pk in PairFile.objects.order_by("received_at").values_list("pk", flat=True):
        yield "admin pairfile", f"/admin/breaking/pairfile/{pk}/change/"
    for model in ("campaign", "worker", "outcome"):
        yield f"admin {model}s", f"/admin/labelling/{model}/"
    for pk in Campaign.objects.order_by("purpose").values_list("pk", flat=True):
        yield "admin campaign", f"/admin/labelling/campaign/{pk}/change/"
    if sets:
        yield "contest", f"/benchmarks/games/contest/tone/{sets[0].split.slug}/?item=11_b"


MUST_OPEN = (
    ("page", "/benchmarks/games/"),
    ("builder", "benchmarks/<slug:benchmark>/pairs/"),
    ("builder", "submissions/<uuid:submission>/"),
    ("breaker", "benchmarks/<slug:benchmark>/pairs/<uuid:pair_file>/"),
    ("staff", "admin pairfile"),
)
BASE = "/benchmarks/games"
PUBLIC_AT_LAST = {
    ("page", f"{BASE}/items/tone/breakers/"),
    ("page", f"{BASE}/items/tone.json"),
    ("page", f"{BASE}/gold/tone/breakers.csv"),
    ("page", f"{BASE}/boards/matrix-tone.json"),
}


def test_two_worlds_of_breakers_labels_cannot_be_told_apart_before_the_close(read_world):
    one, other = read_world(ONE), read_world(OTHER)
    last = set(differences(one.pop("publish"), other.pop("publish")))
    assert last >= PUBLIC_AT_LAST  # so they are two
    assert {step: differences(one[step], other[step]) for step in one} == {step: [] for step in one}
    for world in one.values():
        assert [key for key, (status, _) in world.items() if status >= 500] == []
        assert {key: world[key][0] for key in MUST_OPEN} == dict.fromkeys(MUST_OPEN, 200)
