"""Metrics that a definition writes with parameters, as `f1_micro_excluding[Other]` or `mean[f1_macro,accuracy]`.

Between the brackets stand labels, names of metrics and numbers, separated by commas. A label may have a comma in its
name, and a metric one in its brackets, so that pieces are put together until each is one that there is.
"""

from collections.abc import Callable, Sequence
from math import isfinite

from catalogue.answers import AnswerKind
from catalogue.metrics.labels.some_labels import f_beta_metric, of_some_labels
from catalogue.metrics.metric import AnyMetric

_LONGEST = 64  # characters of a name: scores are stored under it


_Made = Callable[[AnswerKind, str, Sequence[str]], AnyMetric | None]


def _labels(kind: AnswerKind, pieces: Sequence[str]) -> tuple[str, ...] | None:
    """Distinct declared labels that the pieces are, each of one piece or of several with commas in between."""
    found = joined(pieces, frozenset(kind.labels).__contains__)
    return found if found and len(set(found)) == len(found) else None


def joined(pieces: Sequence[str], is_one: Callable[[str], bool]) -> tuple[str, ...] | None:
    """Neighbouring pieces put together so that `is_one` holds of each, the first as short as can be; None if none fit.

    >>> joined(["a", "b(1", "2)"], {"a", "b(1,2)"}.__contains__)
    ('a', 'b(1,2)')
    """
    of_rest: list[tuple[str, ...] | None] = [()]  # of the last pieces: none, one, two and so on
    for start in reversed(range(len(pieces))):
        ways = (
            (one, *rest)
            for end in range(start + 1, len(pieces) + 1)
            if (rest := of_rest[len(pieces) - end]) is not None and is_one(one := ",".join(pieces[start:end]))
        )
        of_rest.append(next(ways, None))
    return of_rest[-1]


def _some(measure: str, average: str, *, is_excluding: bool) -> _Made:
    def make(kind: AnswerKind, name: str, pieces: Sequence[str]) -> AnyMetric | None:
        named = _labels(kind, pieces)
        if not named or (is_excluding and len(named) == len(kind.labels)):
            return None
        asked = tuple(label for label in kind.labels if label not in named) if is_excluding else named
        said = f"but for {', '.join(named)}" if is_excluding else f"of {', '.join(named)}"
        return of_some_labels(kind, name, measure, average, asked, said)

    return make


def _f_beta(kind: AnswerKind, name: str, pieces: Sequence[str]) -> AnyMetric | None:
    beta, labels = beta_of(pieces[0]), _labels(kind, pieces[1:])
    return f_beta_metric(kind, name, beta, labels) if beta and labels else None


def beta_of(text: str) -> float | None:
    """The beta of an F-beta as a name writes it; None unless it is a finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) and number > 0 else None


# By what stands before the brackets, who makes the metric of the pieces between them; None where it cannot.
_MAKERS: dict[str, _Made] = {
    **{
        f"{measure}_{average}{'_excluding' if is_excluding else ''}": _some(
            measure, average, is_excluding=is_excluding
        )
        for measure in ("f1", "precision", "recall")
        for average in ("macro", "micro")
        for is_excluding in (False, True)
    },
    "f_beta": _f_beta,
}


def parts_of(name: str) -> tuple[str, list[str]] | None:
    """What stands before the brackets, and the pieces between them; None of a name without.

    >>> parts_of("f1_macro[no,yes]")
    ('f1_macro', ['no', 'yes'])
    """
    stem, bracket, rest = name.partition("[")
    pieces = rest[:-1].split(",")
    is_written_so = bracket and rest.endswith("]") and all(pieces) and len(name) <= _LONGEST
    return (stem, pieces) if is_written_so else None


def with_parameters(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The metric of labels or numbers between brackets; None if the name is no such name or does not fit.

    Examples
    --------
    >>> from catalogue.answers import Label
    >>> with_parameters(Label(names=("no", "yes", "other")), "f1_micro_excluding[other]").title
    'F1 micro but for other'
    """
    parts = parts_of(name)
    if not kind.counted_labels or parts is None or parts[0] not in _MAKERS:
        return None
    return _MAKERS[parts[0]](kind, name, parts[1])
