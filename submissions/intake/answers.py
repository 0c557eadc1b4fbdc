"""The reader of answers in a file of some format."""

from functools import lru_cache

from benchmarks.spec import FileFormat
from catalogue.answers import AnswerKind
from catalogue.answers.reading import AnswerReader


@lru_cache(maxsize=512)
def answer_reader(output: AnswerKind, file: FileFormat) -> AnswerReader:
    return output.reader(file.label_column, file.also_written)
