"""The form for a new token."""

from typing import Any, cast

from django import forms

from accounts.formats.names import one_line
from accounts.models import TOKEN_NAME_LENGTH, User
from accounts.tokens.scopes import Scope
from accounts.tokens.services import LIFE_DAYS, LONGEST_LIFE_DAYS, benchmarks_for_tokens


class TokenForm(forms.Form):
    """What the token is for, what it may do, where, and how long."""

    name = forms.CharField(
        max_length=TOKEN_NAME_LENGTH, help_text="What will use it, such as “nightly run on the cluster”."
    )
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=[(scope.value, f"{scope.value}: {scope.label}") for scope in Scope],
        initial=[Scope.READ.value, Scope.SUBMIT.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )
    benchmark = forms.ChoiceField(
        label="For", required=False, help_text="A token for one benchmark is refused at all others."
    )
    days = forms.IntegerField(
        label="Days until it ends",
        initial=LIFE_DAYS,
        min_value=1,
        max_value=LONGEST_LIFE_DAYS,
        help_text=f"At most {LONGEST_LIFE_DAYS}.",
    )

    def __init__(self, user: User, data: Any) -> None:
        super().__init__(data)
        chooser = cast(forms.ChoiceField, self.fields["benchmark"])
        chooser.choices = [("", "all benchmarks"), *benchmarks_for_tokens(user)]

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])

    def clean_scopes(self) -> list[Scope]:
        return [Scope(one) for one in self.cleaned_data["scopes"]]
