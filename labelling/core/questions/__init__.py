"""The kinds of question that a campaign may ask, a module each.

Each says how a question of it is checked and how an answer is read (`question.QuestionKind`). To add one, write its
class and the part of a template that asks it; `tests/contracts/test_question_kinds.py` holds it to the rest.
"""

from catalogue.registry import Registry, classes_of
from labelling.core.questions.question import QuestionKind

QUESTION_KINDS = Registry[QuestionKind](
    "kind of question",
    *(kind() for kind in classes_of(__name__) if issubclass(kind, QuestionKind)),
    first=(
        "one_label",
        "several_labels",
        "ordered_class",
        "best_worst",
        "yes_no",
        "number",
        "which_of_two",
        "writing",
    ),
)
