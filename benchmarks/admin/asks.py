"""Buttons and actions of the admin that ask before anything is done, declared: the base binds, asks, does and tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import Parameter, signature
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.checks import CheckMessage, Error
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.debug import sensitive_variables

from accounts.admin_look import ActionVariant, button
from accounts.server.clock import database_now
from accounts.sign_in.second_factor import confirm_identity
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, was_confirmed
from benchmarks.admin.organised.stale_forms import refusing_stale
from benchmarks.people.rights import Right

OFFERED = {"now", "user", "by", "log", "data", "file_name", "reason"}
"""What `do` may take beside the row and the fields of the form; see `Ask._offered`."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a button did: said to whoever pressed it, kept in the audit log, and where it leads."""

    told: str = ""
    log: str = ""
    also: Sequence[tuple[int, str]] = ()  # more messages, each with its level
    leads_to: Model | HttpResponse | None = None  # the row itself where it does not say


class AskAgain(Exception):
    """Raised by `do` where a further question has to be answered first."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.title)
        self.question = question


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A button that does nothing before its question was answered, as an attribute of an `OrganisedAdmin`.

    `question` is what is asked; the title of one that is the same for all rows may name `{row}`. `do` is called by
    keywords: the fields of the form, the row under its model's name, and of `OFFERED` those it has parameters for.
    `done` and `log` are sentences that may name `{row}`, `{result}` and the fields, or `done` makes them of the row
    and the result. `refused` are the exceptions that are told as problems; what else goes wrong is, if `unforeseen`
    words it.
    """

    label: str = ""
    icon: str = ""
    variant: ActionVariant = ActionVariant.DEFAULT
    question: Question | Callable[[Any], Question]
    do: Callable[..., Any]
    form: type[forms.Form] | None = None
    given: Callable[[Any], dict[str, Any]] = lambda row: {}  # what the form is made with
    tells_form_who: bool = False  # the form is made with the `user`, too: it offers what is theirs
    done: str | Callable[[Any, Any], Done] = ""
    log: str = ""
    refused: tuple[type[Exception], ...] = ()
    unforeseen: Callable[[Any, Exception], str] | None = None
    leads_back: bool = False  # a refusal is a message on the row's page
    of_many: bool = False  # `do`, `question` and `done` take a list of rows
    shown: Callable[[Any], bool] | None = None  # whether a row's page has the button
    right: Right = Right.RUN  # that a role must have in the row's benchmark
    confirms_identity: bool = False  # whoever presses it shows again who they are
    changes_row: bool = False  # who may not change the row gets 403, and no button

    def __set_name__(self, owner: type[OrganisedAdmin], name: str) -> None:
        """Become the method that unfold calls."""

        def pressed(page: OrganisedAdmin, request: HttpRequest, object_id: str) -> HttpResponse:
            row = page.row_or_404(request, object_id, self.right)
            if self.changes_row and not page.has_change_permission(request, row):
                raise PermissionDenied
            if self.confirms_identity:
                confirm_identity(request, with_a_file=True)
            answer = self.answer(page, request, [row] if self.of_many else row, row=row)
            return answer or HttpResponseRedirect(address(row))

        method = button(self.label, icon=self.icon, variant=self.variant)(pressed)
        vars(method)["ask"] = self
        setattr(owner, name, method)

    @sensitive_variables()
    def answer(
        self, page: OrganisedAdmin, request: HttpRequest, subject: Any, **place: Any
    ) -> HttpResponse | None:
        """Ask about `subject`, a row or several, or do it where that was confirmed; nothing then leads on."""
        is_sent = was_confirmed(request)
        given = self.given(subject) | ({"user": request.user} if self.tells_form_who else {})
        sent = (request.POST, request.FILES) if is_sent else ()
        form = refusing_stale(self.form)(*sent, **given) if self.form else None
        problems: Sequence[str] = ()
        try:
            if is_sent and (form is None or form.is_valid()):
                return self._tell(page, request, subject, self._offered(page, request, subject, form))
            question = self._question(subject)
        except AskAgain as again:
            return page.ask(request, again.question, **place)
        except Exception as error:
            if not isinstance(error, self.refused):
                if self.unforeseen is None:
                    raise
                problems = (self.unforeseen(subject, error),)
            else:
                problems = getattr(error, "sentences", (str(error),))
            if self.leads_back:
                messages.error(request, " ".join(problems))
                return None
            question = self._question(subject)
        shown = replace(question, form=form, problems=question.problems or problems)
        return page.ask(request, shown, **place)

    def _question(self, subject: Any) -> Question:
        if callable(self.question):
            return self.question(subject)
        return replace(self.question, title=self.question.title.format(row=subject))

    def _offered(
        self, page: OrganisedAdmin, request: HttpRequest, subject: Any, form: forms.Form | None
    ) -> dict[str, Any]:
        """What `do` and the sentences may name; a file is read only where `do` asks for its `data`."""
        values: dict[str, Any] = (
            form.cleaned_data if form else {"reason": request.POST.get("reason", "").strip()}
        )
        offered = {
            self.subject(page): subject,
            "now": database_now(),
            "user": request.user,
            "by": request.user,
            "log": partial(page.log_change, request),
            **values,
        }
        if "data" in signature(self.do).parameters:
            offered |= {"data": values["file"].read(), "file_name": values["file"].name}
        return offered

    def _tell(
        self, page: OrganisedAdmin, request: HttpRequest, subject: Any, offered: dict[str, Any]
    ) -> HttpResponse | None:
        """Do it, say and log what was done, and lead on."""
        taken = signature(self.do).parameters
        takes_all = any(one.kind is Parameter.VAR_KEYWORD for one in taken.values())
        done = self.do(**{name: value for name, value in offered.items() if takes_all or name in taken})
        if not isinstance(done, Done):
            words = offered | {"row": subject, "result": done, "count": len(subject) if self.of_many else 1}
            done = (
                self.done(subject, done)
                if callable(self.done)
                else Done(self.done.format(**words), self.log.format(**words).strip())
            )
        goal = done.leads_to
        if done.log and isinstance(subject, HttpRequest):
            page.log_addition(request, goal, done.log)
        elif done.log:
            for row in subject if self.of_many else [subject]:
                page.log_change(request, row, done.log)
        if done.told:
            messages.success(request, done.told)
        for level, sentence in done.also:
            messages.add_message(request, level, sentence)
        return HttpResponseRedirect(address(goal)) if isinstance(goal, Model) else goal

    def subject(self, page: OrganisedAdmin) -> str:
        """What `do` calls the row, or the rows, that it is about: as their model."""
        name = page.opts.verbose_name_plural if self.of_many else page.opts.verbose_name
        return str(name).replace(" ", "_")

    def check(self, page: OrganisedAdmin, name: str) -> Iterator[CheckMessage]:
        """What is wrong with the declaration: a field that `do` does not take, or a parameter that nothing gives."""
        fields = set(getattr(self.form, "base_fields", ()))
        taken = signature(self.do).parameters
        rest = {key for key, one in taken.items() if one.kind is Parameter.VAR_KEYWORD}
        needed = {key for key, one in taken.items() if one.default is Parameter.empty} - rest
        read_apart = fields if rest else {"file"} if "data" in taken else set()
        where = f"{type(page).__name__}.{name}"
        for field in sorted(fields - read_apart - taken.keys()):
            yield Error(f"{where}: `do` has no parameter for the field {field}.", id="heldout.E001")
        for key in sorted(needed - fields - OFFERED - {self.subject(page)}):
            yield Error(f"{where}: nothing gives `do` its parameter {key}.", id="heldout.E002")


