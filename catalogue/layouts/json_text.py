"""JSON by the letter of RFC 8259, with the line of every value and no depth that could exhaust anything.

The standard library's reader takes NaN, keeps the last of doubled keys and forgets where things stood.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, NoReturn, TypeAlias

from catalogue.problems import Finding, ProblemCode, RefusedError, visible

MAX_DEPTH = 8
_SPACE = re.compile(r"[ \t\r\n]*+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z+-][A-Za-z0-9+.-]*|[0-9][A-Za-z0-9_.+-]*")
# Members and values as nearly all are: a text, number or constant without an escape and on one line, or a list behind
# a key.
_PLAIN = rf'(?:"([^"\\\x00-\x1f]*+)"|({NUMBER.pattern})|(true|false|null))[ \t]*+'
_MEMBER = re.compile(rf'([ \t\r\n]*+)"([^"\\\x00-\x1f]*+)"[ \t]*+:[ \t]*+(?:{_PLAIN}([,}}])|(?=\[))')
_LISTED = re.compile(rf"([ \t\r\n]*+){_PLAIN}([,\]])")
_TEXTS, _BRACKETS = re.compile('"[^"]*+"'), re.compile(r"[\[\]{}]")
_CONSTANTS = {"true": True, "false": False, "null": None}
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number as it is written; who reads it decides what it may be."""

    text: str


class Member(NamedTuple):
    """A key of an object with its value."""

    key: str
    line: int
    value: Node


Value: TypeAlias = "str | NumberText | bool | list[Node] | tuple[Member, ...] | None"


class Node(NamedTuple):
    """A value and the line it begins on. An object is a tuple of its members, a key as often as it stands."""

    value: Value
    line: int

    @property
    def kind(self) -> str:
        return _KINDS.get(type(self.value), "null")


_KINDS = {
    str: "text",
    NumberText: "a number",
    bool: "true or false",
    list: "a list",
    tuple: "an object",
}


def _plain(text: str | None, number: str | None, constant: str) -> Value:
    """The value of which `_PLAIN` found one writing."""
    if text is not None:
        return text
    return _CONSTANTS[constant] if number is None else NumberText(number)


def parse_json(text: str, first_line: int = 1, deepest: int = MAX_DEPTH) -> Node:
    """The one value that the text holds. RefusedError with the line of the first fault."""
    return _Parser(text, first_line, deepest).document()


def compact(node: Node) -> str:
    """The value as JSON writes it on one line: numbers as they stand, and a key as often as it does."""
    value = node.value
    if isinstance(value, NumberText):
        return value.text
    if isinstance(value, list):
        return f"[{','.join(map(compact, value))}]"
    if isinstance(value, tuple):
        members = (f"{_encoded(member.key)}:{compact(member.value)}" for member in value)
        return f"{{{','.join(members)}}}"
    return _encoded(value)


# Made once: `json.dumps` would make one for each value.
_encoded = json.JSONEncoder(ensure_ascii=False).encode


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON.")


def members_at_once(line: str, number: int) -> tuple[Member, ...] | None:
    """The members of an object on one line, read by the standard library; None of anything else.

    It reads what nearly all lines are like in a third of the time; `parse_json` says of any other what it is.
    """
    if "\\" in line or _depth(line) > MAX_DEPTH:
        return None
    _at_once.line = number
    try:
        found = _at_once.decode(line)
    except ValueError:
        return None
    return found if type(found) is tuple else None


class _AtOnce(threading.local):
    """The standard library's reader of one line, for each thread one: what it makes says on which line it stands."""

    def __init__(self) -> None:
        self.line = 0
        self.decode = json.JSONDecoder(
            object_pairs_hook=self._members,
            parse_int=NumberText,
            parse_float=NumberText,
            parse_constant=_no_number,
        ).decode

    def _members(self, pairs: list[tuple[str, Any]]) -> tuple[Member, ...]:
        line = self.line
        return tuple([Member(key, line, self._node(value, line)) for key, value in pairs])

    def _node(self, value: Any, line: int) -> Node:
        return Node([self._node(inner, line) for inner in value] if type(value) is list else value, line)


def _depth(line: str) -> int:
    """How deep a line is nested, or fewer brackets than that could matter."""
    count = line.count("{") + line.count("[")
    if count <= MAX_DEPTH:
        return count
    deepest = depth = 0
    for bracket in _BRACKETS.findall(_TEXTS.sub("", line)):
        depth += 1 if bracket in "{[" else -1
        deepest = max(deepest, depth)
    return deepest


_at_once = _AtOnce()


