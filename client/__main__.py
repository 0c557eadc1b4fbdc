"""`python -m client`."""

from __future__ import annotations

from client.main import app

app(prog_name="heldout")
