"""A sceptic audits a copy of a release offline: whatever file of it is changed is told."""

import pytest

from leaderboard.publication.services import enter_in_ledger, refresh_stale
from tests.conftest import NOW
from tests.quiz import end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, run_batch
from transparency.services import sign_log

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def folder(sync, gold_keys, signers, live_server, run, tmp_path, monkeypatch):
    """A copy of a server with a phase of two weeks that has ended, whose final ranks by what was kept back."""
    monkeypatch.setattr("client.log.audit._PATIENCE", 0.0)
    phase = make_quiz(sync, "protected")
    for name, wrong in (("Larch", range(600)), ("Oak", range(500))):
        send(new_system(name), phase, wrong, at=CUT_OFF - WEEK / 7)
    run_batch(CUT_OFF)
    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    enter_in_ledger()
    refresh_stale()
    sign_log(NOW)
    copy = tmp_path / "copy"
    result = run("audit", live_server.url, "--save", copy)
    assert result.exit_code == 0, result.output
    monkeypatch.setattr("httpx.Client.get", lambda *_, **__: 1 / 0)
    return copy


def test_every_file_of_a_copy_is_held_against_the_log(folder, run):
    result = run("audit", folder)
    assert (result.exit_code, "2 releases" in result.stdout) == (0, True), result.output

    files = sorted(path for path in folder.rglob("*") if path.is_file())
    unnoticed = []
    for file in files:
        body = file.read_bytes()
        place = body.find(b"Larch") if b"Larch" in body else len(body) // 2
        file.write_bytes(body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :])
        if run("audit", folder).exit_code == 0:
            unnoticed.append(str(file.relative_to(folder)))
        file.write_bytes(body)

    assert len(files) > 40
    # The key was kept when the server was first audited, so nobody asks the copy for it.
    assert unnoticed == ["log/keys"]
    assert run("audit", folder).exit_code == 0
