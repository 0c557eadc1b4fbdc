"""The button of a benchmark that makes its gold labels public. A worker does it: this process cannot open them."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant, button
from accounts.formats.numbers import grouped
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address
from benchmarks.models import Benchmark
from scoring.gold.opening import CannotOpen, may_be_opened, order_opening
from scoring.models import GoldVersion


class OpeningForm(forms.Form):
    """Why gold labels become public."""

    reason = forms.CharField(
        label="Reason",
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Public: it stands beside the labels.",
    )


class OpensGold(OrganisedAdmin):
    """A benchmark's admin page with this button, as long as there is something that may be opened."""

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        actions = super().get_actions_detail(request, object_id)
        benchmark = self.get_object(request, unquote(object_id))
        if benchmark is not None and may_be_opened(benchmark, database_now()):
            return actions
        return [one for one in actions if not one.path.rstrip("/").endswith("open_gold")]

    @button("Make gold labels public", icon="lock_open", variant=ActionVariant.DANGER)
    def open_gold(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Order it, after saying which labels, and that it cannot be undone."""
        benchmark = self.row_or_404(request, object_id)
        form = OpeningForm(request.POST or None)
        if request.method != "POST" or not form.is_valid():
            found = may_be_opened(benchmark, database_now())
            return self.ask(request, _question(benchmark, form, found), row=benchmark)
        try:
            order_opening(
                benchmark=benchmark,
                by=cast(User, request.user),
                reason=form.cleaned_data["reason"],
                now=database_now(),
            )
        except CannotOpen as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(address(benchmark))
        self.log_change(request, benchmark, "Had gold labels made public.")
        messages.success(
            request,
            "A worker opens the gold labels and publishes them with their salts, within a minute or two.",
        )
        return HttpResponseRedirect(address(benchmark))


def _question(benchmark: Benchmark, form: OpeningForm, versions: list[GoldVersion]) -> Question:
    rows = [(one.split, one.number, grouped(one.item_count), one.commitment[:12] + "…") for one in versions]
    headers = ("Set", "Version", "Items", "Commitment")
    return Question(
        title=f"Make the gold labels of {benchmark} public",
        sentences=(
            (
                "Every label of the sets below, and the salt of its commitment, can then be downloaded by anybody, "
                "also of earlier versions that scores were made with. This cannot be undone."
            ),
            (
                "It can be done once every phase is over, or before where the definition says that the gold labels "
                "of a task have long been public (gold: public). Where it does not, no predictions for these sets "
                "are taken any more, and a phase that is opened again takes none."
            ),
        ),
        button="Make public",
        form=form,
        is_grave=True,
        tables=(
            Table(
                "What becomes public",
                headers,
                rows,
                empty="Nothing may be opened now: all labels are public, or a phase is open.",
            ),
        ),
    )
