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
    assert set(SERVICES) == {
        *("proxy", "migrate", "web", "web-2", "score", "sweep", "beat", "postgres", "rabbitmq"),
    }


@pytest.mark.parametrize("service", LASTING)
def test_compose_looks_after_the_health_of_every_lasting_service(service):
    assert SERVICES[service]["healthcheck"]["test"]
    assert SERVICES[service]["restart"] == "unless-stopped"


def test_compose_gives_the_private_key_to_workers_alone():
    holders = {service for service in SERVICES if "gold_private_key" in secrets_of(service)}
    told = {
        service
        for service, one in SERVICES.items()
        if "HELDOUT_GOLD_PRIVATE_KEY_FILE" in one.get("environment", {})
    }

    assert holders == told == {"score", "sweep"}


def test_compose_gives_each_signing_key_to_those_who_sign_with_it():
    holders = {
        name: {service for service in SERVICES if name in secrets_of(service)}
        for name in ("log_key", "receipt_key")
    }
    assert holders == {"log_key": {"score", "sweep"}, "receipt_key": {"web", "web-2"}}


def test_compose_lets_the_proxy_alone_be_reached():
    assert [service for service, one in SERVICES.items() if "ports" in one] == ["proxy"]


def test_compose_gives_the_proxy_all_that_its_configuration_asks_for():
    template = (ROOT / "deploy/nginx/nginx.conf.template").read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+)\}", template))
    environment = SERVICES["proxy"]["environment"]
    assert asked == {name for name in environment if not name.startswith("NGINX_")}
    assert all(re.match(environment["NGINX_ENVSUBST_FILTER"], name) for name in asked)


def test_compose_bounds_what_each_lasting_service_takes_of_memory_and_logs():
    for service in LASTING:
        assert SERVICES[service]["mem_limit"]
        assert SERVICES[service]["logging"]["options"]["max-size"]


def test_compose_lets_scoring_keep_nothing_else_waiting():
    queues = {
        service: one["command"].split("-Q ")[1].split()[0]
        for service, one in SERVICES.items()
        if "celery -A" in str(one.get("command")) and "-Q" in one["command"]
    }
    assert queues == {"score": "celery", "sweep": "sweep"}


def test_compose_gives_uploads_to_whoever_removes_or_reads_them_again():
    assert {
        service
        for service, one in SERVICES.items()
        if any("uploads:" in volume for volume in one.get("volumes", []))
    } == {
        *("web", "web-2", "score", "sweep"),
    }


def test_compose_has_no_default_for_anything_that_must_be_chosen():
    defaults = dict(re.findall(r"\$\{(\w+):-([^}]*)\}", TEXT))

    assert defaults == {
        "HELDOUT_PROXIES": "1",
        "HELDOUT_BASE_IMAGE": "python:3.11-slim-trixie",
        "HELDOUT_HTTP_PORT": "80",
        "HELDOUT_HTTPS_PORT": "443",
        "HELDOUT_SECRETS": "./secrets",
        "HELDOUT_TLS_FOLDER": "./tls",
        "HELDOUT_ACME_FOLDER": "./acme",
        "HELDOUT_BACKUPS": "./backups",
    }


def test_compose_tells_every_process_where_uploads_are_kept():
    told = {
        service
        for service, one in SERVICES.items()
        if "HELDOUT_UPLOADS_URL_FILE" in one.get("environment", {})
    }
    assert told == {service for service in SERVICES if "uploads_url" in secrets_of(service)}
    assert told == {"migrate", "web", "web-2", "score", "sweep", "beat"}


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
    for service in ("web", "web-2", "score", "sweep", "beat"):
        assert SERVICES[service]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
