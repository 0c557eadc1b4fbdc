"""The buttons of a benchmark that hide the names of its systems, and lift that."""

from django.contrib import messages

from accounts.admin_look import ActionVariant
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark
from leaderboard.publication.visibility import CannotHide, hide_names, lift_anonymity, may_hide_names


def _lift(*, benchmark: Benchmark) -> Done:
    if not lift_anonymity(benchmark):
        return Done(also=((messages.INFO, f"The systems of {benchmark} are not anonymous."),))
    return Done(
        f"The pages of {benchmark} name its systems within a minute.", "Lifted the anonymity of systems."
    )


HIDE_NAMES = Ask(
    label="Hide names",
    icon="visibility_off",
    question=Question(
        title="Hide the names of the systems of {row}",
        sentences=(
            "Until you lift it, every page, export, answer of the API and mail calls a system by a number, such as "
            "System 4, and names no team. A team reads its own number on the pages of its submissions; "
            "organisers see all names in the admin. Baselines keep their names, and so do breakers.",
            "This can be chosen before the first release only, and before the end of a phase in which systems are "
            "built, because breakers download their predictions then.",
        ),
        button="Hide names",
    ),
    do=hide_names,
    refused=(CannotHide,),
    leads_back=True,
    done="The systems of {row} are anonymous from now on.",
    log="Hid the names of systems.",
    shown=may_hide_names,
)
LIFT_ANONYMITY = Ask(
    label="Lift anonymity",
    icon="visibility",
    variant=ActionVariant.DANGER,
    question=Question(
        title="Name the systems of {row}",
        sentences=(
            "Every page and export then names systems and their teams, also the permanent pages of earlier "
            "releases: no score and no rank on them changes. The next sweep prints them, within a minute or so.",
            "What has been public cannot be hidden again, so this cannot be undone.",
        ),
        button="Lift anonymity",
        is_grave=True,
    ),
    do=_lift,
    shown=lambda benchmark: benchmark.is_anonymous,
)
