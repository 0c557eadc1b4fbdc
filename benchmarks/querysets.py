"""Questions about benchmarks, phases and texts."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models.functions import Now

from benchmarks.people.rights import Right, roles_with
from benchmarks.spec import TEST

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from benchmarks.models import Benchmark, Phase, Texts


HIDDEN = ("draft", "private")
"""Visibilities of benchmarks of which strangers are to learn nothing."""


class BenchmarkQuerySet(models.QuerySet[Any]):
    def organised_by(self, user: User) -> BenchmarkQuerySet:
        """All for superusers, else those that `user` runs as an owner or organiser."""
        return self.where(user, Right.RUN)

    def where(self, user: User, right: Right) -> BenchmarkQuerySet:
        """Those in which a role gives `user` a right; all for superusers."""
        if user.is_superuser:
            return self
        return self.filter(roles__user=user, roles__role__in=roles_with(right))

    def ready(self) -> BenchmarkQuerySet:
        """Those that somebody has loaded gold labels for; a mere definition cannot be submitted to."""
        return self.filter(tasks__splits__isnull=False).distinct()

    def listed(self) -> BenchmarkQuerySet:
        """Those of them that lists and forms name: archived ones keep their pages alone."""
        return self.ready().filter(archived_at__isnull=True, visibility="public")

    def hidden(self) -> BenchmarkQuerySet:
        """Those of which strangers are to learn nothing: drafts and private ones."""
        return self.filter(visibility__in=HIDDEN)

    def seen_by(self, user: User | AnonymousUser) -> BenchmarkQuerySet:
        """Those whose pages somebody may open where they have the address."""
        if user.is_superuser and user.is_active:
            return self
        return self.filter(~models.Q(visibility__in=HIDDEN) | self._joined_by(user))

    def is_shown_to(self, user: User | AnonymousUser, benchmark: Benchmark) -> bool:
        """Whether somebody may open the pages of one of them."""
        return not benchmark.is_hidden or self.filter(pk=benchmark.pk).seen_by(user).exists()

    def offered_to(self, user: User | AnonymousUser) -> BenchmarkQuerySet:
        """Those that lists and forms name to somebody: the public ones, and what they have to do with themselves."""
        kept = self.ready().filter(archived_at__isnull=True)
        return kept.filter(models.Q(visibility="public") | self._joined_by(user))

    def _joined_by(self, user: User | AnonymousUser) -> models.Q:
        """Those in which somebody has a role, and of those not drafts that a team of theirs may enter.

        A ban takes back what an approval gave.
        """
        if not user.is_authenticated or not user.is_active:
            return models.Q(pk__in=())
        rows = self.model._default_manager  # noqa: SLF001  # Django's own name
        team = {"registrations__team__members": user, "registrations__approved_at__isnull": False}
        whom = models.Q(bans__people=user) | models.Q(bans__teams__members=user)
        banned = rows.filter(whom, bans__lifted_at__isnull=True).values("pk")
        approved = rows.filter(**team).exclude(models.Q(visibility="draft") | models.Q(pk__in=banned))
        return models.Q(pk__in=rows.filter(roles__user=user).values("pk")) | models.Q(
            pk__in=approved.values("pk")
        )

    def asking(self) -> BenchmarkQuerySet:
        """Those of them that ask for a fact sheet."""
        return self.filter(fact_lists__isnull=False).distinct()

    def stale(self) -> BenchmarkQuerySet:
        """Those whose published pages show something that has changed since."""
        pages, archive = models.F("pages_rendered"), models.F("archive_rendered")
        return self.exclude(pages_wanted=pages, archive_wanted=archive)

    def mark_stale(self, *, archive: bool = False, **changed: Any) -> int:
        """Change rows and have their pages rendered anew; with `archive`, those of every earlier release too."""
        if archive:
            changed["archive_wanted"] = models.F("archive_wanted") + 1
        return self.update(pages_wanted=models.F("pages_wanted") + 1, **changed)


class PhaseQuerySet(models.QuerySet[Any]):
    def seen_by(self, user: User | AnonymousUser) -> PhaseQuerySet:
        """Those of benchmarks that somebody may know of."""
        joined = self.model._meta.get_field("benchmark").related_model.objects.seen_by(user)  # noqa: SLF001  # documented by Django under this name
        return self.filter(benchmark__in=joined)

    def named_to(self, user: User | AnonymousUser, name: str, at: dt.datetime | None = None) -> Phase:
        """The phase called `benchmark/phase` at an instant; Phase.DoesNotExist where somebody may know of none.

        Who may know of it is asked where no benchmark that everybody may know of has it, so that a hidden phase takes
        as long to refuse as one that is not there.
        """
        try:
            return self.filter(~models.Q(benchmark__visibility__in=HIDDEN)).named(name, at)
        except self.model.DoesNotExist:
            return self.seen_by(user).named(name, at)

    def named(self, name: str, at: dt.datetime | None = None) -> Phase:
        """The phase called `benchmark/phase`; Phase.DoesNotExist where there is none.

        The name of a series stands for its newest edition that has opened, by now or by the instant `at`: an upload
        that began before an edition closed is one to that edition, also where it took until the next one had opened.
        """
        slug, _, name_of_phase = name.partition("/")
        called = models.Q(slug=name_of_phase) | models.Q(series=name_of_phase, opens_at__lte=at or Now())
        phases = self.select_related("benchmark").filter(called, benchmark_id=slug)
        phase: Phase | None = phases.order_by(models.F("opens_at").desc(nulls_last=True)).first()
        if phase is None:
            raise self.model.DoesNotExist(f"There is no phase {name!r}.")
        return phase

    def shown_with(self, phase: Phase) -> PhaseQuerySet:
        """Those whose answers stand in a phase's releases: its own, and, where breakers' sets are scored, those of
        the phases in which the systems were built."""
        shown = models.Q(pk=phase.pk)
        if phase.kind == "score":
            shown |= models.Q(benchmark=phase.benchmark_id, kind="build")
        return self.filter(shown)

    def withheld(self, benchmark: str, now: dt.datetime) -> dict[tuple[str, str], dt.datetime]:
        """By task and split, when ids and texts are given that nobody may have yet: as soon as a phase is about them.

        Where a later subtask has only items that an earlier one's answers lead to, its ids would tell these answers.
        """
        phases = list(self.filter(benchmark=benchmark).order_by("-opens_at"))
        opened = [phase for phase in phases if phase.opens_at is None or phase.opens_at <= now]
        if any(not phase.targets for phase in opened):
            return {}
        places = {
            (row["task"], row["split"]): phase.opens_at
            for phase in phases  # the first to open comes last
            if phase not in opened
            for row in phase.targets
        }
        for phase in opened:
            for row in phase.targets:
                places.pop((row["task"], row["split"]), None)
        return places

    def due(self, now: dt.datetime) -> PhaseQuerySet:
        return self.filter(next_cut_off_at__lte=now)


class TextsQuerySet(models.QuerySet[Any]):
    def by_task(self, benchmark: Benchmark) -> dict[str, list[Texts]]:
        """The texts that may be downloaded, by the slug of their task: the test split's first, then by split.

        Their files are not read from the database, and their splits know their tasks.
        """
        rows = self.filter(split__task__benchmark=benchmark, split__task__is_retired=False)
        by_task: dict[str, list[Texts]] = defaultdict(list)
        for texts in rows.select_related("split__task").defer("packed").order_by("split__slug"):
            by_task[texts.split.task.slug].append(texts)
        for of_task in by_task.values():
            of_task.sort(key=lambda texts: texts.split.slug != TEST)
        return by_task


def id_and_title_of_those_offered_to(user: User) -> list[tuple[str, str]]:
    """The benchmarks that lists name to somebody; what a token of theirs may be limited to."""
    from benchmarks.models import Benchmark  # the models are built upon this module

    return [
        (str(slug), str(title))
        for slug, title in Benchmark.objects.offered_to(user)
        .order_by("title")
        .values_list("pk", "title")
        .distinct()
    ]
