"""Fixtures that several packages share: personas, a small benchmark, gold labels and keys."""

import copy
import datetime as dt
import functools
import gc
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import caches
from django.db import connection
from django.urls import get_resolver
from hypothesis import settings as hypothesis_settings

from accounts.models import Team, User
from accounts.server.append_only_triggers import create_statements, drop_statements
from accounts.services import create_team
from accounts.sign_in.addresses import confirm_address
from benchmarks.models import Benchmark, FactList, Phase
from benchmarks.services import sync_benchmark
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from leaderboard.publication.paired_test_schedule import finished_releases
from scoring.gold.alignment import _places, opened_version
from scoring.gold.holdout_split import items_of_part, places_of_part
from scoring.gold.versions import load_gold
from scoring.item_sets.equity import _pairs_of
from submissions.intake.sealing import KeyPair, generate_keypair
from submissions.models import System
from submissions.uploads.expected_splits import item_ids
from tests.at_length import examples
from tests.cases import renamed_view, write_cases
from tests.database_roles import have_roles
from tests.migrated import copy_tables
from tests.stage import Stage, first_those_on_stage, stands_on_stage
from tests.written_once import WrittenOnce
from transparency.core.signed_notes import Signer
from transparency.keys import KeyRole, write_signing_key

# How long an example takes is a matter of the machine, and says nothing about the code.
hypothesis_settings.register_profile("unhurried", deadline=None, max_examples=examples(100))
hypothesis_settings.load_profile("unhurried")

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"
NOW = dt.datetime(2026, 11, 18, 12, 0, tzinfo=dt.UTC)  # a Wednesday
GUARDED = (
    "scoring_goldversion",
    "scoring_sealedlabels",
    "scoring_score",
    "scoring_disclosed",
    "scoring_finalanswer",
    "scoring_judgedanswer",
    "scoring_toldanswer",
    "leaderboard_release",
    "leaderboard_releasecell",
    "leaderboard_releasehead",
    "leaderboard_releaseplace",
    "benchmarks_terms",
    "benchmarks_writtenversion",
    "benchmarks_itemrenewal",
    "benchmarks_acceptance",
    "accounts_auditentry",
    "accounts_accountevent",
    "labelling_answer",
    "labelling_exclusion",
    "labelling_outcome",
    "labelling_sealedoutcome",
    "transparency_logentry",
    "transparency_checkpoint",
)

TOY_DEFINITION = """
id: toy
title: Toy
summary: Two small tasks.
url: https://example.org/toy
citation: Nobody, 2026.
bundle: {files: complete, root: data/, also_allowed: [README.md]}
task_defaults:
  instructions: Say what it is.
  licence: CC0
  citation: Nobody, 2026.
  file: {path: "data/{task}/predictions.csv", id_column: ID, label_column: Label}
  metrics: [{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}]
tasks:
  - {id: mood, code: MOO, title: Mood, summary: "Good or bad?", test_size: 6, labels: [bad, good]}
  - {id: colour, code: COL, title: Colour, summary: "Which colour?", test_size: 4, labels: [red, green, dark blue]}
averages: [{id: overall, title: Overall, of: all tasks, missing: unranked}]
reported:
  - {system: Human, kind: human, source: "Nobody, 2026", values: {overall: 0.75, mood: 0.8, colour: 0.7}}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 5}
    counting: latest
    publish_automatically: true
"""

TOY_GOLD = {
    "mood": b"ID,Label\nm1,good\nm2,good\nm3,bad\nm4,bad\nm5,good\nm6,bad\n",
    "colour": b"ID,Label\nc1,red\nc2,green\nc3,dark blue\nc4,red\n",
}


STAGE = Stage()


