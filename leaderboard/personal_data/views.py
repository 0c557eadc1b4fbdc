"""The page on which a person takes their data along, or erases their account."""

from collections.abc import Sequence
from dataclasses import dataclass

from allauth.decorators import rate_limit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import form_data, form_status, reader, signed_in
from accounts.formats.mailboxes import mailbox
from accounts.models import User
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from leaderboard.personal_data.erasure import CannotErase, erase
from leaderboard.personal_data.exporting import personal_data
from leaderboard.personal_data.retention import KEPT, Kept


class ErasureForm(forms.Form):
    """The person's own address, and the password where there is one: nobody is erased by a slip."""

    address = forms.CharField(
        label="Your e-mail address", help_text="As it stands above: erasing cannot be undone."
    )
    password = forms.CharField(label="Your password", widget=forms.PasswordInput)

    def __init__(self, user: User, data: object) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict, or None
        self._user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_address(self) -> str:
        """The address that the person signs in with."""
        address: str = mailbox(self.cleaned_data["address"])
        if address != self._user.email:
            raise forms.ValidationError(f"Expected {self._user.email}.")
        return address

    def clean_password(self) -> str:
        """The person's password."""
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise forms.ValidationError("This is not your password.")
        return password


@dataclass(frozen=True, kw_only=True)
class YourDataPage(PageContent):
    """What is kept of the reader, to be taken along or erased."""

    template = "accounts/your_data.html"
    section = "account"
    form: ErasureForm


@dataclass(frozen=True, kw_only=True)
class PrivacyPage(PageContent):
    """What is kept of people, and whom to ask about it."""

    template = "accounts/privacy.html"
    operator: str
    contact: str
    kept: Sequence[Kept]


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """For everybody, also before they have an account."""
    page = PrivacyPage(operator=settings.OPERATOR, contact=settings.OPERATOR_CONTACT, kept=KEPT)
    return page.answer(request)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
# Counted with the other pages that ask for the password again.
@rate_limit(action="reauthenticate")  # type: ignore[untyped-decorator]  # allauth has no types
def your_data(request: HttpRequest) -> HttpResponse:
    user = reader(request)
    form = ErasureForm(user, form_data(request))
    if form.is_valid():
        try:
            erase(user=user, now=database_now())
        except CannotErase as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, "Your account is erased.")
            return redirect("account_login")
    return YourDataPage(form=form).answer(request, form_status(form))


@signed_in
@require_safe
def take_along(request: HttpRequest) -> FileResponse:
    """Everything kept of the reader, as a zip."""
    return FileResponse(
        personal_data(reader(request), settings.SITE_URL), as_attachment=True, filename="my-data.zip"
    )
