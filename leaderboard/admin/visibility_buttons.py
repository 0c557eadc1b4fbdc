"""The buttons that show a benchmark to others or hide it, and that ask the operators to open a draft."""

from django import forms
from django.conf import settings
from unfold.widgets import UnfoldAdminSelectWidget

from accounts.mail.outbox import tell_at_once
from accounts.models import User
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark
from leaderboard.publication.visibility import CannotShow, Visibility, set_visibility


class VisibilityForm(forms.Form):
    """Who is to see it."""

    visibility = forms.TypedChoiceField(
        label="Who sees it", choices=Visibility.choices, coerce=Visibility, widget=UnfoldAdminSelectWidget
    )


class NobodyToAsk(Exception):
    """No account here may open a draft; the message says how there is one."""


def _ask_operators(benchmark: Benchmark, user: User) -> None:
    operators = list(User.objects.operators())
    if not operators:
        raise NobodyToAsk(
            "Nobody was asked: no account of this server is an operator's. Whoever runs it makes one with "
            "`manage.py createsuperuser`; then press this again."
        )
    tell_at_once(
        people=operators,
        subject=f"{benchmark} asks to be opened",
        text=f"{user} ({user.email}) has a draft that is ready: {benchmark}. Look at it, and say who sees it:\n\n"
        f"{settings.SITE_URL}{address(benchmark)}",
    )


SHOW_TO = Ask(
    label="Who sees it",
    icon="visibility",
    question=lambda benchmark: Question(
        title=f"Who sees {benchmark}",
        sentences=(
            f"Now: {benchmark.get_visibility_display()}.",
            "What is not public stands in no list, no search and on no page of a system. To others than those named, "
            "every address of a draft or of a private benchmark answers that there is nothing.",
            "A team that has sent something and is not approved keeps its own files and scores, and is told no place "
            "and no board of a private benchmark. Approve it under “Registrations” to have it go on.",
            "The public log tells nothing of a draft or a private benchmark; what has been logged before stays.",
        ),
        button="Change",
    ),
    form=VisibilityForm,
    given=lambda benchmark: {"initial": {"visibility": benchmark.visibility}},
    do=lambda benchmark, visibility, user: set_visibility(
        benchmark=benchmark, visibility=visibility, by=user
    ),
    refused=(CannotShow,),
    done="{row} is {visibility} now.",
    log="Made {visibility}.",
)
ASK_TO_OPEN = Ask(
    label="Ask to be opened",
    icon="outgoing_mail",
    question=Question(
        title="Ask whoever runs the server to open {row}",
        sentences=("They get a mail with a link to it, and choose who sees it then.",),
        button="Ask",
    ),
    do=_ask_operators,
    refused=(NobodyToAsk,),
    done="They were written to.",
    log="Asked to be opened.",
    shown=lambda benchmark: benchmark.visibility == Visibility.DRAFT,
)
