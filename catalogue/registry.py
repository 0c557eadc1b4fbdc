"""The members of one closed set, by key and in order, and how they are found in the modules of a folder."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from types import ModuleType
from typing import Generic, Protocol, TypeVar


class Keyed(Protocol):
    """What a registry can hold: `key` is the word that definitions and stored rows use."""

    @property
    def key(self) -> str:
        """The word that stands for the member."""


Member = TypeVar("Member", bound=Keyed)


class UnknownMember(KeyError):
    """A key that no member has; the message names the keys nearest to it."""

    def __init__(self, what: str, key: str, keys: list[str]) -> None:
        near = get_close_matches(key, keys)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(keys)}."
        self.message = f"There is no {what} `{key}`. {hint}"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class Registry(Generic[Member]):
    """The members of a closed set. `what` names one of them in messages, such as "kind of answer".

    With `first`, the members of these keys come first, in this order, and all others after them by their keys.

    Raises
    ------
    ValueError
        If two members have the same key, or if `first` names a key that no member has.
    """

    def __init__(self, what: str, *members: Member, first: Sequence[str] | None = None) -> None:
        self.what = what
        self._members: dict[str, Member] = {}
        for member in members:
            self._add(member)
        if first is not None:
            if lacking := [key for key in first if key not in self]:
                raise ValueError(f"No member of the set has the key `{lacking[0]}`: {what}.")
            others = sorted(self._members.keys() - set(first))
            self._members = {key: self._members[key] for key in (*first, *others)}

    def __getitem__(self, key: str) -> Member:
        """The member of that key; UnknownMember where there is none."""
        try:
            return self._members[key]
        except KeyError:
            raise UnknownMember(self.what, key, self.keys()) from None

    def __iter__(self) -> Iterator[Member]:
        """The members in the order in which pages list them."""
        return iter(tuple(self._members.values()))

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, key: object) -> bool:
        return key in self._members

    def keys(self) -> list[str]:
        return list(self._members)

    @contextmanager
    def extended(self, member: Member) -> Iterator[Member]:
        """The set with one more member, for as long as the context lasts. For tests."""
        self._add(member)
        try:
            yield member
        finally:
            self._remove(member)

    def _add(self, member: Member) -> None:
        if member.key in self._members:
            raise ValueError(f"There are two members `{member.key}` of the set: {self.what}.")
        self._members[member.key] = member

    def _remove(self, member: Member) -> None:
        del self._members[member.key]


def modules_of(package: str, besides: Collection[str] = ()) -> list[ModuleType]:
    """The imported modules of a package in the order of their names; those named by `besides` are left out.

    `besides` names the modules that import the registry themselves.
    """
    names = [module.name for module in iter_modules(import_module(package).__path__)]
    return [import_module(f"{package}.{name}") for name in names if name not in besides]


def objects_of(package: str, besides: Collection[str] = ()) -> list[object]:
    """What stands at the top of the modules of a package, each object once, in the order of `modules_of`."""
    values = [value for module in modules_of(package, besides) for value in vars(module).values()]
    return list({id(value): value for value in values}.values())


def classes_of(package: str, besides: Collection[str] = ()) -> list[type]:
    """The classes of a package's modules that leave nothing abstract."""
    return [
        found for found in objects_of(package, besides) if isinstance(found, type) and not isabstract(found)
    ]
