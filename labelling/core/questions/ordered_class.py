"""One class of an ordered scale."""

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


class OrderedClassQuestion(QuestionKind):
    """One of options whose values are whole numbers that grow, such as 0 to 3."""

    key = "ordered_class"
    title = "ordered class"
    page = "labelling/questions/one_label.html"

    def check(self, question: CampaignQuestion) -> None:
        super().check(question)
        try:
            classes = [int(value) for value in question.labels]
        except ValueError:
            raise UnfitQuestion(
                "The values of ordered classes must be whole numbers, such as 0, 1, 2."
            ) from None
        for value, number in zip(question.labels, classes, strict=True):
            if value != str(number):  # answers are kept as numbers, and would find no option again
                raise UnfitQuestion(
                    f"The value “{value}” must be written {number}. Workers may read it as it is: “{number} | {value}”."
                )
        if classes != sorted(classes):
            raise UnfitQuestion("The values of ordered classes must grow from the first option to the last.")

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        chosen = one(sent, "label")
        if chosen not in question.labels:
            raise UnfitAnswer(
                f"“{chosen}” is none of the classes." if chosen else "Nothing is chosen. Choose one class."
            )
        return int(chosen)