DATABASE = {"db", "transactional_db", "django_db_setup"}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays, so nothing is looked through for garbage meanwhile: that was a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Those on a stage come first; on PostgreSQL, those that use no database or need SQLite are left out."""
    if connection.vendor != "sqlite":
        left_out = [test for test in items if not _is_for_postgres(test)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [test for test in items if test not in set(left_out)]
    items[:] = first_those_on_stage(items)
    gc.collect()
    gc.freeze()  # modules and tests stay: not looked through for garbage at every turn


def _is_for_postgres(test: pytest.Item) -> bool:
    uses_database = test.get_closest_marker("django_db") or DATABASE & set(getattr(test, "fixturenames", ()))
    return bool(uses_database) and test.get_closest_marker("sqlite") is None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    STAGE.make_way_for(item)


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, django_db_modify_db_settings: None) -> bool:
    """On SQLite the tables are there already, as a copy; what is new in them is migrated."""
    if connection.vendor != "sqlite":
        return bool(request.config.getoption("reuse_db"))
    copy_tables(Path(connection.settings_dict["TEST"]["NAME"]))
    return True


@pytest.fixture(scope="session")
def made_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cases(tmp_path_factory.mktemp("made-cases"))


@pytest.fixture(scope="session")
def published_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return renamed_view(CASES, tmp_path_factory.mktemp("published-cases"))


PUBLISHED = [pytest.param("published", marks=pytest.mark.published)] if CASES.is_dir() else []


@pytest.fixture(scope="module", params=["made", *PUBLISHED])
def cases(request: pytest.FixtureRequest) -> Path:
    """Gold labels and predictions with the official scorers' numbers: made up, and once more those of ../shared/cases.

    Those are published and no part of the project; see tests/cases.
    """
    folder: Path = request.getfixturevalue(f"{request.param}_cases")
    return folder


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The test runner empties tables after tests with real transactions; the append-only triggers must let it."""
    with django_db_blocker.unblock():
        if (vendor := connection.vendor) == "postgresql":
            have_roles()
    flush = connection.ops.__class__.sql_flush

    def flush_past_the_triggers(self: Any, style: Any, tables: Any, **options: Any) -> list[str]:
        drop = [sql for table in GUARDED for sql in drop_statements(vendor, table)]
        create = [sql for table in GUARDED for sql in create_statements(vendor, table)]
        return [*drop, *flush(self, style, tables, **options), *create]

    setattr(connection.ops.__class__, "sql_flush", flush_past_the_triggers)  # noqa: B010  # patched for the session


class Salts:
    """Salts of gold labels in the order they are drawn: the same in every run, whatever a test is called.

    Intervals, and what a board says of chance, follow from the salt: on few items, a test of them would fail now and
    then if it were new in every run.
    """

    def __init__(self) -> None:
        self.drawn = 0

    def draw(self, size: int) -> bytes:
        """The next salt: `size` bytes, at most 32."""
        self.drawn += 1
        return sha256(b"salt %d" % self.drawn).digest()[:size]


SALTS = Salts()
WRITTEN = WrittenOnce(SALTS)


@pytest.fixture(scope="session", autouse=True)
def _views_with_the_true_clock() -> None:
    """Views come with the first request: one made under a test's clock would keep that clock for all later tests."""
    get_resolver().url_patterns  # noqa: B018


@pytest.fixture(scope="session", autouse=True)
def _salts_of_the_tests() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("submissions.intake.sealing.random_bytes", SALTS.draw)
        yield


@pytest.fixture(scope="module", autouse=True)
def _salts_of_the_stage() -> None:
    """A stage begins with the first salt."""
    SALTS.drawn = 0


