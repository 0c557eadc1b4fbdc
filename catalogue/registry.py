"""The members of one closed set, by key and in order."""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
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

    Raises
    ------
    ValueError
        If two members have the same key.
    """

    def __init__(self, what: str, *members: Member) -> None:
        self.what = what
        self._members: dict[str, Member] = {}
        for member in members:
            self._add(member)

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
            del self._members[member.key]

    def _add(self, member: Member) -> None:
        if member.key in self._members:
            raise ValueError(f"There are two members `{member.key}` of the set: {self.what}.")
        self._members[member.key] = member
