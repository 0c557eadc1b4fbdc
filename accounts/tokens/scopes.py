"""What a token lets a program do."""

from django.db import models


class Scope(models.TextChoices):
    """A token has one or several of these. Each address of the API needs one (`accounts.api.token_scopes`)."""

    READ = "read", "Read what is yours: teams, systems, submissions and their results"
    SUBMIT = "submit", "Enter systems, send predictions and pairs, fill in fact sheets"
    MANAGE = (
        "manage",
        "Everything else: withdraw and choose submissions, accept terms, found teams, end tokens, take archives home",
    )


ALL_SCOPES = " ".join(Scope.values)
