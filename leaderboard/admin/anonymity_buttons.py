"""The buttons of a benchmark that hide the names of its systems, and lift that."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.admin_look import ActionVariant, button
from benchmarks.admin.base import OrganisedAdmin, Question, address, was_confirmed
from benchmarks.models import Benchmark
from leaderboard.publication.anonymity import CannotHide, hide_names, lift_anonymity, may_hide_names


class AnonymityAdmin(OrganisedAdmin):
    """A benchmark's admin page with these buttons, each where it can do something."""

    @admin.display(description="systems are")
    def names(self, benchmark: Benchmark) -> str:
        return "anonymous until you lift that" if benchmark.is_anonymous else "named"

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        benchmark = self.get_object(request, unquote(object_id))
        idle = set()
        if benchmark is None or not benchmark.is_anonymous:
            idle.add("lift_anonymity")
        if benchmark is None or not may_hide_names(benchmark):
            idle.add("hide_names")
        actions = super().get_actions_detail(request, object_id)
        return [one for one in actions if not one.path.rstrip("/").endswith(tuple(idle))]

    @button("Hide names", icon="visibility_off")
    def hide_names(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Have systems bear numbers from the first release on."""
        benchmark = self.row_or_404(request, object_id)
        question = Question(
            title=f"Hide the names of the systems of {benchmark}",
            sentences=(
                "Until you lift it, every page, export, answer of the API and mail calls a system by a number, such as "
                "System 4, and names no team. A team reads its own number on the pages of its submissions; "
                "organisers see all names in the admin. Baselines keep their names, and so do breakers.",
                "This can be chosen before the first release only, and before the end of a phase in which systems are "
                "built, because breakers download their predictions then.",
            ),
            button="Hide names",
        )
        if not was_confirmed(request):
            return self.ask(request, question, row=benchmark)
        try:
            hide_names(benchmark)
        except CannotHide as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(address(benchmark))
        self.log_change(request, benchmark, "Hid the names of systems.")
        messages.success(request, f"The systems of {benchmark} are anonymous from now on.")
        return HttpResponseRedirect(address(benchmark))

    @button("Lift anonymity", icon="visibility", variant=ActionVariant.DANGER)
    def lift_anonymity(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Name all systems, after saying that it cannot be undone."""
        benchmark = self.row_or_404(request, object_id)
        question = Question(
            title=f"Name the systems of {benchmark}",
            sentences=(
                "Every page and export then names systems and their teams, also the permanent pages of earlier "
                "releases: no score and no rank on them changes. The next sweep prints them, within a minute or so.",
                "What has been public cannot be hidden again, so this cannot be undone.",
            ),
            button="Lift anonymity",
            is_grave=True,
        )
        if not was_confirmed(request):
            return self.ask(request, question, row=benchmark)
        if lift_anonymity(benchmark):
            self.log_change(request, benchmark, "Lifted the anonymity of systems.")
            messages.success(request, f"The pages of {benchmark} name its systems within a minute.")
        else:
            messages.info(request, f"The systems of {benchmark} are not anonymous.")
        return HttpResponseRedirect(address(benchmark))
