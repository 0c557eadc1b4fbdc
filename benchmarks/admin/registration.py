"""The buttons of a benchmark that have its organisers approve teams, and let teams take part at once again."""

from benchmarks.admin.asks import Ask
from benchmarks.admin.base import Question
from benchmarks.models import Benchmark

_Mode = Benchmark.Registration


def _set(benchmark: Benchmark, mode: _Mode) -> None:
    Benchmark.objects.filter(pk=benchmark.pk).update(registration=mode)


ASK_FOR_APPROVAL = Ask(
    label="Approve teams",
    icon="how_to_reg",
    question=Question(
        title="Approve teams before they take part in {row}",
        sentences=(
            "What a team sends is refused from now on until you have approved the team under “Registrations”. "
            "Its first upload registers it; you get a mail then, and the team gets one once it is approved.",
            "Teams that have submitted already go on.",
        ),
        button="Approve teams",
    ),
    do=lambda benchmark: _set(benchmark, _Mode.APPROVAL),
    done="From now on you approve the teams that take part in {row}.",
    log="Had teams approved before they take part.",
    shown=lambda benchmark: benchmark.registration == _Mode.OPEN,
)
OPEN_REGISTRATION = Ask(
    label="Open to all teams",
    icon="group_add",
    question=Question(
        title="Let teams take part in {row} at once",
        sentences=("Also those that wait for your approval may send files then.",),
        button="Open to all teams",
    ),
    do=lambda benchmark: _set(benchmark, _Mode.OPEN),
    done="Every team may take part in {row}.",
    log="Let teams take part without approval.",
    shown=lambda benchmark: benchmark.registration == _Mode.APPROVAL,
)
