"""`intarsia multi`: the best clusters of several algorithms."""
