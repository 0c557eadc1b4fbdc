"""The button of a benchmark that sets the code which teams register with."""

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget

from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark
from submissions.quota.registration_codes import SHORTEST_CODE, set_code


class CodeForm(forms.Form):
    """A code of one's own, or none."""

    code = forms.CharField(
        required=False,
        min_length=SHORTEST_CODE,
        max_length=100,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=f"At least {SHORTEST_CODE} characters. Empty: one is made for you.",
    )


def _question(benchmark: Benchmark) -> Question:
    has_one = bool(benchmark.registration_secret)
    return Question(
        title=f"{'Change the code' if has_one else 'Set a code'} for registration in {benchmark}",
        sentences=(
            "A team takes part once one of its members has typed the code, at /register/ or with the client. What "
            "other teams send is refused, and they are told so. Teams that take part already go on.",
            "The code is shown once, after this. The server keeps no more than a hash of it: write it down, and give "
            "it to those who may take part.",
            *(["The code that stands now is of no use from then on."] if has_one else []),
        ),
        button="Set the code",
    )


def _set(*, benchmark: Benchmark, code: str) -> Done:
    chosen = set_code(benchmark=benchmark, code=code)
    return Done(
        f"Teams register for {benchmark} with the code {chosen} from now on. It is not shown again.",
        "Set a code that teams register with.",
    )


SET_REGISTRATION_CODE = Ask(
    label="Register by code",
    icon="password",
    question=_question,
    form=CodeForm,
    do=_set,
)
