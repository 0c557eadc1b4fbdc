"""Addresses of a person's own pages."""

from django.urls import path

from accounts import views
from accounts.events import views as events
from accounts.tokens import views as tokens

app_name = "accounts"

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/security/", events.security, name="security"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<str:key>/delete/", tokens.delete_token, name="delete_token"),
    path("account/sign-out-everywhere/", tokens.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/mail/", views.mail, name="mail"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("teams/", views.teams, name="teams"),
    path("teams/new/", views.new_team, name="new_team"),
    path("teams/<uuid:team>/leave/", views.leave, name="leave"),
    path("teams/<uuid:team>/members/<int:member>/remove/", views.remove, name="remove_member"),
    path("teams/<uuid:team>/invitation/revoke/", views.revoke, name="revoke"),
]
