"""Mail over SMTP: whether a server that fell silent had the whole mail already, and whether a refusal is for good."""

import smtplib
from typing import Any

from django.core.mail.backends.smtp import EmailBackend

SECONDS_TO_TAKE = 60
"""How long a server may look at a whole mail, for spam for instance, before it says that it takes it."""
_END = b"\r\n.\r\n"
_FOR_GOOD = range(500, 600)  # RFC 5321, 4.2.1
_OF_THE_SITE = b"5.7."  # RFC 3463: security and policy, such as relaying denied


class MayHaveArrived(smtplib.SMTPException):
    """The server had the whole mail, and never said whether it takes it."""


def is_refused_for_good(error: Exception) -> bool:
    """Whether a server said of a mail to one person that it is not to be sent again, as where nobody has the address.

    A refusal of the sender, or one that names a policy, is of everything that this site sends: it may be lifted.
    """
    match error:
        case smtplib.SMTPRecipientsRefused():
            refusals = list(error.recipients.values())
        case smtplib.SMTPDataError():
            words = error.smtp_error
            refusals = [(error.smtp_code, words if isinstance(words, bytes) else words.encode())]
        case _:
            return False
    return all(code in _FOR_GOOD and not said.startswith(_OF_THE_SITE) for code, said in refusals)


class SmtpBackend(EmailBackend):
    """Django's, which raises `MayHaveArrived` where sending again could bring a mail twice."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _SecureConnection if self.use_ssl else _Connection


class _Connection(smtplib.SMTP):
    _has_whole_mail = False

    def send(self, s: Any) -> None:
        super().send(s)
        if isinstance(s, bytes) and s.endswith(_END) and self.sock:
            self._has_whole_mail = True
            self.sock.settimeout(SECONDS_TO_TAKE)

    def getreply(self) -> tuple[int, bytes]:
        try:
            return super().getreply()
        except Exception as error:
            if self._has_whole_mail:
                raise MayHaveArrived(
                    "The mail server had the whole mail, and did not say whether it takes it. It may have arrived."
                ) from error
            raise
        finally:
            self._has_whole_mail = False


class _SecureConnection(_Connection, smtplib.SMTP_SSL):
    pass
