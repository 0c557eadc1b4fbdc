"""A list of the admin without rows says where rows come from, and offers no button that does not exist."""

import pytest

from tests.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("terms", "open a benchmark and choose “Terms”."),
        ("mailing", "open a benchmark and choose “Write to participants”."),
    ],
)
def test_an_empty_list_says_where_its_rows_are_made(organiser, toy, model, sentence):
    page = browser_of(organiser).get(f"/admin/benchmarks/{model}/").content.decode()
    assert sentence in page
    assert 'href="/admin/benchmarks/benchmark/"' in page
    assert "Nothing stands here yet." in page
    assert "Create a new item" not in page


def test_a_filter_that_nothing_fits_can_be_taken_away(organiser, toy):
    page = browser_of(organiser).get("/admin/benchmarks/mailing/?q=nothing").content.decode()
    assert "Nothing that you may see fits." in page
    assert "Show all" in page
