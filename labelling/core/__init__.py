"""The arithmetic of campaigns, without Django: answers of people go in, labels, scores and agreement come out."""