@pytest.fixture(autouse=True)
def _salts_of_the_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test begins with the first salt after those of its stage."""
    SALTS.drawn = before = SALTS.drawn if stands_on_stage(request.node) else 0
    yield
    SALTS.drawn = before


@pytest.fixture(autouse=True)
def _fresh_caches() -> Iterator[None]:
    """Row numbers start anew after a flush, so nothing keyed by them may outlive a test."""
    yield
    for cache in caches.all(initialized_only=True):
        cache.clear()  # counts of attempts, which limit how often a password is tried
    finished_releases.clear()
    item_ids.cache_clear()
    opened_version.cache_clear()
    _places.cache_clear()
    items_of_part.cache_clear()
    places_of_part.cache_clear()
    _pairs_of.cache_clear()


@pytest.fixture(scope="session")
def keypair() -> KeyPair:
    return generate_keypair()


@pytest.fixture(scope="module")
def stage(
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
    keypair: KeyPair,
) -> Iterator[None]:
    """What fixtures of scope "module" write from here on is there for every test that uses them; see tests/stage.py."""
    with STAGE.set_up(tmp_path_factory.mktemp("stage"), keypair, django_db_blocker):
        yield


@pytest.fixture
def gold_keys(settings: Any, tmp_path: Path, keypair: KeyPair) -> KeyPair:
    """This process may seal and open gold labels."""
    private = tmp_path / "gold.private"
    private.write_text(keypair.private)
    settings.GOLD_PUBLIC_KEY = keypair.public
    settings.GOLD_PRIVATE_KEY_FILE = str(private)
    return keypair


@pytest.fixture(autouse=True)
def _own_folders(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.REPAIRS_DIR = tmp_path / "repairs"
    STAGE.copy_uploads(settings.MEDIA_ROOT)


def person(name: str, **extra: Any) -> User:
    """Somebody who has confirmed their address."""
    user = User.objects.create_user(f"{name}@example.org", f"{name}-password", name=name.title(), **extra)
    confirm_address(user)
    return user


# They and their like are made when they are first asked for.


def the_owner() -> User:
    return User.objects.filter(email="owner@example.org").first() or person("owner")


def the_team(founder: User | None = None) -> Team:
    found = Team.objects.filter(name="North").first()
    return found or create_team(name="North", founder=founder or the_owner(), now=NOW)


def the_system(team: Team | None = None) -> System:
    team = team or the_team()
    found = team.systems.filter(name="Larch").first()
    return found or System.objects.create(team=team, name="Larch", created_at=NOW)


def the_toy() -> Benchmark:
    if found := Benchmark.objects.filter(pk="toy").first():
        return found
    WRITTEN.write(_make_toy)
    return Benchmark.objects.get(pk="toy")


def _make_toy() -> None:
    for task in synced(TOY_DEFINITION).tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name=f"{task.slug}.csv", now=NOW)


def the_games() -> Benchmark:
    if found := Benchmark.objects.filter(pk="games").first():
        return found
    WRITTEN.write(_make_games)
    return Benchmark.objects.get(pk="games")


def _make_games() -> None:
    from tests.games import make_games

    make_games(synced)


def the_fact_lists(toy: Benchmark) -> list[FactList]:
    asked = {"algorithms": ["SVM/SVR", "LSTM", "Bi-LSTM"], "lexicons": ["AFINN", "NRC Hashtag"]}
    return list(toy.fact_lists.order_by("position")) or [
        FactList.objects.create(
            benchmark=toy, slug=slug, title=slug.title(), options=options, position=position
        )
        for position, (slug, options) in enumerate(asked.items())
    ]


@functools.cache
def _parsed(text: str) -> dict[str, Any]:
    return parse_yaml(text, "test.yaml")


def synced(text: str) -> Benchmark:
    """The benchmark of that YAML text; each text is parsed once, for most tests begin with one of a few."""
    document = copy.deepcopy(_parsed(text))
    spec = build_spec(document, "test.yaml")
    sync_benchmark(spec=spec, document=document, position=0, now=NOW)
    return Benchmark.objects.get(pk=spec.id)


@pytest.fixture
def owner(db: None) -> User:
    """Founder of the team."""
    return the_owner()


@pytest.fixture
def teammate(db: None, team: Team) -> User:
    user = person("teammate")
    team.memberships.create(user=user, joined_at=NOW)
    return user


@pytest.fixture
def outsider(db: None) -> User:
    """Signed in, in no team."""
    return person("outsider")


@pytest.fixture
def staff(db: None) -> User:
    """Site staff with full rights."""
    return person("staff", is_staff=True, is_superuser=True)


@pytest.fixture
def team(owner: User) -> Team:
    return the_team(owner)


@pytest.fixture
def system(team: Team) -> System:
    return the_system(team)


@pytest.fixture
def sync(db: None) -> Callable[[str], Benchmark]:
    """Sync a benchmark from YAML text."""
    return synced


@pytest.fixture
def toy(db: None, gold_keys: KeyPair) -> Benchmark:
    """A benchmark of two tasks with its gold labels loaded."""
    return the_toy()


@pytest.fixture
def phase(toy: Benchmark) -> Phase:
    return toy.phases.get(slug="main")


@pytest.fixture
def games(db: None, gold_keys: KeyPair) -> Benchmark:
    """A benchmark with the phases build, break and score, before anything was handed in; see tests/games.py."""
    return the_games()


@pytest.fixture(scope="module")
def sent(stage: None) -> None:
    """An accepted upload of the owner's."""
    from tests.weeks import upload

    upload(the_system(), the_toy().phases.get())


@pytest.fixture(scope="module")
def played(stage: None) -> None:
    """The games are over and their labels public; see tests/contested.py."""
    from tests.contested import play

    play(the_games(), the_system())


@pytest.fixture
def over(played: None, games: Benchmark) -> Benchmark:
    """The games once labels are public."""
    return games


@pytest.fixture
def fact_lists(toy: Benchmark) -> list[FactList]:
    """Two lists of a fact sheet that the toy benchmark asks of every system."""
    return the_fact_lists(toy)


@pytest.fixture
def signers(settings: Any, tmp_path: Path) -> dict[KeyRole, Signer]:
    """A key for each role, given to this process."""
    made = {role: Signer.generate(f"heldout.test/{role.value}") for role in KeyRole}
    for role, signer in made.items():
        path = tmp_path / f"{role.value}.private"
        write_signing_key(path, signer)
        setattr(settings, role.file_setting, str(path))
        setattr(settings, role.public_setting, str(signer.verifier))
    return made


@pytest.fixture
def raft_definition() -> str:
    return (Path(django_settings.BASE_DIR) / "benchmarks" / "definitions" / "raft.yaml").read_text("utf-8")
