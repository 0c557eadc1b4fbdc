"""Forms about people and teams."""

import zoneinfo
from itertools import groupby
from typing import Any

from django import forms

from accounts.formats.names import one_line
from accounts.models import MailKind, Team, User

_LEGACY = ("Etc/", "posix/", "right/", "SystemV/")


def timezone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every IANA zone that is named after a place, by continent, and UTC."""
    names = [name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith(_LEGACY)]
    groups = [
        (continent, [(name, name.partition("/")[2].replace("_", " ").replace("/", ", ")) for name in found])
        for continent, found in groupby(sorted(names), key=lambda name: name.partition("/")[0])
    ]
    return [("UTC and others", [("UTC", "UTC")]), *groups]


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    class Meta:
        model = User
        fields = ["name", "timezone"]
        labels = {"name": "Name"}
        help_texts = {"name": "Your teammates see it. Without one they see your e-mail address."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = timezone_choices()
        if not any(self.instance.timezone == name for _, zones in choices for name, _ in zones):
            choices[0][1].append((self.instance.timezone, self.instance.timezone))
        self.fields["timezone"].widget = forms.Select(choices=choices)
        self.fields["name"].widget.attrs["autocomplete"] = "name"

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])


class MailForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    """Which kinds of mail a person wants. Of those about the server only who runs it is asked."""

    class Meta:
        model = User
        fields = [f"mail_{kind.value}" for kind in MailKind]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.is_superuser:
            del self.fields[f"mail_{MailKind.OPERATION.value}"]


class TeamForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    class Meta:
        model = Team
        fields = ["name"]
        labels = {"name": "Name"}
        help_texts = {"name": "It stands beside your systems on every board. Up to 80 characters."}
        error_messages = {"name": {"unique": "There is a team of this name already. Choose another name."}}

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])
