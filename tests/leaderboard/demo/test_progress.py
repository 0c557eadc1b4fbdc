"""Whoever starts the demo sees how far it is, and a slow machine is waited for."""

import sys
import time
from collections.abc import Iterator

import pytest

from demo.server import supervisor
from demo.server.folder import DemoFolder
from demo.server.processes import Children
from demo.server.progress import PROGRESS, DemoProgress, show
from demo.server.supervisor import DemoFailed, Supervisor

LINE = f"2026-11-22 16:27:28,018 INFO {PROGRESS} RAFT, week 3\n"
BUSY = "while True: pass"
IDLE = "import time; time.sleep(60)"


@pytest.fixture
def children() -> Iterator[Children]:
    made = Children()
    yield made
    made.kill()


def test_lines_of_progress_come_once_and_whole_and_others_not_at_all(tmp_path):
    log = tmp_path / "prepare.log"
    log.write_text(LINE)
    progress = DemoProgress(log)  # what an earlier start has written is over
    assert progress.news() == []

    with log.open("a") as file:
        file.write(LINE + LINE + "INFO leaderboard.publication.services published RAFT\n" + LINE[:60])
    assert progress.news() == ["RAFT, week 3", "RAFT, week 3"]
    with log.open("a") as file:
        file.write(LINE[60:])
    assert progress.news() == ["RAFT, week 3"]
    assert progress.news() == []


def test_before_there_is_a_log_there_is_no_progress(tmp_path):
    assert DemoProgress(tmp_path / "prepare.log").news() == []


@pytest.mark.parametrize(
    ("is_terminal", "shown"), [(True, "\r\x1b[K  one\r\x1b[K  two\r\x1b[K"), (False, "  one\n  two\n")]
)
def test_a_terminal_has_one_line_and_a_file_has_all(monkeypatch, capsys, is_terminal, shown):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    for text in ("  one", "  two", ""):
        show(text)
    assert capsys.readouterr().out == shown


@pytest.mark.skipif(
    sys.platform != "linux", reason="what a process has used stands in /proc, which is Linux's"
)
def test_a_web_server_that_still_works_is_waited_for(tmp_path, children, monkeypatch):
    monkeypatch.setattr(supervisor, "READY_WITHIN_SECONDS", 0.0)
    monkeypatch.setattr(supervisor, "WORKED_SECONDS", 0.0)
    web = children.start("web", [sys.executable, "-c", BUSY], env={}, log_file=tmp_path / "web.log")
    answers = iter([False] * 5 + [True])
    demo = Supervisor(DemoFolder(tmp_path), 1, children)
    monkeypatch.setattr(Supervisor, "_answers", lambda _: next(answers))

    demo._wait_for_answer(web)

    assert next(answers, None) is None


@pytest.mark.skipif(
    sys.platform != "linux", reason="what a process has used stands in /proc, which is Linux's"
)
def test_the_work_of_a_process_is_counted(tmp_path, children):
    busy = children.start("web", [sys.executable, "-c", BUSY], env={}, log_file=tmp_path / "web.log")
    while busy.cpu_seconds() < 0.1:
        time.sleep(0.01)


def test_a_web_server_that_does_nothing_is_given_up(tmp_path, children, monkeypatch):
    monkeypatch.setattr(supervisor, "READY_WITHIN_SECONDS", 0.0)
    monkeypatch.setattr(supervisor, "WORKED_SECONDS", 1e9)
    monkeypatch.setattr(Supervisor, "_answers", lambda _: False)
    web = children.start("web", [sys.executable, "-c", IDLE], env={}, log_file=tmp_path / "web.log")

    with pytest.raises(DemoFailed, match=r"has done nothing for 0 s and does not answer; see .*web\.log"):
        Supervisor(DemoFolder(tmp_path), 1, children)._wait_for_answer(web)
