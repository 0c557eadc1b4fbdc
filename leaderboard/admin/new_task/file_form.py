"""The file of a new task, which every screen of the wizard is sent with."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget

from catalogue.layouts import LAYOUTS
from submissions.intake.tables.labelled import TABLE

MAX_MEGABYTES = 32
NAMES, ITEM = "names", "item"


class TableForm(forms.Form):
    """The file alone: asked for at every step, because the server does not keep it."""

    use_required_attribute = False

    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text=(
            f"In UTF-8, with at most {MAX_MEGABYTES} MB. The server does not keep the file between the steps, so that "
            "no label lies about unsealed: unless your browser sends it again by itself, choose it once more at each "
            "step."
        ),
    )
    layout = forms.ChoiceField(
        label="How the file is written",
        required=False,
        choices=[
            ("", "Find out"),
            (TABLE, "A table: CSV or TSV"),
            *((layout.key, layout.title) for layout in LAYOUTS if layout.can_be_seen),
        ],
        widget=UnfoldAdminSelectWidget,
    )
    first_line = forms.ChoiceField(
        label="First line of a table",
        required=False,
        choices=[("", "Find out"), (NAMES, "It names the columns"), (ITEM, "It is an item already")],
        widget=UnfoldAdminSelectWidget,
    )

    def clean_file(self) -> UploadedFile[Any]:
        """Of a size that is read while somebody waits."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_MEGABYTES * 1024 * 1024:
            raise ValidationError(
                f"The file has more than {MAX_MEGABYTES} MB. Load its gold labels with manage.py load_gold."
            )
        return file
