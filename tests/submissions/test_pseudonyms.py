"""What systems are called where a benchmark hides their names."""

import uuid
from functools import partial
from typing import Any

import pytest

from accounts.models import Team
from benchmarks.models import Benchmark
from submissions.models import Pseudonym, Submission, System
from submissions.systems.name_texts import PublicName
from submissions.systems.pseudonyms import pseudonym_of, public_names
from tests.conftest import NOW
from tests.threads import at_once
from tests.weeks import upload

pytestmark = pytest.mark.postgres

NAMES = ("Alder", "Birch", "Cedar", "Fir", "Oak", "Rowan", "Willow", "Yew")


@pytest.fixture
def hidden(toy: Benchmark) -> Benchmark:
    Benchmark.objects.update(is_anonymous=True)
    toy.refresh_from_db()
    return toy


@pytest.fixture
def enter(team: Team, phase: Any) -> Any:
    """Enter systems with a submission each, which a cut-off has taken in."""

    def _enter(*names: str, kind: str = System.Kind.SYSTEM) -> list[System]:
        systems = [
            System.objects.create(
                pk=uuid.uuid5(uuid.NAMESPACE_DNS, name), team=team, name=name, kind=kind, created_at=NOW
            )
            for name in names
        ]
        for one in systems:
            Submission.objects.create(
                system=one,
                phase=phase,
                submitted_by=team.members.get(),
                received_at=NOW,
                cut_off_at=NOW,
                status=Submission.Status.SCORING,
                file_size=1,
            )
        return systems

    return _enter


def names_of(benchmark: Benchmark) -> dict[str, str]:
    """Public names by real ones."""
    real = dict(System.objects.values_list("pk", "name"))
    return {real[pk]: str(found) for pk, found in public_names(benchmark).items()}


def test_where_nothing_is_hidden_systems_bear_their_names(toy, enter):
    (larch,) = enter("Larch")
    assert public_names(toy) == {larch.pk: PublicName("Larch", "North")}
    assert not Pseudonym.objects.exists()


def test_hidden_systems_are_numbered_and_name_no_team(hidden, enter):
    enter(*NAMES)
    assert sorted(names_of(hidden).values()) == [f"System {number}" for number in range(1, 9)]
    assert {found.team for found in public_names(hidden).values()} == {""}


def test_a_baseline_keeps_its_name_because_it_is_the_organiser_s(hidden, enter):
    enter("Majority", kind=System.Kind.BASELINE)
    enter("Larch")
    assert names_of(hidden) == {"Majority": "Majority", "Larch": "System 1"}


def test_a_number_stays_with_its_system_and_newcomers_get_the_next(hidden, enter):
    enter("Alder", "Birch")
    before = names_of(hidden)
    enter("Cedar")
    assert names_of(hidden) == before | {"Cedar": "System 3"}


def test_numbers_follow_neither_names_nor_entry_nor_ids(hidden, enter, settings):
    """Whoever knows all ids, as from another benchmark's board, cannot count up who is who."""
    systems = enter(*NAMES)
    orders = set()
    for key in ("one", "two", "three"):
        settings.SECRET_KEY = key
        Pseudonym.objects.all().delete()
        found = public_names(hidden)
        orders.add(tuple(found[one.pk].name for one in systems))
    assert len(orders) == 3


def test_benchmarks_number_their_systems_each_for_itself(hidden, enter, phase, sync):
    (larch,) = enter("Larch")
    public_names(hidden)
    assert pseudonym_of(larch, hidden) == "System 1"
    other = Benchmark.objects.create(slug="other", title="Other", is_anonymous=True)
    assert pseudonym_of(larch, other) == ""


def test_what_waits_for_its_cut_off_has_no_number_yet(hidden, system, phase):
    upload(system, phase)
    assert public_names(hidden) == {}
    assert pseudonym_of(system, hidden) == ""


@pytest.mark.django_db(transaction=True)
def test_of_many_processes_at_once_every_system_gets_one_number_and_no_number_two(hidden, enter):
    enter(*NAMES)
    found = at_once([partial(names_of, hidden)] * 6)
    assert all(one == found[0] for one in found), found
    assert sorted(Pseudonym.objects.values_list("number", flat=True)) == list(range(1, 9))
