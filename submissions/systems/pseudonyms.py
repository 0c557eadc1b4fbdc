"""What systems are called where everybody reads: by their names, or by numbers as long as a benchmark hides them."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Max
from django.utils.crypto import salted_hmac

from benchmarks.models import Benchmark
from submissions.models import Pseudonym, Submission, System
from submissions.systems.board_names import names_on_boards
from submissions.systems.name_texts import PublicName


def public_names(benchmark: Benchmark) -> dict[UUID, PublicName]:
    """The public name of every system of the benchmark that a cut-off has taken in, by its id.

    As long as the benchmark's systems are anonymous these are pseudonyms, which are given here to systems that have
    none yet. Baselines are the organiser's, so they keep their names.
    """
    entered = Submission.objects.filter(phase__benchmark=benchmark).exclude(status=Submission.Status.ACCEPTED)
    systems = System.objects.filter(pk__in=entered.values("system")).select_related("team")
    given = names_on_boards(benchmark)
    real = {
        system.pk: given.get(system.pk) or PublicName(system.name, system.team.name) for system in systems
    }
    if not benchmark.is_anonymous:
        return real
    hidden = {system.pk for system in systems if system.kind == System.Kind.SYSTEM}
    numbers = _numbers(benchmark, hidden)
    return real | {pk: PublicName(f"System {numbers[pk]}", "") for pk in hidden}


def pseudonym_of(system: System, benchmark: Benchmark) -> str:
    """What the system is called in the benchmark while it is anonymous; "" before it has been given a number.

    Asking gives none: its team may look at any time, and numbers in the order of looking would tell something.
    """
    found = Pseudonym.objects.filter(benchmark=benchmark, system=system).first()
    return str(found) if found else ""


def _numbers(benchmark: Benchmark, systems: Collection[UUID]) -> dict[UUID, int]:
    """The numbers of these systems; those that have none yet get the next ones, and no number is given twice.

    Of two processes at once the database lets one have a number; the other looks again.
    """
    while True:
        given = Pseudonym.objects.filter(benchmark=benchmark)
        numbers = dict(given.filter(system__in=systems).values_list("system_id", "number"))
        new = sorted(set(systems) - numbers.keys(), key=lambda pk: _lot(benchmark, pk))
        if not new:
            return numbers
        last = given.aggregate(Max("number"))["number__max"] or 0
        Pseudonym.objects.bulk_create(
            [
                Pseudonym(benchmark=benchmark, system_id=pk, number=number)
                for number, pk in enumerate(new, last + 1)
            ],
            ignore_conflicts=True,
        )


def _lot(benchmark: Benchmark, system: UUID) -> str:
    """The place of a system among those that get their numbers together.

    It must tell nothing. Neither names nor instants may decide it, nor the plain id: that is public where the system
    stands on another benchmark's board.
    """
    return salted_hmac("submissions.pseudonyms", f"{benchmark.pk} {system}", algorithm="sha256").hexdigest()
