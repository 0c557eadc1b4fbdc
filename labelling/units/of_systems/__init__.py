"""Units of what systems gave: submissions, of a release or chosen, go in; outputs, pairs or pools come out."""
