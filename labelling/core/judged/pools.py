"""Which documents people judge of a ranking task: the first of every system's list, query by query."""

from collections.abc import Iterable, Mapping, Sequence

from catalogue.answers.open_ended.ranked_list import BETWEEN


def pooled(lists: Iterable[Sequence[str]], depth: int) -> list[list[str]]:
    """Of each query the documents that stand among the first `depth` of any list, sorted by their ids.

    `lists` have one text per query, the documents with blanks between them. In which list a document stood, and where,
    is told by nothing.

    References
    ----------
    Sparck Jones and van Rijsbergen (1975), Report on the need for and provision of an ideal information retrieval test
    collection.

    >>> pooled([["d2 d9 d1"], ["d2 d3"]], 2)
    [['d2', 'd3', 'd9']]
    """
    found: list[set[str]] = []
    for of_system in lists:
        found = found or [set() for _ in of_system]
        for query, documents in zip(found, of_system, strict=True):
            query.update(documents.split(BETWEEN)[:depth] if documents else ())
    return [sorted(query) for query in found]


def with_new_grades(
    judged: Mapping[str, Mapping[str, int]], graded: Mapping[tuple[str, str], int]
) -> dict[str, dict[str, int]]:
    """Judgements by query with what people said of the pool in place of, or beside, what was there.

    >>> with_new_grades({"q": {"d1": 2, "d7": 1}}, {("q", "d1"): 0, ("q", "d2"): 3})
    {'q': {'d1': 0, 'd7': 1, 'd2': 3}}
    """
    found = {query: dict(grades) for query, grades in judged.items()}
    for (query, document), grade in graded.items():
        found.setdefault(query, {})[document] = grade
    return found
