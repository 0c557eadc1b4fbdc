"""Any number of labels."""

from collections.abc import Mapping, Sequence

from labelling.core.answers import Value
from labelling.core.questions.question import CampaignQuestion, QuestionKind, Sent, UnfitAnswer

SEPARATOR = "|"
"""Between the labels in a cell of a file."""


class SeveralLabels(QuestionKind):
    """At least one of the options; one that stands alone with no other."""

    key = "several_labels"
    title = "several labels"
    page = "labelling/questions/several_labels.html"
    fields = ("labels",)

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        chosen = sent.get("labels", ())
        for label in chosen:
            if label not in question.labels:
                raise UnfitAnswer(f"“{label}” is none of the options.")
        if not chosen:
            raise UnfitAnswer("Nothing is chosen. Choose at least one option.")
        alone = next((each.text for each in question.options if each.alone and each.value in chosen), "")
        if alone and len(set(chosen)) > 1:
            raise UnfitAnswer(f"“{alone}” cannot be chosen together with others.")
        return tuple(label for label in question.labels if label in chosen)

    def sent(self, cells: Mapping[str, str]) -> Sent:
        return {name: cells[name].split(SEPARATOR) for name in self.fields}

    def cells(self, value: Value) -> tuple[str, ...]:
        return (SEPARATOR.join(value) if isinstance(value, tuple) else str(value),)

    def in_words(self, value: Value, question: CampaignQuestion) -> str:
        words = {option.value: option.text for option in question.options}
        return ", ".join(words.get(each, each) for each in value) if isinstance(value, tuple) else str(value)
