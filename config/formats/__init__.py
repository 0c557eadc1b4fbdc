"""How dates are written where no template says so."""
