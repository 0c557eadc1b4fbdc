"""JSON that is nested deeper than anything can read."""

import pytest

DEEP = b"[" * 100_000


@pytest.mark.parametrize("body", [DEEP, b'{"a":' * 100_000], ids=["lists", "objects"])
@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("post", "/api/v1/teams/"),
        ("post", "/api/v1/systems/"),
        ("patch", "/api/v1/systems/{system}/"),
        ("put", "/api/v1/systems/{system}/fact-sheets/toy/"),
        ("post", "/api/v1/benchmarks/toy/terms/"),
        ("post", "/api/v1/contests/"),
    ],
)
def test_it_is_malformed_and_no_fault_of_the_server(method, address, body, api, system, toy, fact_lists):
    answer = getattr(api, method)(address.format(system=system.pk), body, content_type="application/json")

    assert answer.status_code in (400, 422), answer.content
    assert "code" in answer.json()
