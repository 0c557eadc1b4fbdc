"""Servers for fault tests, and a private RabbitMQ node."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from submissions.intake.sealing import KeyPair
from tests.at_length import AT_LENGTH
from tests.faults.rabbit import Rabbit, find_rabbitmq
from tests.faults.server import Server
from tests.postgres import Cluster, temporary_cluster

SUBMISSIONS = 120 if AT_LENGTH else 40
# These bring a SQLite file of their own; a round on PostgreSQL would only repeat them.
collect_ignore = (
    []
    if connection.vendor == "sqlite"
    else [
        "test_broker_loss.py",
        "test_crowd_kills.py",
        "test_cut_off.py",
        "test_feedback_kills.py",
        "test_machines.py",
        "test_proxy.py",
        "test_slow_clients.py",
        "test_stopped_processes.py",
        "test_worker_kills.py",
    ]
)


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory, keypair: KeyPair) -> Path:
    """The folder of a server whose cut-off has just come: its submissions are taken, nothing scored yet."""
    data = tmp_path_factory.mktemp("scene") / "data"
    Server(data, keypair).run("-m", "tests.faults.scene", str(SUBMISSIONS))
    return data


@pytest.fixture(scope="session")
def clean_scores(
    scene: Path, tmp_path_factory: pytest.TempPathFactory, keypair: KeyPair
) -> list[tuple[str, ...]]:
    """What one undisturbed process makes of the scene."""
    data = tmp_path_factory.mktemp("clean") / "data"
    shutil.copytree(scene, data)
    server = Server(data, keypair)
    server.run("manage.py", "run_due")
    return all_scores(server)


# Of runs: what came in later is scored ahead of its own cut-off.
OF_A_BATCH = "submission_id IN (SELECT submission_id FROM scoring_batchentry)"


def all_scores(server: Server) -> list[tuple[str, ...]]:
    """Every score of a batch with the submission and the split that it belongs to, to the last bit."""
    rows = server.rows(
        "SELECT run.submission_id, run.split_id, score.metric, score.stratum, score.undefined, "  # noqa: S608  # OF_A_BATCH is a constant above
        "score.value FROM scoring_score score JOIN scoring_scoringrun run "
        f"ON run.id = score.run_id WHERE {OF_A_BATCH}"
    )
    return sorted((str(submission).replace("-", ""), *rest, repr(value)) for submission, *rest, value in rows)


@pytest.fixture
def start_server(scene: Path, tmp_path: Path, keypair: KeyPair) -> Iterator[Callable[..., Server]]:
    """A copy of the scene as a server of its own; every process of it ends with the test."""
    servers: list[Server] = []

    def _start(**environment: str) -> Server:
        data = tmp_path / "server" / "data"
        shutil.copytree(scene, data)
        servers.append(Server(data, keypair, **environment))
        return servers[-1]

    yield _start
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server of its own; each test makes its database in it."""
    with temporary_cluster() as started:
        yield started


@pytest.fixture(scope="session")
def both(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory, keypair: KeyPair) -> Path:
    """The folder of a server over PostgreSQL with two benchmarks that take submissions; its database is `both`."""
    data = tmp_path_factory.mktemp("both") / "data"
    url = cluster.make_database("both")
    Server(data, keypair, HELDOUT_DATABASE_URL=url).run("-m", "tests.faults.scene", "both")
    return data


@pytest.fixture
def installed(
    cluster: Cluster, both: Path, rabbit: Rabbit, tmp_path: Path, keypair: KeyPair
) -> Iterator[Callable[..., Server]]:
    """A server as it is installed, over PostgreSQL and RabbitMQ; every process of it ends with the test."""
    servers: list[Server] = []

    def _start(**environment: str) -> Server:
        name = f"{tmp_path.name}-{len(servers)}"
        shutil.copytree(both, tmp_path / name / "data")
        over = {
            "HELDOUT_DATABASE_URL": cluster.make_database(name, like="both"),
            "HELDOUT_BROKER_URL": rabbit.url,
        }
        servers.append(Server(tmp_path / name / "data", keypair, **over | environment))
        return servers[-1]

    yield _start
    for server in servers:
        server.stop()


@pytest.fixture
def rabbit(tmp_path: Path) -> Iterator[Rabbit]:
    """A RabbitMQ node of its own on free ports of the loopback interface."""
    program = find_rabbitmq()
    if program is None:
        pytest.skip("rabbitmq-server is not installed: scoring over RabbitMQ is NOT tested")
    node = Rabbit(program, tmp_path / "rabbit")
    try:
        node.start()
        yield node
    finally:
        node.stop()
