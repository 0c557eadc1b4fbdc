"""The archive of everything over the API: for those who run the benchmark, as the admin has it."""

import io
import zipfile

from accounts.models import AuditEntry
from benchmarks.people.models import Role
from leaderboard.take_home.made_archives import make_ordered, order_archive
from tests.conftest import NOW, person
from tests.people import appoint

LIST = "/api/v1/benchmarks/toy/archives/"
FILE = f"{LIST}newest.zip"


def test_who_runs_a_benchmark_lists_and_downloads_its_archive_and_nobody_else(client, toy, gold_keys):
    people = {role: person(f"person-{role}") for role in (Role.ORGANISER, Role.READER)}
    for role, user in people.items():
        appoint(toy, user, role)
    assert client.get(LIST).status_code == 401
    client.force_login(people[Role.READER])
    assert (client.get(LIST).status_code, client.get(FILE).status_code) == (404, 404)

    client.force_login(people[Role.ORGANISER])
    assert client.get(LIST).json()["results"] == []
    assert client.get(FILE).status_code == 404
    order_archive(benchmark=toy, by=people[Role.ORGANISER], now=NOW)
    assert client.get(LIST).json()["results"][0]["url"] is None
    assert make_ordered(NOW) == 1
    (kept,) = client.get(LIST).json()["results"]
    assert kept["said"].endswith("with no gold labels")
    answer = client.get(kept["url"].replace("http://testserver", ""))
    assert answer["Cache-Control"] == "no-store, private"
    names = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).namelist()
    assert any(name.endswith("/scores.csv") for name in names)
    noted = AuditEntry.objects.get(kind="fetch home")
    assert (noted.actor, noted.by) == (people[Role.ORGANISER], "API")

    client.force_login(people[Role.READER])
    assert client.get(FILE).status_code == 404
