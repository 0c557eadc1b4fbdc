"""With and without Docker the same server is installed: the units say what docker-compose.yml says."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from deploy.units import ServiceUnit, settings_of
from tests.ops.demos import ROOT
from tests.ops.test_compose import COMPOSE, SERVICES

UNITS = ROOT / "deploy/systemd"
INSTALL = (ROOT / "deploy/install").read_text("utf-8")
NAMES = {
    "web": "heldout-web@8001.service",
    "web-2": "heldout-web@8002.service",
    "score": "heldout-score.service",
    "sweep": "heldout-sweep.service",
    "beat": "heldout-beat.service",
    "migrate": "heldout-migrate.service",
    "proxy": "nginx-heldout.service",
}
OURS = sorted(set(NAMES) - {"proxy"})
OF_PLACE = {"--host", "--port", "--hostname", "--schedule"}
"""Options that differ between a machine of one's own and a container."""
FOLDERS = {"/data": "/var/lib/heldout", "/backups": "/var/backups/heldout"}


def unit_of(service: str) -> ServiceUnit:
    return ServiceUnit(NAMES[service], Path("/"), settings_of(NAMES[service], UNITS))


def environment_of(unit: ServiceUnit) -> dict[str, str]:
    """Without what `deploy/install` writes into files."""
    words = [word for value in unit.settings.get("Environment", []) for word in shlex.split(value)]
    return dict(word.split("=", 1) for word in words)


def written(file: str) -> dict[str, str]:
    """What `deploy/install` writes into a file of settings."""
    text = INSTALL.split(f'cat > "$etc/{file}" <<ENV\n')[1].split("\nENV\n")[0]
    found = dict(re.findall(r"^([A-Z][A-Z0-9_]+)=(.*)$", text, flags=re.MULTILINE))
    keys = ("GOLD", "LOG", "RECEIPT")
    return found | ({f"HELDOUT_{key}_PUBLIC_KEY": "…" for key in keys} if "public_keys" in text else {})


def in_image() -> dict[str, str]:
    """What the Dockerfile sets for the processes."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    told = " ".join(re.findall(r"^ENV (.*)$", text, flags=re.MULTILINE))
    return dict(word.split("=", 1) for word in told.split())


def plain(value: Any) -> str | None:
    """A value that is the same wherever it is said; None for a path, an address or what is asked for."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", str(value))
    return None if re.search(r"[$/%…]", text) else text


@pytest.mark.parametrize("service", OURS)
def test_the_same_is_set_for_each_process(service):
    composed = in_image() | SERVICES[service]["environment"]
    united = environment_of(unit_of(service)) | written("heldout.env")

    assert set(united) == set(composed)
    both = {name: (plain(composed[name]), plain(united[name])) for name in united}
    assert {name: pair for name, pair in both.items() if None not in pair and pair[0] != pair[1]} == {}


def test_the_same_is_set_for_the_proxy():
    composed = {name for name in SERVICES["proxy"]["environment"] if not name.startswith("NGINX_")}

    assert set(environment_of(unit_of("proxy")) | written("proxy.env")) - {"HELDOUT_PORTS"} == composed


def test_folder_of_copies_is_the_same_and_twice_as_large_as_what_the_proxy_keeps():
    """It looks every ten seconds at how much that is; where the folder is full it breaks answers off."""
    template = (ROOT / "deploy/nginx/nginx.conf.template").read_text("utf-8")
    ((most, free),) = re.findall(r"proxy_cache_path .* max_size=(\d+)m min_free=(\d+)m", template)
    united = " ".join(unit_of("proxy").settings["TemporaryFileSystem"])
    both = [" ".join(SERVICES["proxy"]["tmpfs"]), united]
    (composed, *others) = [int(re.findall(r"/cache:.*?size=(\d+)m", text)[0]) for text in both]
    assert others == [composed]
    assert composed >= 2 * int(most)
    assert int(free) < composed - int(most)


