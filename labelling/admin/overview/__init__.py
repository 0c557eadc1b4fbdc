"""How a campaign stands, in a sentence, figures and two charts."""
