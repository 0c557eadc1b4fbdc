"""What is wrong with a line, document or query of a run or of judgements, in sentences."""

from collections.abc import Callable, Sequence
from functools import partial

from catalogue.answers.reading import number_fault
from catalogue.layouts.text_lines import MAX_CELL
from catalogue.problems import Finding, ProblemCode, counted, quoted, visible

RUN_FIELDS = ("query", "Q0", "document", "rank", "score", "tag")


def fields_of_another_number(
    code: ProblemCode, line: str, cells: Sequence[str], names: Sequence[str]
) -> Finding:
    expected = " ".join(names)
    fields = counted(len(cells), "field")
    message = f"The line has {fields} where {len(names)} are expected: {expected}."
    if code is ProblemCode.SHORT_ROW and len(cells) == len(names) - 1:
        message += f" The last, {names[-1]}, seems to be missing."
    return Finding(code, message, visible(line), expected)


def number_of_document(cell: str, name: str, *, is_named: bool) -> tuple[Callable[[], Finding], ProblemCode]:
    if name == "grade":
        message = (
            f"The grade {quoted(cell)} is not a whole number. Give one, such as 0 for what is not relevant."
        )
        code = ProblemCode.NOT_A_GRADE
        return partial(Finding, code, message, visible(cell), "a whole number"), code
    if name == "rank":
        message = (
            f"The rank {quoted(cell)} is not a whole number. Give 1 for the best document."
            if is_named
            else f"The last of three fields is the rank, and {quoted(cell)} is not a whole number. Give 1 for the best "
            f"document; where there are scores, give all six fields: {' '.join(RUN_FIELDS)}."
        )
        code = ProblemCode.NOT_A_NUMBER
        return partial(Finding, code, message, visible(cell), "a whole number from 1 on"), code
    fault = number_fault(cell)
    code = fault if fault is ProblemCode.NUMBER_NOT_FINITE else ProblemCode.NOT_A_NUMBER
    what = "not a finite number" if code is ProblemCode.NUMBER_NOT_FINITE else "not a number"
    message = f"The score {quoted(cell)} is {what}, and has no place in an order. Give a finite number, such as 12.5."
    return partial(Finding, code, message, visible(cell), "a finite number"), code


def document_again(query: str, document: str) -> Finding:
    message = (
        f"The document {quoted(document)} stands here for query {quoted(query)} a second time. Keep one line."
    )
    return Finding(ProblemCode.DOCUMENT_TWICE, message, visible(document), "each document once for a query")


def ranks_not_in_turn(query: str, count: int) -> Finding:
    expected = f"each rank from 1 to {count:,} once"
    message = f"Query {quoted(query)} has {count:,} documents. Give their ranks, {expected}; 1 is the best."
    return Finding(ProblemCode.NUMBER_OUT_OF_RANGE, message, "other ranks", expected)


def no_id_of_document(document: str) -> Finding:
    message = f"{quoted(document)} is no id of a document. Give one without blanks, of at most {MAX_CELL:,} characters."
    return Finding(ProblemCode.ID_SPELLING, message, visible(document), "an id without blanks")


def long_line_of_run(line: str) -> Finding:
    message = f"The line has {len(line):,} characters; at most {MAX_CELL:,} are read."
    return Finding(ProblemCode.CELL_TOO_LONG, message, visible(line))


def lines_beyond(most: int) -> Finding:
    message = f"The file has more than {most:,} lines, far more than queries need. Reading stopped here."
    return Finding(ProblemCode.TOO_MANY_ROWS, message)
