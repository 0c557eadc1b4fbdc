"""People of the admin, and a benchmark in the middle of its life."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from accounts.audit.log import record
from accounts.models import Team, User
from benchmarks.models import Attack, Benchmark, GivenFile, ParticipantQuestion, Phase
from benchmarks.notices.models import Announcement, Mailing, Terms, WrittenPage, WrittenVersion
from benchmarks.people.models import Role, RoleInvitation
from breaking.models import BreakerSet, Contest, Pair, PairFile, StarterData
from leaderboard.models import Release, WatchReport, Webhook
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import publish
from scoring.models import Batch, GoldVersion, PairSet, ResponseSet
from scoring.queue.batches import close_due, close_now, finish_batches
from scoring.queue.runs import score_all_due
from submissions.exceptions import UploadRefused
from submissions.fact_sheets.services import save_fact_sheet
from submissions.models import Refusal, Submission, System
from submissions.participants import Ban, RowClaim, TeamRegistration
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, TOY_DEFINITION, person, the_fact_lists, the_owner, the_system, the_toy
from tests.crowds import hired, new_campaign
from tests.people import appoint
from tests.uploads import toy_zip

CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
LATER = CUT_OFF + dt.timedelta(hours=1)
PRESENT = CUT_OFF + dt.timedelta(hours=3)
CLOCKS = (
    "benchmarks.admin.asks",
    "benchmarks.admin.announcements",
    "scoring.admin.definition",
    "leaderboard.admin.new_task.wizard",
    "scoring.admin.phases",
    "scoring.admin.submissions.tables",
    "leaderboard.admin.benchmarks",
    "leaderboard.admin.releases.batches",
    "leaderboard.admin.dashboard",
    "leaderboard.admin.home.page",
    "leaderboard.admin.home.participant_page",
    "leaderboard.mail.admin",
)


@pytest.fixture(autouse=True)
def _present(monkeypatch: pytest.MonkeyPatch) -> None:
    """The admin looks at the clock when all of `World` has just happened."""
    for module in CLOCKS:
        monkeypatch.setattr(f"{module}.database_now", lambda: PRESENT)


@pytest.fixture
def organiser(toy: Benchmark) -> User:
    """Runs the toy benchmark and has no permission rows."""
    user = person("organiser")
    appoint(toy, user)
    return user


@pytest.fixture
def keeper(toy: Benchmark) -> User:
    """Owns the toy benchmark."""
    return with_role(toy, Role.OWNER)


@pytest.fixture
def annotator(toy: Benchmark) -> User:
    """Votes on contested labels of the toy benchmark."""
    return with_role(toy, Role.ANNOTATOR)


@pytest.fixture
def onlooker(toy: Benchmark) -> User:
    """Reads the organisers' pages of the toy benchmark."""
    return with_role(toy, Role.READER)


def with_role(benchmark: Benchmark, role: Role) -> User:
    user = person(role.value if role != Role.OWNER else "keeper")
    appoint(benchmark, user, role)
    return user


@pytest.fixture
def stranger(sync: Callable[[str], Benchmark], toy: Benchmark) -> User:
    """Runs another benchmark."""
    other = sync(TOY_DEFINITION.replace("id: toy", "id: other"))
    user = person("stranger")
    appoint(other, user)
    return user


@pytest.fixture
def clerk(db: None) -> User:
    """Staff without any benchmark."""
    return person("clerk", is_staff=True)


@dataclass
class World:
    """A release, a batch that waits for its release, a submission that waits for its cut-off, and a refusal."""

    phase: Phase
    release: Release
    scored: Batch
    published: Submission
    unpublished: Submission
    waiting: Submission
    refusal: Refusal


def submit(system: System, phase: Phase, user: User, received_at: dt.datetime, **labels: str) -> Submission:
    receipt = submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=user,
            data=toy_zip(**labels),
            file_name=f"{system.name.lower()}.zip",
            received_at=received_at,
        )
    )
    return receipt.submission


@pytest.fixture
def world(written: World, db: None) -> World:
    """Rows of its own for every test."""
    return World(*(type(row).objects.get(pk=row.pk) for row in vars(written).values()))


