"""Which mail a person wants: on a page of theirs, and by the link that stands in every mail."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.access import form_data, reader, signed_in
from accounts.forms import MailForm
from accounts.mail import outbox


@signed_in
def mail(request: HttpRequest) -> HttpResponse:
    form = MailForm(form_data(request), instance=reader(request))
    if form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("accounts:mail")
    return render(request, "accounts/mail.html", {"section": "account", "form": form})


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Switch off one kind of mail, for whoever holds the link: mail programs post to it for their readers (RFC 8058).

    Opening it changes nothing, because programs that look for viruses open every link.
    """
    try:
        user, kind = outbox.read_unsubscribe(token)
    except outbox.UnsubscribeInvalid:
        return render(request, "accounts/unsubscribe_invalid.html", status=404)
    if request.method == "POST":
        outbox.unsubscribe(user=user, kind=kind)
        user.refresh_from_db()
    context = {"email": user.email, "kind": kind.label, "is_done": not outbox.is_wanted(user, kind)}
    return render(request, "accounts/unsubscribe.html", context)