@dataclass(frozen=True, slots=True)
class Adding:
    """An `Ask` in the place of a page's empty form; it is given the request instead of a row."""

    ask: Ask

    def __set_name__(self, owner: type[OrganisedAdmin], name: str) -> None:
        """Be the view that Django calls."""

        def add(
            page: OrganisedAdmin, request: HttpRequest, form_url: str = "", extra_context: Any = None
        ) -> HttpResponse | None:
            if not page.has_add_permission(request):
                raise PermissionDenied
            return self.ask.answer(page, request, request, back="../")

        vars(add)["ask"] = self.ask
        owner.may_add = True
        owner.add_view = add  # type: ignore[method-assign,assignment]  # Django allows None for the context


@dataclass(frozen=True, slots=True)
class Selected:
    """An `Ask` about several rows, as an action of their list."""

    ask: Ask
    label: str = ""

    def __set_name__(self, owner: type[OrganisedAdmin], name: str) -> None:
        """Become the method that Django calls."""

        def chosen(
            page: OrganisedAdmin, request: HttpRequest, queryset: QuerySet[Any]
        ) -> HttpResponse | None:
            rows = list(queryset)
            if not rows:
                return None  # rows that went meanwhile, or that whoever asks does not see
            if not page.may(request, self.ask.right, rows):
                raise PermissionDenied
            return self.ask.answer(page, request, rows, selected=rows, action=name)

        vars(chosen)["ask"] = self.ask
        setattr(owner, name, admin.action(description=self.label or self.ask.label)(chosen))
