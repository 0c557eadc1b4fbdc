"""Which server is talked to, and what it says of submissions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from client.errors import ClientError
from client.login import Login, checked_url, load, store
from client.server import Server
from client.uploads import status_of
from heldout.results import SystemResult


def login(url: str, email: str, password: str) -> Path:
    """Exchange a password for a token and store it, readable by this person alone; returns the file.

    Raises
    ------
    ClientError
        If the server cannot be reached or does not know the password.
    """
    address = checked_url(url)
    return store(Login(address, Server(Login(address)).sign_in(email, password)))


def server() -> Server:
    """The server that was logged in to last, or that the environment names."""
    return Server(load())


def status(submission: str) -> Mapping[str, Any]:
    """What has become of a submission and what happens next, as the API tells it. ClientError where there is none."""
    return status_of(server(), submission)


def result(submission: str) -> SystemResult:
    """Where the system of a published submission stands.

    Raises
    ------
    ClientError
        If the newest release shows nothing of this submission; it says what has become of it and what happens next.
    """
    told = status(submission)
    if told.get("result") is None:
        said = f"{told['status_sentence']} {told['next_step']['sentence']}"
        raise ClientError(f"There is no result of this submission: {said}")
    return SystemResult.of(told)
