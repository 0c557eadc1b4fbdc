"""What workers read, which may still be mended while a campaign runs."""

from django import forms
from django.core.exceptions import ValidationError

from labelling.admin.forms.fields import line, lines, tick
from labelling.core.option_lines import UnfitLines, read_words


class WordsForm(forms.Form):
    """What workers read beside question and options; it can be mended while they work."""

    guidelines = lines(
        "Guidelines", "Markdown; with examples and why. One key away while people work.", rows=8
    )
    content_warning = line(
        "Content warning",
        300,
        "Named before anybody joins, such as “contains slurs and threats”.",
        required=False,
    )
    is_blurred = tick("Texts are blurred until they are pointed at")
    consent = lines("Consent", "What workers agree to before they join: what is kept, for what, by whom.")
    pay_note = line("Pay", 300, "What is paid, when, and how long it takes.", required=False)
    words = lines(
        "Buttons and notes in other words",
        "One a line: key: words, such as send: Weiter. The handbook's page on labelling lists the keys.",
        rows=4,
    )

    def clean_words(self) -> dict[str, str]:
        """The words that the lines state."""
        try:
            return read_words(self.cleaned_data["words"])
        except UnfitLines as unfit:
            raise ValidationError([*unfit.sentences]) from None
