"""The screens of a new campaign as forms: what an organiser types goes in, checked columns of a campaign come out."""
