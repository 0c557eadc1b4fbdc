"""JSON in few bytes, as the database keeps it."""

import gzip
import json

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.fields import PackedJSONField

FIELD = PackedJSONField()
values = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(values)
def test_what_is_stored_comes_back_with_its_keys_in_order(value):
    packed = FIELD.get_prep_value(value)
    assert packed == FIELD.get_prep_value(value)
    assert json.dumps(FIELD.from_db_value(packed)) == json.dumps(value)


@given(values)
def test_what_was_stored_as_gzip_is_read(value):
    assert json.dumps(FIELD.from_db_value(gzip.compress(json.dumps(value).encode()))) == json.dumps(value)


def test_nothing_is_nothing():
    assert FIELD.get_prep_value(None) is FIELD.from_db_value(None) is None
