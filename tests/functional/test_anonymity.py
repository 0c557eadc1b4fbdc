"""Systems stay anonymous through build, break and score, after gold labels are public, and until that is lifted.

Everything that others than a system's own team can read is read here, as somebody who is not signed in and as a member
of another team. Breakers' names are public, because their sets bear them.
"""

import datetime as dt
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.core import mail

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Benchmark, Split
from breaking.contests.decisions import decide
from breaking.contests.services import add_voice
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest, PairFile
from leaderboard.models import Release
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import hide_names, lift_anonymity
from submissions.models import Submission, System
from tests.api.conftest import client_of
from tests.breakers import OTHER, hand_in, load_starters
from tests.broken import answer, run
from tests.conftest import NOW, person
from tests.contested import LATER, contested, split_of
from tests.games import AFTERWARDS, BREAK_CLOSES, BUILD_CLOSES, IN_BUILD, phase_of
from tests.pages import browser_of, read
from tests.people import appoint
from tests.published import published
from tests.routes import routes

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

# Teams and their systems; the names of users and files hold them too. Wyvernlet's team breaks as well.
BUILDERS = {
    "Quillwort": "Zaffre",
    "Ombrophile": "Yaffingale",
    "Umbellifer": "Xystus",
    "Tarragona": "Wyvernlet",
}
WATCHER = ("Sentinelle", "Vigil")
BREAKERS = ("Tarragona", "Juniper")
SECRET = {*BUILDERS, *BUILDERS.values()} - {*BREAKERS}

ITEM = "/benchmarks/games/contest/tone/tarragona/?item=11_b"
BLIND = "/benchmarks/games/blind/tone.csv"

DEV = {"tone_dev.csv": {"d1": "1", "d2": "-1", "d3": "1", "d4": "1"}}
TARRAGONA = {"tone_tarragona.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"}}
JUNIPER = {"tone_juniper.csv": {"12_a": "-1", "12_b": "-1"}}
# Whom a breakers' board cannot count: one has no development data, one lacks a set.
BUILT = {"Zaffre": DEV, "Yaffingale": DEV, "Wyvernlet": DEV, "Vigil": DEV}
ANSWERED = {
    "Zaffre": TARRAGONA | JUNIPER,
    "Yaffingale": JUNIPER,
    "Xystus": TARRAGONA | JUNIPER,
    "Wyvernlet": TARRAGONA | JUNIPER,
    "Vigil": TARRAGONA | JUNIPER,
}


class Story:
    """The games with these teams, one step after the other."""

    def __init__(self, games: Benchmark, organiser: User) -> None:
        hide_names(games)
        games.refresh_from_db()
        appoint(games, organiser)
        self.games, self.organiser, self.now = games, organiser, NOW
        self.systems = {system: _system(team, system) for team, system in [*BUILDERS.items(), WATCHER]}

    @property
    def watcher(self) -> User:
        """A member of another team that takes part."""
        return User.objects.get(email="sentinelle@example.org")

    def team(self, name: str) -> Team:
        return Team.objects.get(name=name)

    def build(self) -> None:
        for system, files in BUILT.items():
            self._submit(system, files, phase=phase_of(self.games, "build"), received_at=IN_BUILD)
        self._pass(BUILD_CLOSES)

    def break_(self) -> None:
        load_starters(self.games)
        create_team(name="Juniper", founder=person("juniper"), now=NOW)
        hand_in(self.games, self.team("Tarragona"))
        hand_in(self.games, self.team("Juniper"), OTHER)
        self._pass(BREAK_CLOSES)
        self.games.refresh_from_db()

    def score(self) -> None:
        for system, files in ANSWERED.items():
            self._submit(system, files)
        run(AFTERWARDS)
        self.now = AFTERWARDS

    def publish_gold(self) -> None:
        """Gold labels become public, a builder contests one, and another builder and a breaker agree."""
        do_what_is_due(AFTERWARDS)
        item = split_of(self.games, "tone", "tarragona")
        contest = contested(item, "11_b", self.team("Quillwort"))
        for name in ("Umbellifer", "Juniper"):
            team = self.team(name)
            add_voice(contest=contest, team=team, user=team.members.get(), label="1", now=LATER)
        refresh_stale()

    def correct(self) -> None:
        """The organiser decides, and a release says what changed for whom."""
        decide(
            contest=Contest.objects.get(),
            choice="label",
            label="1",
            note="Agreed.",
            user=self.organiser,
            now=LATER,
        )
        self._pass(LATER)
        self._pass(phase_of(self.games, "score").next_cut_off_at)

    STEPS = (build, break_, score, publish_gold, correct)

    def _pass(self, now: dt.datetime) -> None:
        """It is that instant now, and the server has done what was due until then."""
        do_what_is_due(now)
        run(now)
        refresh_stale()
        self.now = now

    def _submit(self, system: str, files: Any, **more: Any) -> None:
        answer(self.systems[system], self.games, files, file_name=f"{system}.zip", **more)


