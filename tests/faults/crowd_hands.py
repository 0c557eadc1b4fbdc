"""People who label over HTTP, and what goes wrong with them."""

import http.client
import re
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlencode

PATIENCE = 180.0
_FIELD = re.compile(r'name="([^"]+)" value="([^"]*)"')
Form = list[tuple[str, str]]


@dataclass
class Crowd:
    """What all of them share. `acknowledged` are client ids whose answers the server has said to have kept."""

    port: int
    study: str
    is_over: threading.Event = field(default_factory=threading.Event)
    acknowledged: list[str] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)


class Hand:
    """One person with cookies of their own, who tries again as the script of the page does where nobody answers."""

    def __init__(self, crowd: Crowd, name: str) -> None:
        self._crowd = crowd
        self._study = f"{crowd.study}?PROLIFIC_PID={name}"
        self._work = crowd.study.split("/panel/")[0] + "/answer/"
        self._cookies: dict[str, str] = {}
        self.page = ""

    def join(self) -> None:
        page = self._read("GET", self._study)
        consent = [(name, value) for name, value in _FIELD.findall(page) if name != "agreed"]
        self.page = self._read("POST", self._study, consent)

    def form(self, label: str = "good") -> Form:
        """What the page sends with that label chosen; empty where nothing is left."""
        body = self.page.partition('class="work"')[2].partition("</form>")[0]
        sent = [(name, value) for name, value in _FIELD.findall(body) if not name.endswith("-label")]
        units = [value for name, value in sent if name == "unit"]
        sent = [(name, value) for name, value in sent if name != "give_back"]
        return [*sent, *((f"{unit}-label", label) for unit in units)] if units else []

    def look(self) -> None:
        """Open the work again."""
        self.page = self._read("GET", self._work)

    def send(self, form: Form) -> None:
        self.page = self._read("POST", self._work, form)

    def _read(self, method: str, path: str, form: Form | None = None) -> str:
        """The page at an address or the one that it leads to, however often the server is away meanwhile."""
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError, http.client.HTTPException):
                status, to, body = self._ask(method, path, form)
                if form and status == http.HTTPStatus.FOUND:
                    self._crowd.acknowledged += [value for name, value in form if name.endswith("-client")]
                if status == http.HTTPStatus.FOUND:
                    return self._read("GET", to)
                if status >= http.HTTPStatus.BAD_REQUEST:
                    self._crowd.refused.append(status)
                return body
            if time.monotonic() > deadline:
                raise AssertionError(f"{method} {path}: the server was away for {PATIENCE:.0f} s")
            time.sleep(0.2)

    def _ask(self, method: str, path: str, form: Form | None) -> tuple[int, str, str]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection("127.0.0.1", self._crowd.port, timeout=60)
        try:
            connection.request(method, path, urlencode(form) if form is not None else None, headers)
            answer = connection.getresponse()
            body = answer.read().decode()
        finally:
            connection.close()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, rest = cookie.partition("=")
            self._cookies[name] = rest.partition(";")[0]
        return answer.status, answer.headers.get("Location", ""), body


def to_the_end(hand: Hand, crowd: Crowd, times: int = 1) -> None:
    """Answer, each page so many times, until all is done; who finds nothing looks again."""
    hand.join()
    while not crowd.is_over.is_set():
        if form := hand.form():
            for _ in range(times):
                hand.send(form)
        else:
            crowd.is_over.wait(0.5)
            hand.look()


def in_two_tabs(hand: Hand, crowd: Crowd) -> None:
    """Open each page twice, answer it in both, and in the second otherwise."""
    hand.join()
    while not crowd.is_over.is_set():
        first = hand.form()
        if not first:
            crowd.is_over.wait(0.5)
        hand.look()
        second = hand.form("bad")
        if first:
            hand.send(first)
            hand.send(second)


def vanishing(hand: Hand, crowd: Crowd) -> None:
    """Answer twice, and close the browser over the third."""
    hand.join()
    for _ in range(2):
        hand.send(hand.form())


def coming_back(hand: Hand, crowd: Crowd) -> None:
    """The same, and hand in the third when all the others have finished."""
    vanishing(hand, crowd)
    form = hand.form()
    crowd.is_over.wait(PATIENCE)
    hand.send(form)
