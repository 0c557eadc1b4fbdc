"""A number within a range."""

import re
from collections.abc import Sequence

from labelling.core.answers import Value
from labelling.core.questions.question import (
    CampaignQuestion,
    QuestionKind,
    Sent,
    UnfitAnswer,
    UnfitQuestion,
    one,
)

_NUMBER = re.compile(r"[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})", re.ASCII)


class NumberQuestion(QuestionKind):
    """A decimal number from the lowest to the highest, both included."""

    key = "number"
    title = "number"
    needs_options = False
    uses = ("lowest", "highest")
    page = "labelling/questions/number.html"
    fields = ("number",)

    def check(self, question: CampaignQuestion) -> None:
        super().check(question)
        if not question.lowest < question.highest:
            raise UnfitQuestion(f"The range from {question.lowest:g} to {question.highest:g} is empty.")

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        written = one(sent, "number").strip()
        if not _NUMBER.fullmatch(written):
            raise UnfitAnswer(
                f"“{written}” is no number. Write one such as 0.5." if written else "There is no number yet."
            )
        value = float(written)
        if not question.lowest <= value <= question.highest:
            raise UnfitAnswer(
                f"{written} is not in the range from {question.lowest:g} to {question.highest:g}."
            )
        return value

    def loaded(self, kept: object) -> Value:
        return float(str(kept))
