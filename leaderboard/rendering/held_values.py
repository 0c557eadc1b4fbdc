"""What a process keeps in memory, so that the next answer need not make it again: up to a size in all."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class HeldValues(Generic[Key, Value]):
    """Values by key; where together they are more than `most`, what nobody has asked for longest goes.

    `size_of` says how much one is, in the unit of `most`. What was made last stays, however large it is. A value is
    held in one version: another one takes its place. Threads may share it; two that lack the same value both make it.
    """

    def __init__(self, most: int, size_of: Callable[[Value], int]) -> None:
        self._most, self._size_of, self._size = most, size_of, 0
        self._values: OrderedDict[Key, tuple[Hashable, Value]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: Key, version: Hashable = None) -> Value | None:
        """The value of that key, if it is held in that version."""
        with self._lock:
            held = self._values.get(key)
            if held is None or held[0] != version:
                return None
            self._values.move_to_end(key)
            return held[1]

    def take(self, key: Key, version: Hashable = None) -> Value | None:
        """The same, and hold it no more: whoever takes it may change it and keep it again."""
        with self._lock:
            if key not in self._values:
                return None
            held_version, value = self._values.pop(key)
            self._size -= self._size_of(value)
            return value if held_version == version else None

    def keep(self, key: Key, value: Value, version: Hashable = None) -> None:
        """Hold this value from now on."""
        with self._lock:
            if key in self._values:
                self._size -= self._size_of(self._values.pop(key)[1])
            self._values[key] = version, value
            self._size += self._size_of(value)
            while self._size > self._most and len(self._values) > 1:
                self._size -= self._size_of(self._values.popitem(last=False)[1][1])

    def get(self, key: Key, make: Callable[[], Value], version: Hashable = None) -> Value:
        """The value of that key in that version, made and held if it is not."""
        value = self.find(key, version)
        if value is None:
            value = make()
            self.keep(key, value, version)
        return value
