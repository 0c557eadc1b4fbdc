"""A board in the formats that others take away: LaTeX, Markdown, BibTeX, model cards, feeds and badges."""
