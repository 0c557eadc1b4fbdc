"""When Python looks for garbage."""

import gc

import pytest

from catalogue.garbage_collection import garbage_collection_paused


def test_nothing_is_looked_for_until_the_work_is_done():
    with garbage_collection_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error():
    with pytest.raises(ValueError, match="wrong"), garbage_collection_paused():
        raise ValueError("wrong")
    assert gc.isenabled()


def test_a_pause_within_a_pause_does_not_end_it():
    with garbage_collection_paused():
        with garbage_collection_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
