"""Errors are reported by Sentry's protocol with where and under which id, and nothing of whoever met them."""

import json
import subprocess
import sys

import pytest

from tests.operations.crashing_site import SECRET
from tests.operations.sink import running_sink
from tests.ops.demos import ROOT, plain_environment

pytestmark = pytest.mark.thorough  # a process that takes the whole site in


def test_an_error_is_reported_without_anything_of_anybody(tmp_path):
    with running_sink() as sink:
        told = {
            "HELDOUT_MODE": "test",
            "HELDOUT_DATA": str(tmp_path),
            "HELDOUT_PROXIES": "1",
            "HELDOUT_COMMIT": "c0ffee",
            "HELDOUT_SENTRY_DSN": sink.address.replace("//", "//a-key@") + "/7",
        }
        command = [sys.executable, "-m", "tests.operations.crashing_site"]
        done = subprocess.run(
            command, cwd=ROOT, env=plain_environment() | told, capture_output=True, text=True, timeout=120
        )
    assert done.stdout == "500 Internal Server Error\n", done.stderr
    assert {one[:2] for one in sink.came} == {("POST", "/api/7/envelope/")}
    sent = b"\n".join(body for _, _, body in sink.came).decode()
    events = [json.loads(line) for line in sent.splitlines() if '"exception"' in line or '"logentry"' in line]

    crashed = next(one for one in events if "exception" in one)
    assert crashed["exception"]["values"][-1]["type"] == "LookupError"
    frames = crashed["exception"]["values"][-1]["stacktrace"]["frames"]
    assert (frames[-1]["function"], "vars" in frames[-1]) == ("crash", False)
    assert crashed["transaction"] == "/crash/{token}/"
    assert crashed["tags"] == {"request_id": "a1b2c3d4e5f6"}
    assert (crashed["release"], crashed["environment"]) == ("c0ffee", "test")
    assert [one["logentry"] for one in events if "exception" not in one] == [
        {"message": "mail to %s was refused"}
    ]
    assert SECRET not in sent.replace("SECRET", "")
    assert "192.0.2.77" not in sent
