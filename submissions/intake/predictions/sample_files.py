"""Sample submissions: the same answer for every item, written as the reader wants it. They show the form alone."""

from collections.abc import Sequence

from catalogue.answers import AnswerKind, Answers
from submissions.intake.canonical import CanonicalPredictions, SplitTarget
from submissions.intake.predictions.file_writer import write_files


def sample_answers(output: AnswerKind, count: int) -> Answers:
    """The same answer `count` times, as a canonical array: it knows nothing but the kind of answer.

    The first label; a subset without labels; the class nearest to 0; the middle of a range of numbers; a dash for a
    span of text. A label's confidence is 0.
    """
    return output.array([output.sample()] * count)


def sample_files(targets: Sequence[SplitTarget], *, seeds: int = 1) -> dict[str, bytes]:
    """Every file of an upload that answers all the targets with each of the seeds, by its path in the zip."""
    predictions = (
        CanonicalPredictions(
            target.task.id, target.split, sample_answers(target.task.output, len(target.ids)), seed
        )
        for seed in range(1, seeds + 1)
        for target in targets
    )
    return write_files(targets, predictions, seeds=seeds)
