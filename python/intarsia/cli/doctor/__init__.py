"""`intarsia doctor`."""
