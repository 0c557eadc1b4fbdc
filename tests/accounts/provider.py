"""An OpenID Connect provider on this machine, over plain HTTP: discovery, authorisation, token and userinfo."""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT_ID, SECRET, CODE, ACCESS_TOKEN = "heldout", "keep it", "a-code", "an-access-token"


class Provider(ThreadingHTTPServer):
    """Signs everybody in as `person`, who has the claims of an OpenID Connect userinfo answer."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.person: dict[str, Any] = {"sub": "17", "name": "Ada Lovelace"}
        self.challenge = ""


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/.well-known/openid-configuration":
            self._answer(200, self._discovery())
        elif address.path == "/authorize":
            self._authorize({name: values[0] for name, values in parse_qs(address.query).items()})
        elif address.path == "/userinfo" and self.headers["Authorization"] == f"Bearer {ACCESS_TOKEN}":
            self._answer(200, self.server.person)
        else:
            self._answer(401, {"error": "invalid_token"})

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        verifier = sent.get("code_verifier", [""])[0]
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        known = [sent.get(name) for name in ("client_id", "client_secret", "code")] == [
            [CLIENT_ID],
            [SECRET],
            [CODE],
        ]
        if known and digest == self.server.challenge:
            self._answer(200, {"access_token": ACCESS_TOKEN, "token_type": "Bearer"})
        else:
            self._answer(400, {"error": "invalid_grant"})

    def _discovery(self) -> dict[str, Any]:
        issuer = self.server.issuer
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "userinfo_endpoint": f"{issuer}/userinfo",
            "jwks_uri": f"{issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def _authorize(self, asked: dict[str, str]) -> None:
        self.server.challenge = asked["code_challenge"]
        back = urlencode({"code": CODE, "state": asked["state"]})
        self.send_response(302)
        self.send_header("Location", f"{asked['redirect_uri']}?{back}")
        self.end_headers()

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: Any) -> None:
        """Nothing: tests are quiet."""


@contextmanager
def running_provider() -> Iterator[Provider]:
    """A provider that answers while the block runs."""
    with Provider() as provider:
        thread = threading.Thread(target=provider.serve_forever, daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            provider.shutdown()
            thread.join()
