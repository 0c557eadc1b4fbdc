"""`python -m client`."""

from client.main import app

app(prog_name="heldout")
