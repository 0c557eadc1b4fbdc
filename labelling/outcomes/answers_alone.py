"""Answers that are wanted for themselves."""

from labelling.core.questions import QUESTION_KINDS
from labelling.outcomes.purpose import Finished, Purpose, Settled


class AnswersPurpose(Purpose):
    """Nothing but the values and figures; they are exported."""

    key = "answers"
    title = "Answers alone"
    sentence = (
        "Nothing is made of the answers. Where they are not sealed, values per item and single answers can be "
        "exported."
    )
    question_kinds = tuple(QUESTION_KINDS.keys())
    rules = None

    def finish(self, settled: Settled) -> Finished:
        return Finished()
