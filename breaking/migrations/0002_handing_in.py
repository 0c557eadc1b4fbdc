from __future__ import annotations

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("breaking", "0001_initial")]

    operations = [
        migrations.RenameField(model_name="pairfile", old_name="file_sha256", new_name="file_digest"),
        migrations.AlterField(
            model_name="pairfile",
            name="file_digest",
            field=models.CharField(
                help_text="Keyed: by a plain digest one could try out the labels of texts that are public.",
                max_length=64,
                validators=[django.core.validators.RegexValidator("\\A[0-9a-f]{64}\\Z")],
            ),
        ),
    ]