@pytest.mark.parametrize("service", OURS)
def test_each_process_is_given_the_same_secrets(service):
    given = {COMPOSE["secrets"][name]["file"].rpartition("/")[2] for name in SERVICES[service]["secrets"]}
    credentials = unit_of(service).credentials()

    assert {path.name for path in credentials.values()} == given
    read = {name: value for name, value in environment_of(unit_of(service)).items() if name.endswith("_FILE")}
    assert {value.removeprefix("%d/") for value in read.values()} == set(credentials)


def test_no_unit_but_those_that_score_or_publish_is_given_the_private_key():
    holders = {service for service in NAMES if "gold_private_key" in unit_of(service).credentials()}
    told = {
        service for service in NAMES if re.search("GOLD_(PRIVATE|KEY_RING)", str(unit_of(service).settings))
    }

    assert holders == told == {"score", "sweep"}


@pytest.mark.parametrize("service", OURS)
def test_each_process_is_started_with_the_same_words(service):
    text = SERVICES[service]["command"].strip().removeprefix('sh -c "').removesuffix('"')
    composed = [shlex.split(part) for part in text.split("&&")]

    assert [words(one) for one in unit_of(service).commands()] == [words(one) for one in composed]


def words(command: list[str]) -> list[str]:
    """A command without the place of its program and what is of its place."""
    told = [word for word in command if not word.endswith("/python") and word not in ("python", "-m")]
    return [
        word
        for before, word in zip(["", *told], told, strict=False)
        if not {before, word.partition("=")[0]} & OF_PLACE
    ]


@pytest.mark.parametrize("service", sorted(set(NAMES) - {"migrate"}))
def test_each_process_is_bounded_and_started_again_alike(service):
    unit, composed = unit_of(service), SERVICES[service]

    assert unit.one("MemoryMax").lower() == composed["mem_limit"]
    assert unit.one("TimeoutStopSec", "") == composed.get("stop_grace_period", "").removesuffix("s")
    assert (unit.one("Restart"), composed["restart"]) == ("always", "unless-stopped")
    assert unit.one("User") not in ("", "root")
    assert unit.settings["CapabilityBoundingSet"] in ([], ["CAP_NET_BIND_SERVICE"])


@pytest.mark.parametrize("service", OURS)
def test_each_process_may_write_to_the_same_folders(service):
    mounted = [volume.rpartition(":")[2] for volume in SERVICES[service].get("volumes", [])]
    expected = {re.sub("^(/data|/backups)", lambda found: FOLDERS[found[0]], path) for path in mounted} - {
        "ro"
    }

    assert set(" ".join(unit_of(service).settings.get("ReadWritePaths", [])).split()) == expected


def test_the_web_server_cannot_be_the_user_who_reads_the_key():
    users = {service: unit_of(service).one("User") for service in NAMES}

    assert users["score"] == users["sweep"]
    assert len({users[one] for one in ("web", "score", "beat", "migrate", "proxy")}) == 5


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The units as they are installed, with programs that systemd can find."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: the units are NOT read by systemd")
    root = tmp_path_factory.mktemp("root")
    shutil.copytree(UNITS, root / "etc/systemd/system")
    (root / "usr/lib/systemd").mkdir(parents=True)
    (root / "usr/lib/systemd/system").symlink_to("/usr/lib/systemd/system")
    for program in ("opt/heldout/.venv/bin/python", "usr/sbin/nginx", "bin/sh", "opt/heldout/manage.py"):
        (root / program).parent.mkdir(parents=True, exist_ok=True)
        (root / program).touch(mode=0o755)
    return root


@pytest.mark.parametrize("unit", sorted(set(NAMES.values()) - {"heldout-web@8002.service"}))
def test_systemd_reads_each_unit_and_finds_it_little_exposed(placed: Path, unit: str):
    for command in (["verify"], ["security", "--offline=true", "--threshold=30", "--no-pager"]):
        done = subprocess.run(
            ["systemd-analyze", *command, f"--root={placed}", unit],
            capture_output=True,
            text=True,
            check=False,
        )
        of_ours = re.compile(r"heldout[-@.\w]*\.(service|target)(?!.*threshold)")
        told = [line for line in done.stderr.splitlines() if of_ours.search(line)]
        assert (done.returncode, told) == (0, []), done.stdout + done.stderr
