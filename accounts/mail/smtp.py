"""Mail over SMTP, which knows whether a server that fell silent had the whole mail already."""

import smtplib
from typing import Any

from django.core.mail.backends.smtp import EmailBackend

SECONDS_TO_TAKE = 60
"""How long a server may look at a whole mail, for spam for instance, before it says that it takes it."""
_END = b"\r\n.\r\n"


class MayHaveArrived(smtplib.SMTPException):
    """The server had the whole mail, and never said whether it takes it."""


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