@pytest.fixture(scope="module")
def written(stage: None) -> World:
    toy, system, owner = the_toy(), the_system(), the_owner()
    phase = toy.phases.get()
    the_fact_lists(toy)
    save_fact_sheet(
        system=system,
        benchmark=phase.benchmark,
        answers={"algorithms": ["LSTM"], "lexicons": []},
        user=owner,
        now=NOW,
    )
    GivenFile.objects.create(benchmark=phase.benchmark, name="train.csv")
    appoint(toy, person("librarian"), Role.READER)
    RoleInvitation.objects.create(
        benchmark=toy, address="new@example.org", role=Role.ORGANISER, invited_at=NOW
    )
    ParticipantQuestion.objects.create(benchmark=toy, asked_by=owner, asked_at=NOW, text="Are emojis kept?")
    Phase.objects.filter(pk=phase.pk).update(publish_automatically=False)
    phase.refresh_from_db()
    published = submit(system, phase, owner, NOW)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    watch_batches(CUT_OFF)
    release = publish(batch=Batch.objects.get(), now=CUT_OFF)
    phase.refresh_from_db()
    unpublished = submit(system, phase, owner, LATER, mood="good good good bad good bad")
    scored = close_now(phase=phase, now=LATER)
    assert scored is not None
    score_all_due(LATER)
    finish_batches(LATER)
    watch_batches(LATER)
    waiting = submit(system, phase, owner, LATER + dt.timedelta(hours=1), mood="bad bad bad bad good bad")
    with pytest.raises(UploadRefused):
        submit(system, phase, owner, LATER, mood="good good sad bad good bad")
    Webhook.objects.create(benchmark=toy, url="https://chat.example/hook", made_at=NOW, looked_until=NOW)
    Ban.objects.create(benchmark=toy, person=person("banned"), reason="Twice there.", banned_at=NOW)
    TeamRegistration.objects.create(benchmark=toy, team=system.team, asked_by=owner, asked_at=NOW)
    RowClaim.objects.create(
        benchmark=toy,
        system_there="Ash",
        team_there="Grove",
        date="2023-01-09",
        team=system.team,
        asked_by=owner,
        asked_at=NOW,
    )
    PairSet.objects.create(
        split=phase.benchmark.tasks.get(slug="mood").splits.get(),
        comparison="gender",
        title="Gender",
        number=1,
        first="she",
        second="he",
        packed=b"",
        pair_count=2,
        item_count=4,
        sha256="0" * 64,
        file_name="gender.csv",
        uploaded_at=NOW,
    )
    gold = GoldVersion.objects.get(split__task__benchmark=phase.benchmark, split__task__slug="mood")
    ResponseSet.objects.create(
        split=gold.split,
        number=1,
        gold_version=gold,
        sealed=b"",
        commitment="0" * 64,
        item_count=2,
        response_count=10,
        report={
            "classes": {"good": 1, "no majority": 1},
            "responses": {"good": 5, "bad": 5},
            "largest": {"3": 1, "2": 1},
            "kappa": None,
            "workers": [{"worker": "w1", "responses": 2, "compared": 1, "agreed": 1}],
            "never_disagreeing": 1.0,
            "beyond_rule": [],
            "to_collect_again": [],
        },
        human={"seed": 1, "items": 1, "labels": {}, "macro": {"precision": 1.0, "recall": 1.0, "f1": 1.0}},
        file_name="responses.jsonl",
        loaded_at=NOW,
    )
    WatchReport.objects.filter(batch=release.batch).update(
        findings=[{"kind": "shared_member", "teams": []}], finding_count=1, seen_at=NOW
    )
    Attack.objects.create(benchmark=phase.benchmark, slug="spelling", title="Spelling", changed_at=NOW)
    Contest.objects.create(split=gold.split, item="m1", reason="It is bad.", raised_at=NOW, status="kept")
    break_split(gold, system.team)
    hired(new_campaign(toy), 1)
    record(row=phase, kind="change", by="admin", benchmark=phase.benchmark_id, changes=[("quota", "4", "5")])
    tell(phase.benchmark, owner)
    for one in (published, unpublished, scored):
        one.refresh_from_db()
    return World(phase, release, scored, published, unpublished, waiting, Refusal.objects.get())


def tell(benchmark: Benchmark, user: User) -> None:
    """Rows of everything that organisers tell people; terms without text, which ask for nothing."""
    Terms.objects.create(benchmark=benchmark, version=1, written_at=NOW)
    Announcement.objects.create(
        benchmark=benchmark, title="News", text="Text.", published_at=NOW, changed_at=NOW
    )
    page = WrittenPage.objects.create(benchmark=benchmark, slug="data")
    WrittenVersion.objects.create(
        page=page, number=1, title="Data", text="Text.", written_at=NOW, written_by=user
    )
    Mailing.objects.create(
        benchmark=benchmark,
        audience="submitted",
        subject="News",
        text="Text.",
        written_by=user,
        confirmed_at=NOW,
    )


def break_split(gold: GoldVersion, team: Team) -> None:
    """Rows of everything that breakers have."""
    task = gold.split.task
    file = PairFile.objects.create(
        task=task,
        phase=task.benchmark.phases.get(),
        team=team,
        breaker=team.name,
        received_at=NOW,
        file_name="pairs.csv",
        file_digest="0" * 64,
        sealed=b"",
        key_fingerprint="",
        commitment="0" * 64,
        pair_count=1,
    )
    Pair.objects.create(
        pair_file=file,
        position=0,
        line=2,
        original_item="m1",
        changed_item="m2",
        original_id="m1",
        original_text="It is good.",
        changed_text="It is bad.",
        character_edits=4,
        token_edits=1,
        token_count=4,
    )
    BreakerSet.objects.create(split=gold.split, pair_file=file, made_at=NOW)
    StarterData.objects.create(
        task=task,
        header=["id", "text", "label"],
        packed=b"",
        sha256="0" * 64,
        item_count=1,
        file_name="starter.csv",
        loaded_at=NOW,
    )
