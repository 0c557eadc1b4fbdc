"""Whole shared tasks, drawn by lot: what the server makes of them is what the rules say."""

import pytest

from demo.rehearsal.comparison import differences
from demo.rehearsal.event import read_event
from demo.rehearsal.play import play
from tests.events.drawn_event import DrawnEvent


@pytest.mark.events
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(16))
def test_an_event_comes_out_as_its_rules_say(seed, tmp_path, gold_keys):
    DrawnEvent(seed).write(tmp_path)
    event = read_event(tmp_path)

    assert list(differences(play(event), event.expected)) == []