class _Parser:
    def __init__(self, text: str, first_line: int, deepest: int) -> None:
        self._text = text
        self._deepest = deepest
        self._at = 0
        self._line = first_line

    def document(self) -> Node:
        node = self._value(depth=1)
        if self._next():
            raise self._wrong("the end of the file")
        return node

    def _next(self) -> str:
        """The first character after the white space; empty at the end."""
        character = self._text[self._at : self._at + 1]
        if character and character not in " \t\r\n":
            return character
        match = _SPACE.match(self._text, self._at)
        end = match.end() if match else self._at
        if end > self._at:
            self._line += self._text.count("\n", self._at, end)
            self._at = end
        return self._text[end : end + 1]

    def _value(self, depth: int) -> Node:
        character = self._next()
        line = self._line
        if character == '"':
            return Node(self._string(), line)
        if character in ("{", "["):
            if depth > self._deepest:
                raise RefusedError(
                    Finding(
                        ProblemCode.JSON_TOO_DEEP,
                        f"The file is nested more than {self._deepest} deep here. No answer needs that.",
                    ),
                    line=line,
                )
            self._at += 1
            return Node(self._object(depth) if character == "{" else self._list(depth), line)
        number = NUMBER.match(self._text, self._at)
        if number is not None and self._text[number.end() : number.end() + 1] in (",", "]", "}", "\n"):
            self._at = number.end()
            return Node(NumberText(number[0]), line)
        word = _WORD.match(self._text, self._at)
        if word is not None and word[0] in _CONSTANTS:
            self._at = word.end()
            return Node(_CONSTANTS[word[0]], line)
        if number is None or (word is not None and word.end() > number.end()):
            raise self._wrong("a value", word[0] if word else None)
        self._at = number.end()
        return Node(NumberText(number[0]), line)

    def _object(self, depth: int) -> tuple[Member, ...]:
        members: list[Member] = []
        while True:
            if ordinary := _MEMBER.match(self._text, self._at):
                members.append(self._ordinary_member(ordinary, depth))
                if ordinary[6] == ",":
                    self._at += 1
                elif self._ends("}"):
                    break
                continue
            character = self._next()
            if character == "}" and not members:
                break
            line = self._line
            if character != '"':
                raise self._wrong("a key in quotes")
            key = self._string()
            if self._next() != ":":
                raise self._wrong("a colon after the key")
            self._at += 1
            members.append(Member(key, line, self._value(depth + 1)))
            if self._ends("}"):
                break
        self._at += 1
        return tuple(members)

    def _ordinary_member(self, found: re.Match[str], depth: int) -> Member:
        """The member that `_MEMBER` found; stops before the comma or the bracket behind it."""
        space, key, text, number, constant, end = found.groups()
        self._line += space.count("\n")
        line = self._line
        if end is None:
            self._at = found.end()
            return Member(key, line, self._value(depth + 1))
        self._at = found.end() - 1
        return Member(key, line, Node(_plain(text, number, constant), line))

    def _list(self, depth: int) -> list[Node]:
        values: list[Node] = []
        while True:
            if ordinary := _LISTED.match(self._text, self._at):
                space, text, number, constant, end = ordinary.groups()
                if space:
                    self._line += space.count("\n")
                self._at = ordinary.end()
                values.append(Node(_plain(text, number, constant), self._line))
                if end == "]":
                    return values
                continue
            if self._next() == "]" and not values:
                break
            values.append(self._value(depth + 1))
            if self._ends("]"):
                break
        self._at += 1
        return values

    def _ends(self, bracket: str) -> bool:
        """True at the closing bracket; past the comma otherwise."""
        character = self._next()
        if character == bracket:
            return True
        if character != ",":
            raise self._wrong(f"a comma or {bracket}")
        self._at += 1
        return False

    def _string(self) -> str:
        match = _STRING.match(self._text, self._at)
        if match is None:
            raise self._wrong("text in quotes that close on the same line")
        self._at = match.end()
        literal = match[0]
        if "\\" not in literal:
            return literal[1:-1]
        text: str = json.loads(literal)
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise RefusedError(
                Finding(
                    ProblemCode.JSON_SYNTAX,
                    f"{visible(literal)} holds half of a character (an escape such as \\ud800 alone).",
                ),
                line=self._line,
            )
        return text

    def _wrong(self, expected: str, found: str | None = None) -> RefusedError:
        kind = (ProblemCode.NUMBER_NOT_FINITE if found in _NOT_FINITE else ProblemCode.JSON_SYNTAX, "")
        return RefusedError(
            partial(_fault, self._text, self._at, expected, found), kind=kind, line=self._line
        )


def _fault(text: str, at: int, expected: str, found: str | None) -> Finding:
    """What is wrong at that place of the text, where something else was expected; `found` is the word there, if any."""
    if found in _NOT_FINITE:
        return Finding(
            ProblemCode.NUMBER_NOT_FINITE,
            f"{found} is not JSON and not a finite number. Give a finite number.",
            found,
            "a finite number",
        )
    shown = visible(found or text[at : at + 20].partition("\n")[0])
    advice = (
        " JSON has texts in double quotes, as Python's json.dumps writes them."
        if text[at : at + 1] == "'"
        else ""
    )
    there = f"“{shown}”" if shown else "the end of the file"
    return Finding(
        ProblemCode.JSON_SYNTAX,
        f"This is not valid JSON: {expected} was expected here, and {there} found.{advice}",
        shown,
        expected,
    )