def _system(team: str, name: str) -> System:
    made = create_team(name=team, founder=person(team.lower()), now=NOW)
    described = {"description": f"{name} by {team}.", "tags": [f"{name.lower()}-net"]}
    return System.objects.create(team=made, name=name, created_at=NOW, **described)


@pytest.fixture
def story(games: Benchmark, staff: User, monkeypatch: pytest.MonkeyPatch) -> Story:
    """Readers come when the step is over that they read of."""
    made = Story(games, staff)
    for module in ("accounts.server.clock", "breaking.development"):
        monkeypatch.setattr(f"{module}.database_now", lambda: made.now)
    return made


# What others read


def answers(story: Story, user: User | None) -> dict[str, tuple[int, bytes]]:
    """What is answered at every address that is no published page, filled in with what is others'."""
    browser, program = browser_of(user), client_of(user)
    found = {}
    for path in sorted(set(_addresses(story))):
        answered: Any = (program if path.startswith("/api/") else browser).get(path)
        head = "\n".join(f"{name}: {value}" for name, value in answered.headers.items())
        found[path] = answered.status_code, f"{head}\n\n".encode() + read(answered)
    return found


def _addresses(story: Story) -> Iterator[str]:
    ids = {
        "system": story.systems["Zaffre"].pk,
        "submission": Submission.objects.filter(system=story.systems["Zaffre"])
        .values_list("pk", flat=True)
        .first(),
        "team": story.team("Quillwort").pk,
        "pair_file": PairFile.objects.values_list("pk", flat=True).first(),
        "contest": Contest.objects.values_list("pk", flat=True).first(),
    }
    known: dict[str, Sequence[Any]] = {
        "benchmark": ["games"],
        "task": ["tone"],
        "split": list(Split.objects.filter(task__slug="tone").values_list("slug", flat=True)),
        "number": [1],
        "board": ["builders-tone"],
        "ending": ["csv"],
        **{name: [pk or "none"] for name, pk in ids.items()},
        "pk": [pk for pk in ids.values() if pk],
        "id": [pk for pk in ids.values() if pk],
    }
    for route in routes():
        names = re.findall(r"<(?:\w+:)?(\w+)>", route)
        if not route.startswith("admin/") and "rest" not in names:
            for chosen in itertools.product(*(known.get(name, ["none"]) for name in names)):
                yield "/" + re.sub(r"<[^>]+>", "{}", route).format(*chosen)
    if BreakerSet.objects.exists():
        yield ITEM


def leaks(story: Story, words: set[str]) -> list[tuple[str, str, str]]:
    """Where somebody else reads one of these words: who, at which address, and which."""
    seen = {"page": {path: (200, body) for path, body in published().items()}}
    seen |= {"nobody": answers(story, None), "watcher": answers(story, story.watcher)}
    found = [
        (who, path, word)
        for who, answered in seen.items()
        for path, (_, body) in answered.items()
        for word in words
        if word.lower() in (path + body.decode("utf-8", "replace")).lower()
    ]
    sent = "\n".join(f"{message.subject}\n{message.body}" for message in mail.outbox)
    return found + [("mail", "", word) for word in words if word.lower() in sent.lower()]


def play(story: Story, until: str) -> None:
    for step in story.STEPS:
        step(story)
        if step.__name__ == until:
            return


def test_no_name_of_a_builder_or_its_system_is_read_by_others_after_any_step(story):
    for step in story.STEPS:
        step(story)
        assert leaks(story, SECRET | {"Tarragona"} if step == Story.build else SECRET) == [], step.__name__
        assert Release.objects.exists()


