from django.db import migrations

from accounts.formats.mailboxes import mailbox


def respell(apps, schema_editor):
    """What somebody has in the other spelling already stays: neither of two accounts may be lost."""
    people = apps.get_model("accounts", "User").objects
    addresses = apps.get_model("account", "EmailAddress").objects
    for rows, owner in ((people, "pk"), (addresses, "user_id")):
        for row in rows.exclude(email__regex=r"^[ -~]*$"):
            stored, person = mailbox(row.email), getattr(row, owner)
            others = people.exclude(pk=person).filter(email=stored).exists()
            others = others or addresses.exclude(user_id=person).filter(email=stored).exists()
            if not others and not rows.filter(email=stored).exists():
                row.email = stored
                row.save(update_fields=["email"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_provider_grants"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [migrations.RunPython(respell, migrations.RunPython.noop)]
