"""`intarsia bench`."""