def test_what_is_read_for_that_is_there(story):
    """Addresses that are nothing would give nothing away."""
    play(story, until="correct")
    nobody, watcher = answers(story, None), answers(story, story.watcher)
    for path in ("/benchmarks/games/pairs/", "/benchmarks/games/contests/", "/api/v1/benchmarks/games/"):
        assert nobody[path][0] == watcher[path][0] == 200, path
    for path in (ITEM, BLIND, f"/api/v1{BLIND}"):
        assert watcher[path][0] == 200, path
    assert {
        "/benchmarks/games/items/tone/tarragona/",
        "/benchmarks/games/releases/3.json",
    } <= published().keys()
    assert mail.outbox


@pytest.mark.parametrize("step", ["build", "correct"])
def test_published_pages_hold_no_id_of_a_system_a_team_or_a_submission(story, step):
    play(story, until=step)
    ids = [*System.objects.values_list("pk", flat=True), *Team.objects.values_list("pk", flat=True)]
    ids += Submission.objects.values_list("pk", flat=True)
    text = b"\n".join(path.encode() + body for path, body in published().items()).decode()
    assert [pk for pk in ids if str(pk)[:8] in text or pk.hex in text] == []
    assert not any(path.startswith("/systems/") for path in published())


def test_a_team_that_builds_and_breaks_is_named_as_a_breaker_only(story):
    play(story, until="correct")
    pages = published()
    boards = [json.loads(body) for path, body in pages.items() if path.endswith(".json")]
    rows = [row for board in boards for row in board.get("rows", []) if row["kind"] == "system"]
    assert {(row["team"], row["system_id"], *row["tags"]) for row in rows} == {("", None)}
    assert {row["system"] for row in rows} == {f"System {number}" for number in range(1, 6)}
    assert "Tarragona" in pages["/benchmarks/games/boards/breakers-tone/"].decode()


def test_whoever_is_not_counted_for_a_breaker_is_called_by_number(story):
    play(story, until="score")
    page = published()["/benchmarks/games/boards/breakers-tone/"].decode()
    numbers = "System \\d"
    assert re.search(f"Not counted, for want of predictions for the development data: {numbers}\\.", page)
    assert re.search(f"Not counted, for want of predictions for some of the sets: {numbers}\\.", page)


def test_contested_labels_name_breakers_and_call_builders_builders(story):
    play(story, until="publish_gold")
    status, body = answers(story, None)["/benchmarks/games/contests/"]
    assert status == 200
    page = " ".join(body.decode().split())
    assert "A builder," in page
    assert "Juniper for <code>1</code>, a builder for <code>1</code>" in page


# The test can fail: the same words, once it is lifted


@pytest.fixture
def lifted(story: Story) -> Story:
    play(story, until="correct")
    assert lift_anonymity(story.games)
    refresh_stale()
    return story


def test_once_it_is_lifted_every_kind_of_page_names_systems(lifted):
    pages = {path: body.decode() for path, body in published().items()}
    for path in (
        "/",
        "/benchmarks/games/",
        "/benchmarks/games/releases/",
        "/benchmarks/games/releases/1/",
        "/benchmarks/games.json",
        "/benchmarks/games/releases/2.json",
        "/benchmarks/games.csv",
        "/benchmarks/games.tex",
        "/benchmarks/games.md",
        "/benchmarks/games/feed.atom",
        "/benchmarks/games/embed/",
        "/benchmarks/games/boards/matrix-tone/",
        "/benchmarks/games/items/tone.json",
        "/benchmarks/games/items/tone/tarragona/",
        f"/systems/{lifted.systems['Zaffre'].pk}/",
    ):
        assert any(system in pages[path] for system in BUILDERS.values()), path
        assert "System 1" not in pages[path], path


def test_blind_predictions_bear_numbers_until_it_is_lifted(story):
    play(story, until="build")
    heads = ["id", *(f"System {number}" for number in range(1, 5))]
    assert _heads(story, BLIND) == _heads(story, f"/api/v1{BLIND}") == heads
    lift_anonymity(story.games)
    assert set(_heads(story, BLIND)) == {"id", *BUILT}


def _heads(story: Story, path: str) -> list[str]:
    _, body = answers(story, story.watcher)[path]
    _, _, table = body.decode().partition("\n\n")
    return table.splitlines()[0].split(",")


def test_once_it_is_lifted_contests_name_builders(lifted):
    body = answers(lifted, None)["/benchmarks/games/contests/"][1].decode()
    assert "Quillwort" in body
    assert "Umbellifer" in body
