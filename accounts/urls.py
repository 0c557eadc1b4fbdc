"""Addresses of a person's own pages."""

from django.urls import path

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/tokens/", views.tokens, name="tokens"),
    path("account/tokens/<str:key>/delete/", views.delete_token, name="delete_token"),
    path("account/mail/", views.mail, name="mail"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("teams/", views.teams, name="teams"),
    path("teams/new/", views.new_team, name="new_team"),
    path("teams/<uuid:team>/leave/", views.leave, name="leave"),
    path("teams/<uuid:team>/members/<int:member>/remove/", views.remove, name="remove_member"),
    path("teams/<uuid:team>/invitation/revoke/", views.revoke, name="revoke"),
]
