"""The button of a benchmark that makes its gold labels public. A worker does it: this process cannot open them."""

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant
from accounts.formats.numbers import grouped
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import Question, Table
from benchmarks.models import Benchmark
from scoring.gold.opening import CannotOpen, may_be_opened, order_opening, why_not_opened


class OpeningForm(forms.Form):
    """Why gold labels become public."""

    reason = forms.CharField(
        label="Reason",
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Public: it stands beside the labels.",
    )


def _question(benchmark: Benchmark) -> Question:
    versions = may_be_opened(benchmark, database_now())
    return Question(
        title=f"Make the gold labels of {benchmark} public",
        sentences=(
            "Every label of the sets below, and the salt of its commitment, can then be downloaded by anybody, "
            "also of earlier versions that scores were made with. This cannot be undone.",
            "It can be done once every phase is over, or before where the definition says that the gold labels "
            "of a task have long been public (gold: public). Where it does not, no predictions for these sets "
            "are taken any more, and a phase that is opened again takes none.",
        ),
        button="Make public",
        is_grave=True,
        tables=(
            Table(
                "What becomes public",
                ("Set", "Version", "Items", "Commitment"),
                [
                    (
                        version.split,
                        version.number,
                        grouped(version.item_count),
                        version.commitment[:12] + "…",
                    )
                    for version in versions
                ],
                empty=why_not_opened(benchmark, database_now()),
            ),
        ),
    )


OPEN_GOLD = Ask(
    label="Make gold labels public",
    icon="lock_open",
    variant=ActionVariant.DANGER,
    question=_question,
    form=OpeningForm,
    do=order_opening,
    refused=(CannotOpen,),
    leads_back=True,
    done="A worker opens the gold labels and publishes them with their salts, within a minute or two.",
    log="Had gold labels made public.",
    confirms_identity=True,
    shown=lambda benchmark: bool(may_be_opened(benchmark, database_now())),
)
