"""What labels are kinds of: from what a definition says to each label's ancestors."""

from collections.abc import Iterable
from itertools import chain

from catalogue.section import Section

Parents = tuple[tuple[str, tuple[str, ...]], ...]
"""What names are kinds of, as (name, others); the others need not be labels."""


def declared_parents(output: Section, labels: tuple[str, ...], unfit: str) -> Parents:
    """What labels are kinds of, as a definition states it: a text each, or a list of texts.

    `unfit` are the signs that no name may have in it.
    """
    given = output.raw("parents") or {}
    parents: list[tuple[str, tuple[str, ...]]] = []
    for child, above in given.items() if isinstance(given, dict) else [(None, None)]:
        names = [above] if isinstance(above, str) else above
        if not isinstance(names, list) or not all(isinstance(name, str) for name in (child, *names)):
            output.wrong("parents", "expected a mapping from texts to a text or a list of texts each")
            return ()
        parents.append((str(child), tuple(names)))
    found = tuple(parents)
    known = {*labels, *chain.from_iterable(above for _, above in found)}
    for child, above in found:
        if child not in known:
            output.wrong("parents", f"{child!r} is neither a label nor what another label is a kind of")
        if any(not name or unfit in name for name in above):
            output.wrong("parents", f"{child!r}: expected names that are not empty and have no `{unfit}`")
        elif child in with_ancestors(found, above):
            output.wrong("parents", f"{child!r} is a kind of itself")
    return found


def with_ancestors(parents: Parents, names: Iterable[str]) -> set[str]:
    """The names, and all that they are kinds of."""
    above, found, coming = dict(parents), set[str](), [*names]
    while coming:
        name = coming.pop()
        if name not in found:
            found.add(name)
            coming += above.get(name, ())
    return found


def all_names(labels: Iterable[str], parents: Parents) -> tuple[str, ...]:
    """The labels, and then all that they are kinds of and are no labels."""
    above = (name for child, of_child in parents for name in (child, *of_child))
    return tuple(dict.fromkeys((*labels, *above)))


def has_one_tree(parents: Parents) -> bool:
    """Whether no name is a kind of two others."""
    return all(len(above) < 2 for _, above in parents)
