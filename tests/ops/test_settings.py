"""A setting that cannot be read stops a process at its start, with the variable and what is expected."""

import os
import re
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.database import database_of
from config.env import (
    BASE_DIR,
    broker_address,
    is_on,
    one_of,
    port_numbers,
    secret,
    site_address,
    upload_rate,
    whole_number,
)
from operations.logs.error_reports import report_errors

NAME = "HELDOUT_OF_A_TEST"


@pytest.mark.parametrize("said", ["ture", "maybe", "2", "ok?"])
def test_a_slip_of_writing_switches_nothing_off(monkeypatch, said):
    monkeypatch.setenv(NAME, said)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is “{re.escape(said)}”. Expected true or false."):
        is_on(NAME, default=True)


def test_a_variable_that_is_empty_is_not_set(monkeypatch):
    monkeypatch.setenv(NAME, "")
    assert is_on(NAME, default=True)
    assert whole_number(NAME, default=7) == 7
    assert one_of(NAME, ("json", "plain"), default="json") == "json"


@pytest.mark.parametrize(("said", "found"), [("True", True), ("on", True), ("0", False), ("no", False)])
def test_what_says_yes_or_no_is_read(monkeypatch, said, found):
    monkeypatch.setenv(NAME, said)
    assert is_on(NAME, default=not found) is found


@pytest.mark.parametrize("said", ["1g", "-5", "0", "1.5", "٣"])
def test_what_is_no_number_of_enough_is_named(monkeypatch, said):
    monkeypatch.setenv(NAME, said)
    with pytest.raises(
        ImproperlyConfigured, match=f"{NAME} is “{said}”. Expected a whole number, 1 or more."
    ):
        whole_number(NAME, default=90, least=1)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql",
        "mysql://u:horse@h/n",
        "postgres://u:horse@h:54x/n",
        "postgres://u:horse@h",
    ],
)
def test_an_address_of_a_database_is_refused_without_its_password(url):
    with pytest.raises(ImproperlyConfigured, match=r"HELDOUT_DATABASE_URL .*Expected postgres://") as refused:
        database_of(url)
    assert "horse" not in str(refused.value)


def test_addresses_ports_and_rates_are_held_to_their_form():
    assert site_address("https://heldout.example.org/") == "https://heldout.example.org"
    assert broker_address("") == "filesystem://"
    assert port_numbers(NAME, ["443", "8443"]) == [443, 8443]
    assert upload_rate("5/minute") == "5/minute"
    for read in (
        lambda: site_address("heldout.example.org"),
        lambda: broker_address("localhost"),
        lambda: upload_rate("600"),
        lambda: upload_rate("600/fortnight"),
        lambda: port_numbers(NAME, ["https"]),
    ):
        with pytest.raises(ImproperlyConfigured, match=r"^HELDOUT_.*Expected "):
            read()


def test_what_errors_are_reported_to_is_named_where_it_is_no_address():
    with pytest.raises(ImproperlyConfigured, match="HELDOUT_SENTRY_DSN cannot be read"):
        report_errors("foo", release="1", environment="test")


def test_a_secret_whose_file_is_not_there_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv(f"{NAME}_FILE", str(tmp_path / "none"))
    with pytest.raises(
        ImproperlyConfigured, match=f"{NAME}_FILE names, .*none, cannot be read: No such file"
    ):
        secret(NAME)


def test_a_process_does_not_start_without_a_second_factor_because_of_a_slip(tmp_path):
    given = {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(tmp_path), "HELDOUT_STAFF_MFA": "ture"}
    command = [sys.executable, str(BASE_DIR / "manage.py"), "check"]
    done = subprocess.run(
        command, env=os.environ | given, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode
    assert "HELDOUT_STAFF_MFA is “ture”. Expected true or false." in done.stderr.splitlines()[-1]
