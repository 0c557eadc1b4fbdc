"""What tests of labelling share."""

import pytest

from tests.conftest import the_toy


@pytest.fixture
def transactional_toy(transactional_db, gold_keys):
    """The toy benchmark, committed, so that other threads see it."""
    return the_toy()
