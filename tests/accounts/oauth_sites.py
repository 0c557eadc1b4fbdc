"""What GitHub and ORCID answer to whoever signs in, as a program: `python -m tests.accounts.oauth_sites PORT`.

Both know one registered client, take each code once and only from whoever it was given to, and tell of the person that
was last put at /person. Forms of answers: GitHub's REST API for /user and /user/emails, ORCID's 3.0 record.
"""

import json
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT_ID, SECRET = "a-registered-client", "what-they-gave"
PERSON: dict[str, Any] = {}
CODES: dict[str, str] = {}
TOKENS: set[str] = set()


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        address = urlsplit(self.path)
        known = self.headers["Authorization"] or ""
        if address.path in ("/login/oauth/authorize", "/oauth/authorize"):
            self._authorize({name: values[0] for name, values in parse_qs(address.query).items()})
        elif address.path == "/api/v3/user" and known.removeprefix("token ") in TOKENS:
            self._answer(
                200, {"id": PERSON["id"], "login": PERSON["id"], "name": PERSON["name"], "email": None}
            )
        elif address.path == "/api/v3/user/emails" and known.removeprefix("token ") in TOKENS:
            self._answer(200, PERSON["emails"])
        elif address.path == f"/v3.0/{PERSON.get('id')}/record":  # public: ORCID asks for no token
            self._answer(200, _record())
        else:
            self._answer(404 if known else 401, {"message": "Not Found"})

    def do_PUT(self) -> None:
        PERSON.clear()
        PERSON.update(json.loads(self._body()))
        self._answer(200, {})

    def do_POST(self) -> None:
        sent = {name: values[0] for name, values in parse_qs(self._body().decode()).items()}
        meant_for = CODES.pop(sent.get("code", ""), None)
        is_known = (sent.get("client_id"), sent.get("client_secret")) == (CLIENT_ID, SECRET)
        if not is_known or meant_for is None or sent.get("redirect_uri") != meant_for:
            # GitHub answers 200 to a wrong code, and says so in the body.
            self._answer(200 if "login" in self.path else 400, {"error": "bad_verification_code"})
            return
        TOKENS.add(token := secrets.token_urlsafe())
        told = {"access_token": token, "token_type": "bearer", "scope": "user:email"}
        self._answer(
            200, told if "login" in self.path else told | {"orcid": PERSON["id"], "name": PERSON["name"]}
        )

    def _authorize(self, asked: dict[str, str]) -> None:
        if asked.get("client_id") != CLIENT_ID:
            self._answer(404, {"message": "no such client"})
            return
        told = {"error": "access_denied"} if PERSON.get("refuses") else {"code": secrets.token_urlsafe()}
        if "code" in told:
            CODES[told["code"]] = asked["redirect_uri"]
        self.send_response(302)
        self.send_header("Location", f"{asked['redirect_uri']}?{urlencode(told | {'state': asked['state']})}")
        self.end_headers()

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"] or 0))

    def _answer(self, status: int, body: Any) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: Any) -> None:
        """Nothing: tests are quiet."""


def _record() -> dict[str, Any]:
    first, _, last = PERSON["name"].partition(" ")
    emails = [{"email": one["email"], "verified": True, "primary": True} for one in PERSON["emails"]]
    name = {"given-names": {"value": first}, "family-name": {"value": last}}
    return {
        "orcid-identifier": {
            "uri": f"https://orcid.org/{PERSON['id']}",
            "path": PERSON["id"],
            "host": "orcid.org",
        },
        "person": {"name": name, "emails": {"email": emails}},
    }


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Site).serve_forever()
