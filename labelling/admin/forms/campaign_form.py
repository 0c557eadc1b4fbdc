"""What an organiser says of a campaign, on the last of three screens: how, by whom and until when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminIntegerFieldWidget

from labelling.admin.forms.about_form import AboutForm
from labelling.admin.forms.fields import FormSection, line, lines, number, tick, whole
from labelling.admin.forms.question_fit import labels_of, misfit
from labelling.admin.forms.words_form import WordsForm
from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.aggregation.rule import AggregationRule, UnfitSettings
from labelling.core.option_lines import UnfitLines, read_options, write_options, write_words
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion, Option, UnfitQuestion
from labelling.models import Campaign
from labelling.outcomes.purpose import Purpose

SETTING = "setting_"
OPTIONS_HELP = (
    "One a line: value | words on the button | what is meant | alone. All but the value may be left out; “alone” "
    "stands at options that are chosen together with no other, such as none | None of these | no emotion | alone."
)


class CampaignForm(AboutForm, WordsForm):
    """All about a campaign."""

    heading = "Question, work and words"
    title = line("Title", 120, "What workers and organisers call it.")
    row_name = line(
        "Name of the row",
        80,
        "What boards call the people who answer, such as Crowd workers.",
        required=False,
    )
    text = line("Question", 300, "The sentence above the options, in the language of the workers.")
    options = lines("Options", OPTIONS_HELP, rows=6)
    lowest = number("Lowest number", required=False, initial=0)
    highest = number("Highest number", required=False, initial=1)
    wants_reason = tick("A “no” needs a reason")
    options_drawn = tick("Every worker sees the options in an order of their own")
    answers_wanted = whole("Answers per unit", "Of as many different people.", most=1_000, initial=5)
    page_size = whole("Units on a page", most=50, initial=1)
    lease_minutes = whole(
        "Minutes for a page", "What is not answered by then goes to others.", most=10_080, initial=30
    )
    most_per_worker = whole(
        "Most units per worker",
        "Check questions among them; qualification questions come before. Empty: no limit.",
        most=400_000,
        required=False,
    )
    seconds_least = number(
        "Seconds per unit, at least",
        "Faster answers are flagged to you; nobody is excluded for them.",
        min_value=0,
        max_value=9_999,
        initial=0,
    )
    check_share = number(
        "Share of check questions",
        "Of what a worker is given, from 0 to 0.5. They come with the file of units.",
        min_value=0,
        max_value=0.5,
        initial=0,
    )
    check_threshold = number(
        "Right check questions, at least",
        "From 0 to 1; whoever falls below is excluded, and their units are given out again.",
        min_value=0,
        max_value=1,
        initial=0.7,
    )
    check_least = whole("Check questions before anybody is excluded", most=1_000, initial=5)
    qualification_threshold = number(
        "Right qualification questions, at least",
        "From 0 to 1. Empty: whoever has answered all of them goes on.",
        min_value=0,
        max_value=1,
        required=False,
    )
    qualification_median_of = whole(
        "Or at least the median of so many workers",
        "Once so many have answered all qualification questions, whoever has at least their median right goes on; "
        "until then they wait, and later ones are judged at once. Empty: the number above decides.",
        most=1_000,
        required=False,
    )
    language = line("Language", 35, "Of question and texts, such as en, ar, es.", initial="en")
    is_sealed = tick(
        "Answers are sealed",
        "Needed where they tell of hidden labels. Sealed answers are read by no web page.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asked = QUESTION_KINDS[str(self.raw("kind"))]
        key = str(self.raw("rule") or "") if "rule" in self.fields else ""
        self.chosen_rule: AggregationRule | None = AGGREGATION_RULES[key] if key else None
        for setting in self.chosen_rule.settings if self.chosen_rule else ():
            self.fields[f"{SETTING}{setting.name}"] = _setting_field(setting)
        for name in {"options", "lowest", "highest", "wants_reason", "options_drawn"} - {*self.asked.uses}:
            del self.fields[name]
        if self.task is not None and "options" in self.fields:
            known = tuple(
                Option(label, label) for label in (*labels_of(self.task), *self.chosen_purpose.no_labels)
            )
            self.fields["options"].initial = write_options(known)
        if not self.chosen_purpose.has_row:
            del self.fields["row_name"]
        self.sealing = self.chosen_purpose.sealing(self.split_slug)
        if self.sealing is not None:
            del self.fields["is_sealed"]

    def sections(self) -> Iterator[FormSection]:
        settings = tuple(name for name in self.fields if name.startswith(SETTING))
        parts = (
            (
                "Question",
                (
                    "title",
                    "row_name",
                    "text",
                    "options",
                    "lowest",
                    "highest",
                    "wants_reason",
                    "options_drawn",
                ),
            ),
            (f"Rule: {self.chosen_rule.title}" if self.chosen_rule else "", settings),
            (
                "How it is given out",
                ("answers_wanted", "page_size", "lease_minutes", "most_per_worker", "seconds_least"),
            ),
            (
                "Check and qualification questions",
                (
                    "check_share",
                    "check_threshold",
                    "check_least",
                    "qualification_threshold",
                    "qualification_median_of",
                ),
            ),
            (
                "What workers read",
                (
                    "language",
                    "guidelines",
                    "content_warning",
                    "is_blurred",
                    "consent",
                    "pay_note",
                    "words",
                ),
            ),
            ("Who may read the answers", ("is_sealed",)),
        )
        for title, names in parts:
            fields = tuple(self[name] for name in names if name in self.fields)
            if fields:
                yield FormSection(title, fields)

    def clean_options(self) -> tuple[Option, ...]:
        """The options that the lines state."""
        try:
            return read_options(self.cleaned_data["options"])
        except UnfitLines as unfit:
            raise ValidationError([*unfit.sentences]) from None

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if self.errors:
            return values
        question = self.question()
        try:
            self.asked.check(question)
        except UnfitQuestion as unfit:
            self.add_error("options" if "options" in self.fields else "text", str(unfit))
            return values
        if values.get("qualification_median_of") and values.get("qualification_threshold") is not None:
            self.add_error(
                "qualification_median_of",
                "Either a share or the median decides who goes on. Leave one of the two fields empty.",
            )
        purpose = self.chosen_purpose
        if self.task is not None and purpose.always_sealed and purpose.values_are_labels:
            fault = misfit(self.task, question, purpose.no_labels)
            if fault:
                self.add_error("options" if "options" in self.fields else None, fault)
        try:
            rule = self.chosen_rule
            self.settings = rule.checked(self._settings(), question.labels) if rule else {}
        except UnfitSettings as unfit:
            self.add_error(None, str(unfit))
        return values

    def _settings(self) -> dict[str, Any]:
        return {
            name.removeprefix(SETTING): value
            for name, value in self.cleaned_data.items()
            if name.startswith(SETTING)
        }

    def question(self) -> CampaignQuestion:
        """The question that was stated."""
        values = self.cleaned_data
        return CampaignQuestion(
            kind=self.asked.key,
            text=values["text"],
            options=values.get("options", ()),
            lowest=values.get("lowest") or 0.0,
            highest=1.0 if values.get("highest") is None else values["highest"],
            wants_reason=values.get("wants_reason", False),
            options_drawn=values.get("options_drawn", False),
        )

    def columns(self) -> dict[str, Any]:
        """The columns of the campaign that was stated."""
        same = (
            *(
                "title",
                "purpose",
                "row_name",
                "answers_wanted",
                "page_size",
                "lease_minutes",
                "most_per_worker",
            ),
            *("seconds_least", "check_share", "check_threshold", "check_least"),
            *("qualification_threshold", "qualification_median_of"),
            *(
                "language",
                "guidelines",
                "content_warning",
                "is_blurred",
                "consent",
                "pay_note",
                "words",
                "benchmark",
            ),
        )
        values = self.cleaned_data
        return {
            **{name: values[name] for name in same if name in values},
            "rule": values.get("rule", ""),
            "question": self.question().as_json(),
            "rule_settings": self.settings,
            "task": self.task,
            "split_slug": self.split_slug,
            "attack": values.get("attack"),
            "after": values.get("after"),
            "is_sealed": values.get("is_sealed", True) if self.sealing is None else self.sealing,
        }


def stated(campaign: Campaign) -> dict[str, Any]:
    """What a draft says, as the form's own values."""
    asked = campaign.asked
    own = {name: getattr(campaign, name) for name in CampaignForm.base_fields if hasattr(campaign, name)}
    settings = {f"{SETTING}{name}": value for name, value in campaign.rule_settings.items()}
    return {
        **own,
        **settings,
        "benchmark": campaign.benchmark_id,
        "attack": campaign.attack_id,
        "after": campaign.after_id,
        "kind": asked.kind,
        "text": asked.text,
        "options": write_options(asked.options),
        "words": write_words(campaign.words),
        "lowest": asked.lowest,
        "highest": asked.highest,
        "wants_reason": asked.wants_reason,
        "options_drawn": asked.options_drawn,
        "split": f"{campaign.task.slug}/{campaign.split_slug}" if campaign.task else "",
    }


def proposed(purpose: Purpose, sent: Mapping[str, Any]) -> dict[str, Any]:
    """What the protocol of a purpose asks for, as the form's own values, where nothing was sent yet."""
    values = {"kind": purpose.question_kinds[0], "is_sealed": True, **purpose.proposal()}
    settings = values.pop("rule_settings", {})
    return {**values, **{f"{SETTING}{name}": value for name, value in settings.items()}, **sent}


def _setting_field(setting: Any) -> forms.Field:
    label = setting.words[:1].upper() + setting.words[1:]
    if isinstance(setting.default, str):
        return line(label, 64, "The value of one of the options.", initial=setting.default)
    bounds = f"From {setting.lowest:g} to {setting.highest:g}."
    if isinstance(setting.default, int):
        field: forms.Field = forms.IntegerField(
            label=label, widget=UnfoldAdminIntegerFieldWidget, help_text=bounds
        )
    else:
        field = number(label, bounds)
    field.initial = setting.default
    return field
