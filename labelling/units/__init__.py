"""Where units come from: a file, a split's texts, the pairs of an attack, or what workers wrote; rows come out."""
