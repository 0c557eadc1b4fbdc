"""The server's API, with every failure as a sentence."""

import json
from http import HTTPStatus
from typing import IO, Any

import httpx

from client.errors import ClientError, Refused
from client.files.packing import Upload
from client.login import Login

_SAID_WITH_A_REASON = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.INSUFFICIENT_STORAGE)
TIMEOUT = httpx.Timeout(30, write=300, read=300)


class Server:
    """Calls below `/api/v1/`; paths are given without it."""

    def __init__(self, login: Login) -> None:
        if not login.url:
            raise ClientError("No server is known yet. Run `heldout login URL`, or set HELDOUT_URL.")
        self.url = login.url
        self._headers = {"Accept": "application/json"}
        if login.token:
            self._headers["Authorization"] = f"Token {login.token}"

    def get(self, path: str, **query: str) -> dict[str, Any]:
        """The JSON at a path.

        Raises
        ------
        Refused
            If the server said no.
        ClientError
            If there was no answer, or none that makes sense.
        """
        return self._call("GET", path, params=query)

    def benchmark(self, name: str, part: str = "") -> dict[str, Any]:
        """What the server says of a benchmark, or of a part of it, such as `terms/`.

        Raises as `get`; of a benchmark that is not there it is said which are.
        """
        try:
            return self.get(f"benchmarks/{name}/{part}")
        except Refused as refused:
            if refused.answer.get("code") != "not_found":
                raise
            known = ", ".join(one["id"] for one in self.get("benchmarks/")["results"]) or "none"
            said = f"{self.url} shows you no benchmark {name}. It shows: {known}."
            raise Refused(refused.status, {**refused.answer, "detail": said}) from None

    def download(self, path: str) -> bytes:
        """A public file; the path is given from the root of the site. Raises ClientError."""
        return self._downloaded(path, self._request("GET", f"{self.url}/{path}"))

    def log_keys(self) -> dict[str, str]:
        """The keys that the server says it signs with, by what they sign. Raises ClientError."""
        try:
            told = json.loads(self.download("log/keys"))
        except ValueError:
            told = {}
        return {str(role): str(key) for role, key in told.items()} if isinstance(told, dict) else {}

    def download_newer(self, path: str, sha256: str) -> bytes | None:
        """As `download`; None where the file still has that digest."""
        response = self._request("GET", f"{self.url}/{path}", headers={"If-None-Match": f'"{sha256}"'})
        return None if response.status_code == HTTPStatus.NOT_MODIFIED else self._downloaded(path, response)

    def _downloaded(self, path: str, response: httpx.Response) -> bytes:
        if not response.is_success:
            raise ClientError(f"{self.url}/{path} cannot be had (HTTP {response.status_code}).")
        return response.content

    def sign_in(self, email: str, password: str) -> str:
        """A new token. Raises as `get`."""
        by_password = httpx.BasicAuth(email.encode(), password.encode())
        answer = self._call("POST", "auth/login/", auth=by_password, json={"name": "heldout login"})
        return str(answer["token"])

    def upload(
        self,
        path: str,
        fields: dict[str, str],
        file_name: str,
        file: IO[bytes],
        fact_sheet: Upload | None = None,
    ) -> dict[str, Any]:
        """The receipt of predictions or pairs. Raises as `get`."""
        files: dict[str, tuple[str, Any, str]] = {"file": (file_name, file, "application/octet-stream")}
        if fact_sheet:
            files["fact_sheet"] = (*fact_sheet, "application/json")
        return self._call("POST", path, data=fields, files=files)

    def accept_terms(self, benchmark: str, version: int) -> dict[str, Any]:
        return self._call("POST", f"benchmarks/{benchmark}/terms/", json={"version": version})

    def register(self, benchmark: str, team: str, code: str) -> dict[str, Any]:
        """Register a team where a benchmark asks for a code. Raises as `get`."""
        return self._call("POST", "registrations/", json={"benchmark": benchmark, "team": team, "code": code})

    def _call(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        response = self._request(method, f"{self.url}/api/v1/{path}", headers=self._headers, **request)
        if response.is_redirect:
            place = response.headers.get("Location", "another address")
            raise ClientError(f"{self.url} sends on to {place}. Please log in with the address it means.")
        try:
            answer = response.json()
        except ValueError:
            answer = None
        says_why = isinstance(answer, dict) and response.status_code in _SAID_WITH_A_REASON
        if response.is_server_error and not says_why:
            raise ClientError(
                f"{self.url} met a fault of its own (HTTP {response.status_code}). Please try again later."
            )
        if not isinstance(answer, dict):
            raise ClientError(f"{self.url} answered something that is not Heldout's. Is the address right?")
        if response.status_code == 401 and "Authorization" in self._headers:
            raise ClientError(
                f"{self.url} does not know your token (any more). Run `heldout login {self.url}`."
            )
        if response.is_error:
            raise Refused(response.status_code, answer)
        return answer

    def _request(self, method: str, url: str, **request: Any) -> httpx.Response:
        try:
            return httpx.request(method, url, timeout=TIMEOUT, **request)
        except httpx.TimeoutException:
            raise ClientError(f"{self.url} did not answer in time. Please try again later.") from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise ClientError(
                f"{self.url} cannot be reached ({error}). Check the address and your connection."
            ) from None
