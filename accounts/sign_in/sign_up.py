"""What a person is asked besides an address and a password: a name, and where their clock stands."""

import zoneinfo
from typing import Any

from django import forms

from accounts.formats.names import one_line
from accounts.models import NAME_LENGTH, User


class SignUpForm(forms.Form):
    """allauth's form for signing up is built upon it. The time zone is the browser's own, which heldout.js fills in."""

    name = forms.CharField(
        required=False,
        max_length=NAME_LENGTH,
        help_text="Your teammates see it. Without one they see your e-mail address.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    timezone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-own-zone": True}))

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])

    def clean_timezone(self) -> str:
        """The zone if it is one; nobody is kept from signing up by a browser that says something else."""
        found = str(self.cleaned_data["timezone"])
        return found if found in zoneinfo.available_timezones() else ""

    def signup(self, request: Any, user: User) -> None:
        """Called by allauth once the account is made."""
        user.name = self.cleaned_data["name"]
        user.timezone = self.cleaned_data["timezone"] or user.timezone
        user.save(update_fields=["name", "timezone"])
