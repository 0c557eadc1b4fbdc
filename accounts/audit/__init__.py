"""The audit log: who did what to which row, when and why. Admin pages based on it write down what is done on them."""
