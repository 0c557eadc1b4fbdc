"""Uploads of one web process are judged in turn, and none holds up the others for long."""

import threading
import time

import pytest

from submissions.uploads import turns


@pytest.fixture(autouse=True)
def _own_turn(monkeypatch):
    monkeypatch.setattr(turns, "_turn", threading.Semaphore())


def at_once(count: int, work) -> list[threading.Thread]:
    threads = [threading.Thread(target=turns.in_turn()(work)) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def test_threads_enter_one_after_the_other():
    inside, most = [], []

    def work():
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()

    for thread in at_once(8, work):
        thread.join()

    assert most == [1] * 8


def test_whoever_has_waited_enters_beside_one_that_takes_long(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    both, over = threading.Barrier(2, timeout=20), threading.Event()

    def work():
        both.wait()  # breaks where the second is not let in
        over.set()

    for thread in at_once(2, work):
        thread.join()

    assert over.is_set()


def test_an_upload_that_fails_leaves_its_turn_to_the_next():
    with pytest.raises(ValueError, match="broken"), turns.in_turn():
        raise ValueError("broken")
    assert turns._turn.acquire(blocking=False)
