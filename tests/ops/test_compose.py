"""The compose file: nothing open to the network, no default secret, and the private key in one place."""

import re
from typing import Any

import pytest
import yaml

from tests.ops.demos import ROOT

TEXT = (ROOT / "docker-compose.yml").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
LASTING = sorted(set(SERVICES) - {"migrate"})


def secrets_of(service: str) -> set[str]:
    return {one if isinstance(one, str) else one["source"] for one in SERVICES[service].get("secrets", [])}


def test_compose_runs_the_whole_server():
    assert set(SERVICES) == {"migrate", "web", "worker", "beat", "postgres", "rabbitmq"}


@pytest.mark.parametrize("service", LASTING)
def test_compose_looks_after_the_health_of_every_lasting_service(service):
    assert SERVICES[service]["healthcheck"]["test"]
    assert SERVICES[service]["restart"] == "unless-stopped"


def test_compose_gives_the_private_key_to_the_worker_alone():
    holders = {service for service in SERVICES if "gold_private_key" in secrets_of(service)}
    told = {
        service
        for service, one in SERVICES.items()
        if "HELDOUT_GOLD_PRIVATE_KEY_FILE" in one.get("environment", {})
    }

    assert holders == told == {"worker"}


def test_compose_gives_each_signing_key_to_those_who_sign_with_it():
    holders = {
        name: {service for service in SERVICES if name in secrets_of(service)}
        for name in ("log_key", "receipt_key")
    }
    assert holders == {"log_key": {"worker"}, "receipt_key": {"web"}}


def test_the_worker_has_the_files_that_its_sweeps_and_reproduce_read():
    assert "uploads:/data/uploads" in SERVICES["worker"]["volumes"]
    assert "uploads:/data/uploads" in SERVICES["web"]["volumes"]


def test_compose_listens_on_this_machine_alone():
    ports = [port for one in SERVICES.values() for port in one.get("ports", [])]

    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_compose_has_no_default_for_anything_that_must_be_chosen():
    defaults = dict(re.findall(r"\$\{(\w+):-([^}]*)\}", TEXT))

    assert defaults == {"HELDOUT_PROXIES": "1", "HELDOUT_PORT": "8000", "HELDOUT_SECRETS": "./secrets"}


def test_compose_keeps_every_secret_in_a_file():
    values = [f"{value}" for one in SERVICES.values() for value in one.get("environment", {}).values()]

    assert all("file" in secret for secret in COMPOSE["secrets"].values())
    assert not [value for value in values if "://" in value and "@" in value]
    for one in SERVICES.values():
        secret_names = [name for name in one.get("environment", {}) if re.search("PASS|SECRET|URL$", name)]
        assert all(name.endswith("_FILE") or name == "HELDOUT_SITE_URL" for name in secret_names)


def test_compose_mounts_only_secrets_that_it_declares():
    assert set().union(*map(secrets_of, SERVICES)) == set(COMPOSE["secrets"])


def test_compose_starts_nothing_before_the_database_is_up_to_date():
    for service in ("web", "worker", "beat"):
        assert SERVICES[service]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
