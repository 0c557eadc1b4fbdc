"""The server's secret is changed, and who is signed in stays so; links in old mails still work."""

from typing import Any

import pytest
from django.conf import settings as django_settings

from accounts.mail.outbox import unsubscribe_token
from accounts.models import MailKind
from accounts.server.keyed_hashes import is_one_of, keyed_hashes

OLD, NEW = "an-old-secret-key-" * 3, "a-new-secret-key-" * 3


@pytest.fixture
def change(settings: Any) -> Any:
    """Change the key, once with the old one as a fallback and once without."""
    settings.SECRET_KEY = OLD

    def to_new(*, keep: bool) -> None:
        settings.SECRET_KEY = NEW
        settings.SECRET_KEY_FALLBACKS = [OLD] if keep else []

    return to_new


@pytest.mark.parametrize(("keep", "status"), [(True, 200), (False, 302)])
def test_sessions_live_as_long_as_the_old_key_holds(client, owner, change, keep, status):
    client.force_login(owner)
    change(keep=keep)
    assert client.get("/account/").status_code == status


@pytest.mark.parametrize(("keep", "is_wanted"), [(True, False), (False, True)])
def test_a_link_in_an_old_mail_switches_mail_off(client, owner, change, keep, is_wanted):
    token = unsubscribe_token(owner, MailKind.PUBLICATION)
    change(keep=keep)
    client.post(f"/unsubscribe/{token}/")
    owner.refresh_from_db()
    assert owner.mail_publication is is_wanted


def test_keyed_hashes_of_before_are_known_and_new_ones_come_first(change):
    (before,) = keyed_hashes("salt", "value")
    change(keep=True)
    now, then = keyed_hashes("salt", "value")
    assert (then == before, now != before) == (True, True)
    assert is_one_of(before.hex(), [now.hex(), then.hex()])
    assert not is_one_of("é", [now.hex()])


def test_no_key_of_before_is_set_by_default():
    assert django_settings.SECRET_KEY_FALLBACKS == []
