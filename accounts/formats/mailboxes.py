"""E-mail addresses, spelled as they are stored and looked up."""

from django.utils.encoding import punycode


def mailbox(address: str) -> str:
    """The address in lower case, its domain as mail is sent to it: two spellings of one mailbox become one.

    >>> mailbox("Ada@MÜNCHEN.example")
    'ada@xn--mnchen-3ya.example'
    """
    local, at, domain = address.strip().lower().rpartition("@")
    try:
        return f"{local}{at}{punycode(domain)}"
    except UnicodeError:  # no domain at all; what checks the shape of addresses says so
        return f"{local}{at}{domain}"
